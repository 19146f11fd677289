package identity

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"studycircle"
	"studycircle/internal/mail"
)

// Identity is the mail package's queue: what is stored says only who wants which
// mail, and the text, with its secret, is made when the mail goes out.

// NextMailDue is when the first queued mail may be sent; ErrNotFound where there is none.
func (i *Identity) NextMailDue(ctx context.Context) (time.Time, error) {
	return i.store.NextMailDue(ctx)
}

// ClaimMail takes a mail that is due and writes it; no other node gets it for
// lease. ErrNotFound where there is none.
func (i *Identity) ClaimMail(ctx context.Context, lease time.Duration) (mail.Job, error) {
	var job mail.Job
	err := i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		now := i.clock()
		queued, err := tx.ClaimMail(ctx, now, now.Add(lease))
		if err != nil {
			return err
		}
		job = mail.Job{ID: queued.ID, Kind: queued.Kind, Age: now.Sub(queued.CreatedAt), Attempts: queued.Attempts}
		user, err := tx.User(ctx, queued.UserID)
		if err != nil {
			return err
		}
		if !user.SuspendedAt.IsZero() {
			return nil // an empty message: nothing to send
		}
		code := studycircle.NewSecret()
		lifetime := ResetLifetime
		if queued.Kind == verifyCode {
			lifetime = VerifyLifetime
		}
		job.Message = i.compose(queued.Kind, user.Email, code)
		return tx.InsertActionCode(ctx, user.ID, queued.Kind, hashSecret(code), now.Add(lifetime))
	})
	return job, err
}

// MailDone takes a mail out of the queue: sent, or given up.
func (i *Identity) MailDone(ctx context.Context, id string) error {
	return i.store.Write(ctx, func(ctx context.Context, tx Tx) error { return tx.DeleteMail(ctx, id) })
}

// PostponeMail lets a mail be tried again after wait.
func (i *Identity) PostponeMail(ctx context.Context, id string, wait time.Duration) error {
	return i.store.Write(ctx, func(ctx context.Context, tx Tx) error { return tx.PostponeMail(ctx, id, i.clock().Add(wait)) })
}

// compose names nobody but the product: a name that somebody registered with
// another's address must not get into that person's mail.
func (i *Identity) compose(kind, to, code string) mail.Message {
	link := func(path string) string {
		u := i.PublicURL.JoinPath(path)
		u.RawQuery = url.Values{"token": {code}}.Encode()
		return u.String()
	}
	if kind == verifyCode {
		return mail.Message{
			To: to, Subject: "Is this your e-mail address?",
			Text: fmt.Sprintf(`Hello,

somebody opened an account at %[1]s with this e-mail address. If it was you,
please confirm that the address is yours:

%[2]s

The link works once and for two days. If it was not you, you need not do
anything: without this confirmation no further mail comes from us.

%[1]s
`, i.Brand, link("/auth/verify")),
		}
	}
	return mail.Message{
		To: to, Subject: "Your new password for " + i.Brand,
		Text: fmt.Sprintf(`Hello,

somebody asked for a new password for your account at %[1]s. If it was you,
choose one here:

%[2]s

The link works once and for 30 minutes. It signs you out everywhere. If it was
not you, you need not do anything: your password stays as it is.

%[1]s
`, i.Brand, link("/auth/reset")),
	}
}
