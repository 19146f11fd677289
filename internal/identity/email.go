package identity

import (
	"context"
	"fmt"
	"net/url"

	"studycircle"
	"studycircle/internal/mail"
	"studycircle/internal/store"
)

// ChangeEmail queues an email to the address that viewer wants, with the code by which VerifyEmail changes it. Neither
// the answer nor its time depends on whether another account has the address. CodeInvalid, CodeInvalidCredential for a
// wrong password, CodeRateLimited.
func (i *Identity) ChangeEmail(
	ctx context.Context, viewer studycircle.Session, email, password string, v Visit,
) error {
	email, err := studycircle.CleanEmail(email)
	if err != nil {
		return err
	}
	account, hash, err := i.proved(ctx, viewer, password, v)
	if err != nil {
		return err
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := i.clock()
		if i.Limits {
			// Of the account, and of the address, to which many accounts could have emails sent.
			if err := tx.Spend(ctx, changeMails, account.ID, now); err != nil {
				return err
			}
			if err := tx.Spend(ctx, changeMailsTo, i.subject(email), now); err != nil {
				return err
			}
		}
		// It locks the account: a reset that comes before it has changed the hash, one that comes after it forgets the code.
		if err := tx.ReplacePasswordHash(ctx, account.ID, account.PasswordHash, hash); err != nil {
			return err
		}
		return tx.AskEmailChange(ctx, account.ID, email, now.Add(VerifyLifetime))
	})
	if isNotFound(err) {
		err = errCredential // changed concurrently
	}
	return wrongCurrent(err)
}

// confirmEmail gives viewer, who holds the code of an email to it, the address that they asked for. Codes sent to the
// previous address end. CodeInvalidActionCode, CodeEmailInUse, and
// CodeUserDisabled if viewer is suspended.
func (i *Identity) confirmEmail(ctx context.Context, viewer studycircle.Session, code string) error {
	asked, err := i.store.EmailChange(ctx, false, hashSecret(code), i.clock())
	if err != nil {
		return codeIfGone(err)
	}
	if asked.UserID != viewer.User.ID {
		return errOthersCode
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := i.clock()
		// Before the code, as in ResetPassword.
		account, err := tx.LockAccount(ctx, asked.UserID)
		if err != nil {
			return err
		}
		if !account.SuspendedAt.IsZero() {
			return errDisabled
		}
		change, err := tx.UseEmailChange(ctx, false, hashSecret(code), now)
		if err != nil {
			return err
		}
		if change.Email == account.Email {
			err = tx.VerifyEmail(ctx, account.ID, now)
		} else {
			err = tx.ChangeEmail(ctx, account, change.Email, now, now.Add(UndoLifetime))
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteActionCodesOf(ctx, account.ID); err != nil {
			return err
		}
		return tx.JoinOnceVerified(ctx, account.ID, i.EnrolDomains, now)
	})
	if err != nil {
		return codeIfGone(err)
	}
	i.sessions.dropUser(asked.UserID)
	return nil
}

// UndoEmail gives an account the address back whose owner holds the code of the email to it, and ends all of the
// account's sessions. Later changes can no longer be undone, or confirmed. CodeInvalidActionCode, CodeEmailInUse.
func (i *Identity) UndoEmail(ctx context.Context, code string) error {
	undo, err := i.store.EmailChange(ctx, true, hashSecret(code), i.clock())
	if err != nil {
		return codeIfGone(err)
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Before the code, as in ResetPassword.
		if _, err := tx.LockAccount(ctx, undo.UserID); err != nil {
			return err
		}
		change, err := tx.UseEmailChange(ctx, true, hashSecret(code), i.clock())
		if err != nil {
			return err
		}
		if err := tx.UndoEmailChange(ctx, change); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, change.UserID, ""); err != nil {
			return err
		}
		return tx.DeleteActionCodesOf(ctx, change.UserID)
	})
	if err != nil {
		return codeIfGone(err)
	}
	i.sessions.dropUser(undo.UserID)
	return nil
}

// WriteAddressMail composes the email about a change of address when it is sent, as WriteMail does others. The message
// is empty, and not to be sent, if the change is over, or if it waits and the account is suspended.
func (i *Identity) WriteAddressMail(ctx context.Context, no int64) (m mail.Message, err error) {
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		m = mail.Message{}
		code := studycircle.NewSecret()
		change, err := tx.ComposeEmailChange(ctx, no, hashSecret(code), i.clock())
		if isNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		user, err := tx.User(ctx, change.UserID)
		if err != nil {
			return err
		}
		switch {
		case change.Undoes:
			m = i.composeUndo(change.Email, i.address("/auth/undo", code))
		case user.SuspendedAt.IsZero():
			m = i.composeChange(change.Email, i.address("/auth/verify", code))
		}
		return nil
	})
	return m, err
}

// address returns that of a page that uses a code.
func (i *Identity) address(path, code string) string {
	u := i.PublicURL.JoinPath(path)
	u.RawQuery = url.Values{"token": {code}}.Encode()
	return u.String()
}

// composeChange names neither the user nor the previous address, for the reason that compose gives.
func (i *Identity) composeChange(to, link string) mail.Message {
	return mail.Message{
		To: to, Subject: "Is this your new email address?",
		Text: fmt.Sprintf(`Hello,

a user of %[1]s wants this to be the email address of their account. If it
was you, please confirm it. You sign in with it from then on:

%[2]s

The link works once and for two days. If it was not you, you need not do
anything.

%[1]s
`, i.Brand, link),
	}
}

// composeUndo does not name the new address: the owner of this one may be another person.
func (i *Identity) composeUndo(to, link string) mail.Message {
	return mail.Message{
		To: to, Subject: "Your account has another email address",
		Text: fmt.Sprintf(`Hello,

your account at %[1]s has another email address now. You no longer sign in
with this one. If it was you, you need not do anything.

If it was not you, undo it. Your account has this address again, and is signed
out everywhere. Then choose a new password:

%[2]s

The link works once and for seven days.

%[1]s
`, i.Brand, link),
	}
}
