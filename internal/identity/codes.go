package identity

import (
	"context"
	"errors"

	"studycircle"
	"studycircle/internal/store"
)

// Purposes of emailed codes, and the kinds of the emails that carry them.
const (
	resetCode  = "reset"
	verifyCode = "verify"
)

// MailKinds are the kinds of emails that WriteMail composes.
var MailKinds = []string{resetCode, verifyCode}

var errActionCode = &studycircle.Error{
	Code:    studycircle.CodeInvalidActionCode,
	Message: "This link has been used, has expired, or is incomplete. Please ask for a new one.",
	Fields:  []studycircle.FieldError{{Field: "token", Message: "This link is no longer valid."}},
}

var errOthersCode = &studycircle.Error{
	Code:    studycircle.CodeInvalidActionCode,
	Message: "This link is for another account. Sign in to that one, or choose a new password for it.",
	Fields:  []studycircle.FieldError{{Field: "token", Message: "This link is for another account."}},
}

// ForgotPassword queues a reset email for any address. Without an account it queues one
// without a recipient, so that neither the answer nor its time reveals accounts.
// CodeRateLimited, for any address alike.
func (i *Identity) ForgotPassword(ctx context.Context, email string) error {
	email = studycircle.NormalizeEmail(studycircle.Trim(email))
	account, err := i.account(ctx, email)
	if err != nil {
		return err
	}
	window := resetMails
	if !i.Limits {
		window.Max, window.Per = plenty, 0 // the same write in both cases
	}
	subject, now := i.subject(email), i.clock()
	wait, err := i.store.LimitWait(ctx, window, subject, now)
	if err != nil {
		return err
	}
	if wait > 0 {
		return window.Refuse(wait)
	}
	if account.ID == "" {
		account.ID = studycircle.NewID(now)
	}
	return i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.Spend(ctx, window, subject, now); err != nil {
			return err
		}
		return tx.QueueMail(ctx, account.ID, resetCode)
	})
}

// ResetPassword sets a new password for the user who holds an emailed code, ends all of
// their sessions, and returns the device cookie of their browser. An account without a
// password is claimed so. CodeWeakPassword, CodeInvalidActionCode.
func (i *Identity) ResetPassword(ctx context.Context, code, password string, v Visit) (device string, err error) {
	if err := studycircle.CheckPassword(password); err != nil {
		return "", err
	}
	// Checked before hashing, so that a request without a valid code stays cheap.
	userID, err := i.store.ActionCode(ctx, resetCode, hashSecret(code), i.clock())
	if err != nil {
		return "", codeIfGone(err)
	}
	hash, err := i.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := i.clock()
		// Before the code, which is deleted with the account: see DeleteAccount.
		account, err := tx.LockAccount(ctx, userID)
		if err != nil {
			return err
		}
		if _, err := tx.UseActionCode(ctx, resetCode, hashSecret(code), now); err != nil {
			return err
		}
		if account.EmailVerifiedAt.IsZero() {
			// The user who opened the account need not own the address.
			if err := tx.DeleteCredentials(ctx, userID); err != nil {
				return err
			}
		}
		// Before the sessions: see ReplacePasswordHash in Login.
		if err := tx.ResetPassword(ctx, userID, hash, now); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, userID, ""); err != nil {
			return err
		}
		if err := tx.DeleteMailsOf(ctx, userID, resetCode); err != nil {
			return err
		}
		return tx.DeleteActionCodesOf(ctx, userID)
	})
	if err != nil {
		return "", codeIfGone(err)
	}
	i.sessions.dropUser(userID)
	// A user who forgot their password has failed before; the new device cookie lets them
	// sign in now.
	return i.withDevice(v.Device, userID, ""), nil
}

// AskVerification queues the email that verifies viewer's address, unless it is verified.
// CodeRateLimited.
func (i *Identity) AskVerification(ctx context.Context, viewer studycircle.Session) error {
	account, err := i.Account(ctx, viewer)
	if err != nil || (!account.EmailVerifiedAt.IsZero() && account.MailsRefusedAt.IsZero()) {
		return err
	}
	now := i.clock()
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if i.Limits {
			if err := tx.Spend(ctx, verifyMails, account.ID, now); err != nil {
				return err
			}
		}
		return tx.QueueMail(ctx, account.ID, verifyCode)
	})
	return unauthenticatedIfGone(err)
}

// VerifyEmail marks the address of viewer, who holds an emailed code, as verified. The
// code alone shows that its holder owns the address, not that they opened the account: an
// owner who confirmed an account opened by another user would leave that user's password
// in place. So both are required. The code may be of ChangeEmail. CodeInvalidActionCode, CodeEmailInUse.
func (i *Identity) VerifyEmail(ctx context.Context, viewer studycircle.Session, code string) error {
	userID, err := i.store.ActionCode(ctx, verifyCode, hashSecret(code), i.clock())
	if isNotFound(err) {
		return i.confirmEmail(ctx, viewer, code)
	}
	if err != nil {
		return err
	}
	if userID != viewer.User.ID {
		return errOthersCode
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := i.clock()
		// Before the code, as in ResetPassword.
		if err := tx.VerifyEmail(ctx, userID, now); err != nil {
			return err
		}
		if _, err := tx.UseActionCode(ctx, verifyCode, hashSecret(code), now); err != nil {
			return err
		}
		return tx.JoinOnceVerified(ctx, userID, i.EnrolDomains, now)
	})
	if err != nil {
		return codeIfGone(err)
	}
	i.sessions.dropUser(userID)
	return nil
}

func codeIfGone(err error) error {
	if isNotFound(err) {
		return errActionCode
	}
	return err
}

// inField reports a password's error under the field name that its form uses.
func inField(err error, name string) error {
	e, ok := errors.AsType[*studycircle.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	renamed.Fields = make([]studycircle.FieldError, len(e.Fields))
	for n, f := range e.Fields {
		renamed.Fields[n] = studycircle.FieldError{Field: name, Message: f.Message, Args: f.Args}
	}
	return &renamed
}
