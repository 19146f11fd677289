package identity

import (
	"context"
	"fmt"

	"studycircle"
	"studycircle/internal/mail"
	"studycircle/internal/store"
)

// WriteMail composes a queued email when it is sent: the queue holds only recipient and
// kind, so no secret, and a link's lifetime starts when it is sent. The message is empty,
// and not to be sent, if the account is deleted or suspended.
func (i *Identity) WriteMail(ctx context.Context, userID, kind string) (m mail.Message, err error) {
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
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

// WriteInvitation composes the email to an address of a roster. The message is empty, and not to be sent, if the
// invitation is over, if its user has declined or wants no such emails, or if the address has got too many on one day,
// whichever circles they are for. again reports that it was composed before and not sent.
func (i *Identity) WriteInvitation(ctx context.Context, id string, again bool) (m mail.Message, err error) {
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		m = mail.Message{}
		now := i.clock()
		secret := studycircle.NewSecret()
		out, err := tx.RosterMail(ctx, id, hashSecret(secret), now)
		if err != nil || out.Unwanted {
			return err
		}
		if i.Limits && !again {
			if err := tx.Spend(ctx, invitedMails, i.subject(out.Address), now); err != nil {
				return err
			}
		}
		m = i.composeInvitation(out.Address, secret)
		if out.UserID != "" {
			token := i.UnsubscribeToken(out.UserID, string(studycircle.NotifyInvited))
			m.Unsubscribe = i.PublicURL.JoinPath("unsubscribe", token).String()
		}
		return nil
	})
	if isNotFound(err) || studycircle.CodeOf(err) == studycircle.CodeRateLimited {
		return mail.Message{}, nil
	}
	return m, err
}

// composeInvitation does not name the circle, for the reason that compose gives.
func (i *Identity) composeInvitation(to, secret string) mail.Message {
	return mail.Message{
		To: to, Subject: "You are invited to a circle at " + i.Brand,
		Text: fmt.Sprintf(`Hello,

a circle is a private group at %[1]s, and the organizers of one have put this
email address on their list. To join, sign in or register with this
address, and confirm that it is yours:

%[2]s

You need not do anything if you do not want to join.

%[1]s
`, i.Brand, i.PublicURL.JoinPath("join").String()+"#"+secret),
	}
}

// compose puts no name but the product's into an email: a user who registers another
// person's address must not choose text in that person's email.
func (i *Identity) compose(kind, to, code string) mail.Message {
	if kind == verifyCode {
		return mail.Message{
			To: to, Subject: "Is this your email address?",
			Text: fmt.Sprintf(`Hello,

an account was created at %[1]s with this email address. If it was you,
please sign in and confirm that the address is yours:

%[2]s

The link works once and for two days. If it was not you, you need not do
anything: without this confirmation we send no further email. To have the
account for yourself, choose a new password, which locks the other person out:

%[3]s

%[1]s
`, i.Brand, i.address("/auth/verify", code), i.PublicURL.JoinPath("/auth/forgot")),
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
`, i.Brand, i.address("/auth/reset", code)),
	}
}
