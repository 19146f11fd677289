package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/openid"
	"studycircle/internal/store"
)

// link links the provider's user to the account that asked for it.
func (i *Identity) link(
	ctx context.Context, p *openid.Provider, person studycircle.ProviderPerson, l linking, t opened,
) error {
	if _, err := i.mayLink(ctx, i.store, p, person, l.UserID); err != nil {
		return err
	}
	err := i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := use(ctx, tx, errState, t, opened{l.TicketHash, l.TicketExpires}); err != nil {
			return err
		}
		account, err := i.lockFor(ctx, tx, l.UserID, l.SessionID)
		if err != nil {
			return err
		}
		known, err := i.mayLink(ctx, tx, p, person, account.ID)
		if err != nil {
			return err
		}
		link := studycircle.ProviderLink{
			Issuer: person.Issuer, Subject: person.Subject, UserID: account.ID, Provider: p.ID, Email: person.Email,
			LinkedAt: i.clock(),
		}
		if known {
			return i.greet(ctx, tx, account, link, person)
		}
		if err := tx.InsertProviderLink(ctx, link); err != nil {
			return err
		}
		return i.verifyBy(ctx, tx, account, person)
	})
	i.sessions.dropUser(l.UserID)
	if isNotFound(err) || studycircle.CodeOf(err) == studycircle.CodeUnauthenticated {
		return errState // signed out or deleted concurrently
	}
	return err
}

// mayLink reports whether this link exists already. CodeAlreadyLinked.
func (i *Identity) mayLink(
	ctx context.Context, r credentialReader, p *openid.Provider, person studycircle.ProviderPerson, userID string,
) (known bool, err error) {
	link, err := r.ProviderLink(ctx, person.Issuer, person.Subject)
	switch {
	case err == nil && link.UserID == userID:
		return true, nil
	case err == nil:
		return false, studycircle.Errorf(
			studycircle.CodeAlreadyLinked, "This %s account is linked to another account here.", p.Label,
		)
	case !isNotFound(err):
		return false, err
	}
	links, err := r.ProviderLinksOf(ctx, userID)
	for _, l := range links {
		if l.Issuer == person.Issuer {
			return false, studycircle.Errorf(
				studycircle.CodeAlreadyLinked, "Your account is linked to another %s account. Remove that one first.", p.Label,
			)
		}
	}
	return false, err
}

// lockFor locks the account of a session that is still open. The cache may accept an
// ended session for some seconds (see sessionCache), long enough for a thief to add a
// sign-in method. CodeUnauthenticated.
func (i *Identity) lockFor(ctx context.Context, tx *store.Tx, userID, sessionID string) (studycircle.Account, error) {
	account, err := tx.LockAccount(ctx, userID)
	if err != nil {
		return account, unauthenticatedIfGone(err)
	}
	open, err := tx.HasSession(ctx, userID, sessionID)
	if err == nil && (!open || !account.SuspendedAt.IsZero()) {
		err = errToken
	}
	return account, err
}

// LinkedProvider is a provider that a user can sign in with while it is configured.
type LinkedProvider struct {
	ID, Label string
	Link      studycircle.ProviderLink
}

// Methods are a user's sign-in methods.
type Methods struct {
	Account   studycircle.Account
	Providers []LinkedProvider
	Passkeys  []studycircle.Passkey
}

// Methods returns viewer's sign-in methods.
func (i *Identity) Methods(ctx context.Context, viewer studycircle.Session) (Methods, error) {
	account, err := i.Account(ctx, viewer)
	if err != nil {
		return Methods{}, err
	}
	links, err := i.store.ProviderLinksOf(ctx, account.ID)
	if err != nil {
		return Methods{}, err
	}
	m := Methods{Account: account, Providers: make([]LinkedProvider, len(links))}
	for n, l := range links {
		m.Providers[n] = i.named(l)
	}
	m.Passkeys, err = i.store.PasskeysOf(ctx, account.ID)
	return m, err
}

// named returns a link with its provider's present id.
func (i *Identity) named(l studycircle.ProviderLink) LinkedProvider {
	if p := i.providerOf(l.Issuer); p != nil {
		return LinkedProvider{p.ID, p.Label, l}
	}
	return LinkedProvider{l.Provider, l.Provider, l}
}

// UnlinkProvider removes a provider from viewer's sign-in methods. ErrNotFound,
// CodeLastSignInMethod.
func (i *Identity) UnlinkProvider(ctx context.Context, viewer studycircle.Session, id string) error {
	return i.remove(ctx, viewer, func(ctx context.Context, tx *store.Tx) (studycircle.WaysToSignIn, error) {
		links, err := tx.ProviderLinksOf(ctx, viewer.User.ID)
		if err != nil {
			return studycircle.WaysToSignIn{}, err
		}
		taken := studycircle.WaysToSignIn{}
		err = studycircle.ErrNotFound
		// More than one if the settings gave the id to another issuer.
		for _, l := range links {
			if i.named(l).ID != id {
				continue
			}
			if err = tx.DeleteProviderLink(ctx, l.Issuer, l.Subject); err != nil {
				return taken, err
			}
			if i.providerOf(l.Issuer) != nil {
				taken.Providers++
			}
		}
		return taken, err
	})
}

// remove removes sign-in methods by f, which returns what they were. It locks the
// account, so that concurrent removals cannot remove the last one.
func (i *Identity) remove(
	ctx context.Context, viewer studycircle.Session, f func(context.Context, *store.Tx) (studycircle.WaysToSignIn, error),
) error {
	return i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		account, err := i.lockFor(ctx, tx, viewer.User.ID, viewer.ID)
		if err != nil {
			return err
		}
		before, err := i.ways(ctx, tx, account)
		if err != nil {
			return err
		}
		taken, err := f(ctx, tx)
		if err != nil {
			return err
		}
		return before.MayRemove(taken)
	})
}
