package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Account returns viewer's own account.
func (i *Identity) Account(ctx context.Context, viewer studycircle.Session) (studycircle.Account, error) {
	account, err := i.store.Account(ctx, viewer.User.ID)
	return account, unauthenticatedIfGone(err)
}

// UpdateProfile changes viewer's name and photo. CodeInvalid.
func (i *Identity) UpdateProfile(
	ctx context.Context, viewer studycircle.Session, p studycircle.Profile,
) (Grant, error) {
	p, err := p.Clean()
	if err != nil {
		return Grant{}, err
	}
	var user studycircle.User
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.UpdateProfile(ctx, viewer.User.ID, p); err != nil {
			return err
		}
		user, err = tx.User(ctx, viewer.User.ID)
		return err
	})
	i.sessions.dropUser(viewer.User.ID)
	if err != nil {
		return Grant{}, unauthenticatedIfGone(err)
	}
	return i.grant(viewer.ID, user), nil
}

// DeleteAccount deletes viewer's account with its sessions, codes, unsent emails and
// personal data.
func (i *Identity) DeleteAccount(ctx context.Context, viewer studycircle.Session) error {
	err := i.write(store.ManyRows(ctx), func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteAccount(ctx, viewer.User.ID, i.clock())
	})
	i.sessions.dropUser(viewer.User.ID)
	return unauthenticatedIfGone(err)
}

// ChangePassword gives viewer a new password and ends all of their other
// sessions. CodeWeakPassword, CodeInvalidCredential for a wrong current one,
// CodeRateLimited.
func (i *Identity) ChangePassword(
	ctx context.Context, viewer studycircle.Session, current, next string, v Visit,
) error {
	if err := studycircle.CheckPassword(next); err != nil {
		return inField(err, "newPassword")
	}
	account, hash, err := i.proved(ctx, viewer, current, v)
	if err != nil {
		return err
	}
	if hash, err = i.hasher.hash(ctx, next); err != nil {
		return err
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ReplacePasswordHash(ctx, account.ID, account.PasswordHash, hash); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, account.ID, viewer.ID); err != nil {
			return err
		}
		return tx.DeleteActionCodesOf(ctx, account.ID)
	})
	i.sessions.dropUser(account.ID)
	if isNotFound(err) {
		err = errCredential // changed concurrently
	}
	return wrongCurrent(err)
}

// proved returns viewer's account, once they have proved its password, and the hash that it should have.
// CodeInvalidCredential, CodeRateLimited.
func (i *Identity) proved(
	ctx context.Context, viewer studycircle.Session, password string, v Visit,
) (account studycircle.Account, hash string, err error) {
	if account, err = i.Account(ctx, viewer); err != nil {
		return account, "", err
	}
	// A signed-in user has their own count, like a known browser.
	try := i.attempt(account.Email, "session", v)
	if err := try.check(ctx, i.store.LimitWait); err != nil {
		return account, "", err
	}
	if hash, err = i.verified(ctx, account, password); err == nil && hash == "" {
		err = wrongCurrent(try.failed(ctx))
	}
	return account, hash, err
}

// wrongCurrent rewords errCredential for a form without an email address.
func wrongCurrent(err error) error {
	if studycircle.CodeOf(err) == studycircle.CodeInvalidCredential {
		return studycircle.Errorf(studycircle.CodeInvalidCredential, "The current password is incorrect.")
	}
	return err
}
