package identity

import (
	"context"
	"errors"

	"studycircle"
)

// What a mailed code is for; also the kind of the mail that brings it.
const (
	resetCode  = "reset"
	verifyCode = "verify"
)

var errActionCode = &studycircle.Error{
	Code: studycircle.CodeInvalidActionCode, Message: "This link was used before, is too old, or is not complete. Please ask for a new one.",
	Fields: []studycircle.FieldError{{Field: "token", Message: "This link is not good any more."}},
}

var errOthersCode = &studycircle.Error{
	Code: studycircle.CodeInvalidActionCode, Message: "This link is for another account. Log in to that one, or choose a new password for it.",
	Fields: []studycircle.FieldError{{Field: "token", Message: "This link is for another account."}},
}

// ForgotPassword queues a reset mail, for any address: without an account it is
// one to nobody, so that neither answer nor time tells. CodeRateLimited, for any
// address alike.
func (i *Identity) ForgotPassword(ctx context.Context, email string) error {
	email = studycircle.NormalizeEmail(email)
	account, err := i.account(ctx, email)
	if err != nil {
		return err
	}
	window := resetMails
	if !i.Limits {
		window.Max, window.Per = plenty, 0 // the same write all the same
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
	return i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.Spend(ctx, window, subject, now); err != nil {
			return err
		}
		return tx.QueueMail(ctx, account.ID, resetCode)
	})
}

// ResetPassword gives the owner of a mailed code a new password, ends all of
// their sessions, and returns the device cookie of their browser. An account
// without a password is claimed so. CodeWeakPassword, CodeInvalidActionCode.
func (i *Identity) ResetPassword(ctx context.Context, code, password string, v Visit) (device string, err error) {
	if err := studycircle.CheckPassword(password); err != nil {
		return "", err
	}
	// Asked before the password is hashed: whoever has no code costs no more than this.
	userID, err := i.store.ActionCode(ctx, resetCode, hashSecret(code), i.clock())
	if err != nil {
		return "", codeIfGone(err)
	}
	hash, err := i.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		now := i.clock()
		// Before the code, which goes with the account: see DeleteAccount.
		account, err := tx.LockAccount(ctx, userID)
		if err != nil {
			return err
		}
		if _, err := tx.UseActionCode(ctx, resetCode, hashSecret(code), now); err != nil {
			return err
		}
		if account.EmailVerifiedAt.IsZero() {
			// Whoever opened the account need not have been the address's owner.
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
	// Whoever forgot their password has failed before, and may sign in now.
	return i.withDevice(v.Device, userID, ""), nil
}

// AskVerification queues the mail that verifies viewer's address, unless that
// has happened. CodeRateLimited.
func (i *Identity) AskVerification(ctx context.Context, viewer studycircle.Session) error {
	account, err := i.Account(ctx, viewer)
	if err != nil || (!account.EmailVerifiedAt.IsZero() && account.MailsRefusedAt.IsZero()) {
		return err
	}
	now := i.clock()
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		if i.Limits {
			if err := tx.Spend(ctx, verifyMails, account.ID, now); err != nil {
				return err
			}
		}
		return tx.QueueMail(ctx, account.ID, verifyCode)
	})
	return unauthenticatedIfGone(err)
}

// VerifyEmail believes viewer, who has a mailed code, that the account's address
// is theirs. The code alone shows that the address is somebody's, not that they
// opened the account: confirmed by them, it would be as good as theirs to whoever
// did, and knows its password. CodeInvalidActionCode.
func (i *Identity) VerifyEmail(ctx context.Context, viewer studycircle.Session, code string) error {
	userID, err := i.store.ActionCode(ctx, verifyCode, hashSecret(code), i.clock())
	if err != nil {
		return codeIfGone(err)
	}
	if userID != viewer.User.ID {
		return errOthersCode
	}
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		now := i.clock()
		// Before the code, as in ResetPassword.
		if err := tx.VerifyEmail(ctx, userID, now); err != nil {
			return err
		}
		_, err := tx.UseActionCode(ctx, verifyCode, hashSecret(code), now)
		return err
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

// inField is a password's error under the name that its form has for it.
func inField(err error, name string) error {
	e, ok := errors.AsType[*studycircle.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	renamed.Fields = make([]studycircle.FieldError, len(e.Fields))
	for n, f := range e.Fields {
		renamed.Fields[n] = studycircle.FieldError{Field: name, Message: f.Message}
	}
	return &renamed
}
