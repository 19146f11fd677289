package identity

import (
	"context"
	"fmt"
	"net/url"

	"studycircle"
	"studycircle/internal/mail"
)

// WriteMail composes a queued email when it is sent: the queue holds only recipient and
// kind, so no secret, and a link's lifetime starts when it is sent. The message is empty,
// and not to be sent, if the account is deleted or suspended.
func (i *Identity) WriteMail(ctx context.Context, userID, kind string) (m mail.Message, err error) {
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		m = mail.Message{}
		user, err := tx.User(ctx, userID)
		if isNotFound(err) {
			return nil
		}
		if err != nil || !user.SuspendedAt.IsZero() {
			return err
		}
		code := studycircle.NewSecret()
		lifetime := ResetLifetime
		if kind == verifyCode {
			lifetime = VerifyLifetime
		}
		m = i.compose(kind, user.Email, code)
		return tx.InsertActionCode(ctx, user.ID, kind, hashSecret(code), i.clock().Add(lifetime))
	})
	return m, err
}

// compose puts no name but the product's into an email: a user who registers another
// person's address must not choose text in that person's email.
func (i *Identity) compose(kind, to, code string) mail.Message {
	link := func(path string) string {
		u := i.PublicURL.JoinPath(path)
		u.RawQuery = url.Values{"token": {code}}.Encode()
		return u.String()
	}
	if kind == verifyCode {
		return mail.Message{
			To: to, Subject: "Is this your email address?",
			Text: fmt.Sprintf(`Hello,

an account was opened at %[1]s with this email address. If it was you,
please log in and confirm that the address is yours:

%[2]s

The link works once and for two days. If it was not you, you need not do
anything: without this confirmation we send no further email. To have the
account for yourself, choose a new password, which locks the other person out:

%[3]s

%[1]s
`, i.Brand, link("/auth/verify"), i.PublicURL.JoinPath("/auth/forgot")),
		}
	}
	return mail.Message{
		To: to, Subject: "Your new password for " + i.Brand,
		Text: fmt.Sprintf(`Hello,

we got a request for a new password for your account at %[1]s. If it was you,
choose one here:

%[2]s

The link works once and for 30 minutes. It signs you out everywhere. If it was
not you, you need not do anything: your password stays as it is.

%[1]s
`, i.Brand, link("/auth/reset")),
	}
}
