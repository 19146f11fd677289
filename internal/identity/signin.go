package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Register opens an account, signs its browser in and queues the email that verifies the
// address. invitation is a secret, or empty. CodeInvalid, CodeWeakPassword,
// CodeRegistrationClosed, CodeRateLimited, CodeEmailInUse.
func (i *Identity) Register(
	ctx context.Context, r studycircle.Registration, invitation string, v Visit,
) (Grant, error) {
	r, err := r.Clean()
	if err != nil {
		return Grant{}, err
	}
	now, by := i.clock(), invitedBy(invitation)
	if err := i.mayOpen(ctx, by, r.Email, v); err != nil {
		return Grant{}, err
	}
	hash, err := i.hasher.hash(ctx, r.Password)
	if err != nil {
		return Grant{}, err
	}
	user := studycircle.User{
		ID: studycircle.NewID(now), Email: r.Email, DisplayName: r.Name, PhotoURL: r.PhotoURL, CreatedAt: now,
	}
	return i.signIn(ctx, v, func(ctx context.Context, tx *store.Tx) (studycircle.User, error) {
		if err := tx.InsertAccount(ctx, studycircle.Account{User: user, PasswordHash: hash}); err != nil {
			return user, err
		}
		if err := i.invited(ctx, tx, by, user); err != nil {
			return user, err
		}
		return user, tx.QueueMail(ctx, user.ID, verifyCode)
	})
}

// errCredential is the same for an unknown address and a wrong password.
var errCredential = studycircle.Errorf(
	studycircle.CodeInvalidCredential, "Incorrect email or password.",
)

// Login signs a browser in. CodeInvalidCredential, in the same time for an
// unknown address and a wrong password; CodeRateLimited.
func (i *Identity) Login(ctx context.Context, email, password string, v Visit) (Grant, error) {
	email = studycircle.NormalizeEmail(studycircle.Trim(email))
	account, err := i.account(ctx, email)
	if err != nil {
		return Grant{}, err
	}
	try := i.attempt(email, i.knownDevice(v.Device, account.ID), v)
	if err := try.check(ctx, i.store.LimitWait); err != nil {
		return Grant{}, err
	}
	hash, err := i.verified(ctx, account, password)
	if err != nil {
		return Grant{}, err
	}
	if hash == "" {
		return Grant{}, try.failed(ctx)
	}
	g, err := i.signIn(ctx, v, func(ctx context.Context, tx *store.Tx) (studycircle.User, error) {
		if err := try.check(ctx, tx.LimitWait); err != nil {
			return account.User, err
		}
		return account.User, tx.ReplacePasswordHash(ctx, account.ID, account.PasswordHash, hash)
	})
	if isNotFound(err) {
		return Grant{}, errCredential // deleted, suspended, or its password changed concurrently
	}
	return g, err
}

// account returns the account of an address, or an empty one.
func (i *Identity) account(ctx context.Context, email string) (studycircle.Account, error) {
	account, err := i.store.AccountByEmail(ctx, email)
	if isNotFound(err) {
		return studycircle.Account{}, nil
	}
	return account, err
}

// verified returns the hash that account should have with the present parameters if
// password is right, and "" otherwise. errDisabled is returned only for the right
// password, so that it reveals nothing to others.
func (i *Identity) verified(ctx context.Context, account studycircle.Account, password string) (string, error) {
	matches, outdated, err := i.hasher.check(ctx, password, account.PasswordHash)
	if err != nil || !matches {
		return "", err
	}
	if !account.SuspendedAt.IsZero() {
		return "", errDisabled
	}
	if outdated {
		return i.hasher.hash(ctx, password)
	}
	return account.PasswordHash, nil
}

// signIn opens a session for the user that first returns, in one transaction, and ends
// the browser's previous session, of any user. Every sign-in ends here.
func (i *Identity) signIn(
	ctx context.Context, v Visit, first func(context.Context, *store.Tx) (studycircle.User, error),
) (Grant, error) {
	secret := studycircle.NewSecret()
	now := i.clock()
	session := store.NewSession{
		ID: studycircle.NewID(now), SecretHash: hashSecret(secret),
		UserAgent: clip(v.UserAgent, 300), CreatedAt: now, ExpiresAt: now.Add(SessionLifetime),
	}
	var user studycircle.User
	var ended string
	err := i.write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if user, err = first(ctx, tx); err != nil {
			return err
		}
		if v.Secret != "" {
			if ended, err = tx.DeleteSessionBySecret(ctx, hashSecret(v.Secret)); err != nil {
				return err
			}
		}
		session.UserID = user.ID
		if err := tx.InsertSession(ctx, session); err != nil {
			return err
		}
		return tx.JoinOnceVerified(ctx, user.ID, i.EnrolDomains, now)
	})
	if err != nil {
		return Grant{}, err
	}
	i.sessions.drop(ended)
	g := i.grant(session.ID, user)
	g.Secret, g.Device = secret, i.withDevice(v.Device, user.ID, i.knownDevice(v.Device, user.ID))
	return g, nil
}
