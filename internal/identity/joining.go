package identity

import (
	"context"
	"errors"

	"studycircle"
	"studycircle/internal/openid"
	"studycircle/internal/store"
)

// maxEntries bounds how often a provider sign-in is retried after a concurrent one of the
// same user: of several first sign-ins, one opens the account and the others find it.
const maxEntries = 3

// entrance is what decide found for a user whom a provider vouches for.
type entrance struct {
	studycircle.Entrance
	account studycircle.Account // zero for a new user
}

// decide applies the rules. It only reads: it runs before the write, and again within its
// transaction.
func (i *Identity) decide(
	ctx context.Context, r credentialReader, person studycircle.ProviderPerson,
) (entrance, error) {
	link, err := r.ProviderLink(ctx, person.Issuer, person.Subject)
	if err == nil {
		return entrance{studycircle.EnterLinked, studycircle.Account{User: studycircle.User{ID: link.UserID}}}, nil
	}
	if !isNotFound(err) {
		return entrance{}, err
	}
	known := studycircle.KnownAccount{}
	if person.Email != "" {
		known.Account, err = r.AccountByEmail(ctx, person.Email)
		if err != nil && !isNotFound(err) {
			return entrance{}, err
		}
	}
	if known.ID != "" {
		if known.Links, err = r.ProviderLinksOf(ctx, known.ID); err != nil {
			return entrance{}, err
		}
		passkeys, err := r.PasskeysOf(ctx, known.ID)
		if err != nil {
			return entrance{}, err
		}
		known.Passkeys = len(passkeys)
	}
	e, err := studycircle.EntranceOf(person, known)
	return entrance{e, known.Account}, err
}

// enter signs in a user whom a provider vouches for, or asks them whether the existing
// account is theirs.
func (i *Identity) enter(
	ctx context.Context, o Outcome, p *openid.Provider, person studycircle.ProviderPerson, by invitationHash,
	t opened, v Visit,
) (Outcome, error) {
	e, err := i.decide(ctx, i.store, person)
	if err != nil {
		return o, err
	}
	if e.Entrance == studycircle.EnterNew {
		if err := i.mayOpen(ctx, by, person.Email, v); err != nil {
			return o, err
		}
	}
	for range maxEntries {
		o, err = i.enterOnce(ctx, o, p, person, by, t, v)
		if !errors.Is(err, errConcurrentSignIn) && studycircle.CodeOf(err) != studycircle.CodeEmailInUse &&
			studycircle.CodeOf(err) != studycircle.CodeAlreadyLinked {
			return o, err
		}
	}
	return o, errState // the account keeps changing concurrently
}

// errConcurrentSignIn reports that the account changed between decide and its
// transaction.
var errConcurrentSignIn = errors.New("the account was changed by another sign-in at the same time")

// errConfirm aborts the transaction of a sign-in that needs a confirmation first.
var errConfirm = errors.New("the account needs a confirmation")

func (i *Identity) enterOnce(
	ctx context.Context, o Outcome, p *openid.Provider, person studycircle.ProviderPerson, by invitationHash,
	t opened, v Visit,
) (Outcome, error) {
	var contested studycircle.Account
	g, err := i.signIn(ctx, v, func(ctx context.Context, tx *store.Tx) (studycircle.User, error) {
		if err := use(ctx, tx, errState, t); err != nil {
			return studycircle.User{}, err
		}
		e, err := i.locked(ctx, tx, person)
		if err != nil {
			return studycircle.User{}, err
		}
		link := studycircle.ProviderLink{
			Issuer: person.Issuer, Subject: person.Subject, UserID: e.account.ID, Provider: p.ID, Email: person.Email,
			LinkedAt: i.clock(),
		}
		switch e.Entrance {
		case studycircle.EnterLinked:
			return e.account.User, i.greet(ctx, tx, e.account, link, person)
		case studycircle.EnterNew:
			return i.welcome(ctx, tx, link, person, by)
		case studycircle.EnterJoin:
			return e.account.User, tx.InsertProviderLink(ctx, link)
		case studycircle.EnterClaim:
			if err := tx.ClaimAccount(ctx, e.account.ID, i.clock()); err != nil {
				return studycircle.User{}, err
			}
			return e.account.User, tx.InsertProviderLink(ctx, link)
		default:
			contested = e.account
			return studycircle.User{}, errConfirm
		}
	})
	if errors.Is(err, errConfirm) {
		return i.contest(ctx, o, p, person, contested, by, t)
	}
	o.Status, o.Grant = SignedIn, g
	return o, err
}

// locked is decide with its account locked until tx ends.
func (i *Identity) locked(ctx context.Context, tx *store.Tx, person studycircle.ProviderPerson) (entrance, error) {
	e, err := i.decide(ctx, tx, person)
	if err != nil || e.account.ID == "" {
		return e, err
	}
	account, err := tx.LockAccount(ctx, e.account.ID)
	if isNotFound(err) {
		return e, errConcurrentSignIn
	}
	if err != nil {
		return e, err
	}
	if !account.SuspendedAt.IsZero() {
		return e, errDisabled
	}
	again, err := i.decide(ctx, tx, person)
	if err == nil && again.account.ID != account.ID {
		err = errConcurrentSignIn
	}
	again.account = account
	return again, err
}

// greet signs in a user whose provider is linked.
func (i *Identity) greet(
	ctx context.Context, tx *store.Tx, account studycircle.Account, link studycircle.ProviderLink,
	person studycircle.ProviderPerson,
) error {
	if err := tx.UseProviderLink(ctx, link); err != nil {
		return err
	}
	return i.verifyBy(ctx, tx, account, person)
}

// verifyBy marks the account's address as verified because its own provider vouches for
// it.
func (i *Identity) verifyBy(
	ctx context.Context, tx *store.Tx, account studycircle.Account, person studycircle.ProviderPerson,
) error {
	if !person.EmailVerified || person.Email != account.Email || !account.EmailVerifiedAt.IsZero() {
		return nil
	}
	return tx.VerifyEmail(ctx, account.ID, i.clock())
}

// welcome opens an account for a new user. CodeRegistrationClosed.
func (i *Identity) welcome(
	ctx context.Context, tx *store.Tx, link studycircle.ProviderLink, person studycircle.ProviderPerson, by invitationHash,
) (studycircle.User, error) {
	now := i.clock()
	profile := person.Profile()
	user := studycircle.User{
		ID: studycircle.NewID(now), Email: person.Email, DisplayName: profile.DisplayName, PhotoURL: profile.PhotoURL,
		CreatedAt: now,
	}
	if person.EmailVerified {
		user.EmailVerifiedAt = now
	}
	if err := tx.InsertAccount(ctx, studycircle.Account{User: user}); err != nil {
		return user, err
	}
	if err := i.invited(ctx, tx, by, user); err != nil {
		return user, err
	}
	link.UserID = user.ID
	if err := tx.InsertProviderLink(ctx, link); err != nil {
		return user, err
	}
	if person.EmailVerified {
		return user, nil
	}
	return user, tx.QueueMail(ctx, user.ID, verifyCode)
}

// confirmation is the sealed state of a user who is asked whether an account's data is
// theirs.
type confirmation struct {
	Person      studycircle.ProviderPerson
	Provider    string
	UserID      string
	BindingHash string
	By          invitationHash
}

// contest removes every sign-in method of an account that was opened with an unverified
// address, and asks the address's owner whether its data is theirs.
func (i *Identity) contest(
	ctx context.Context, o Outcome, p *openid.Provider, person studycircle.ProviderPerson, account studycircle.Account,
	by invitationHash, t opened,
) (Outcome, error) {
	binding := studycircle.NewSecret()
	ticket, err := i.seal(confirmTicket, ConfirmLifetime, confirmation{person, p.ID, account.ID, hashSecret(binding), by})
	if err != nil {
		return o, err
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := use(ctx, tx, errState, t); err != nil {
			return err
		}
		// The row's lock stops sign-ins that have begun: see LockAccount.
		if err := tx.ContestAccount(ctx, account.ID, i.clock()); err != nil {
			return err
		}
		if err := tx.DeleteCredentials(ctx, account.ID); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, account.ID, ""); err != nil {
			return err
		}
		for _, kind := range []string{resetCode, verifyCode} {
			if err := tx.DeleteMailsOf(ctx, account.ID, kind); err != nil {
				return err
			}
		}
		return tx.DeleteActionCodesOf(ctx, account.ID)
	})
	i.sessions.dropUser(account.ID)
	if isNotFound(err) {
		err = errConcurrentSignIn // verified, suspended or deleted concurrently
	}
	o.Status, o.Ticket, o.Binding = Confirm, ticket, binding
	return o, err
}

var errConfirmation = studycircle.Errorf(
	studycircle.CodeInvalidActionCode, "This took too long, or was already answered. Please sign in again.",
)

// ConfirmProvider answers a Confirm. keep takes the account over with its data; otherwise
// its data stays without an author, as a deleted account's does, and a new account opens.
// binding is the cookie that belongs to the ticket. CodeInvalidActionCode,
// CodeRegistrationClosed.
func (i *Identity) ConfirmProvider(ctx context.Context, ticket, binding string, keep bool, v Visit) (Grant, error) {
	var c confirmation
	t, ok := i.open(confirmTicket, ticket, &c)
	if !ok || hashSecret(binding) != c.BindingHash {
		return Grant{}, errConfirmation
	}
	if err := i.unused(ctx, errConfirmation, t); err != nil {
		return Grant{}, err
	}
	now := i.clock()
	link := studycircle.ProviderLink{
		Issuer: c.Person.Issuer, Subject: c.Person.Subject, UserID: c.UserID, Provider: c.Provider, Email: c.Person.Email,
		LinkedAt: now,
	}
	g, err := i.signIn(ctx, v, func(ctx context.Context, tx *store.Tx) (studycircle.User, error) {
		if err := use(ctx, tx, errConfirmation, t); err != nil {
			return studycircle.User{}, err
		}
		// Not found if another answer, or a reset by email, came first.
		if err := tx.ClaimAccount(ctx, c.UserID, now); err != nil {
			return studycircle.User{}, err
		}
		if !keep {
			if err := tx.DeleteAccount(ctx, c.UserID, now); err != nil {
				return studycircle.User{}, err
			}
			return i.welcome(ctx, tx, link, c.Person, c.By)
		}
		if err := tx.InsertProviderLink(ctx, link); err != nil {
			return studycircle.User{}, err
		}
		return tx.User(ctx, c.UserID)
	})
	i.sessions.dropUser(c.UserID)
	if isNotFound(err) || studycircle.CodeOf(err) == studycircle.CodeAlreadyLinked {
		return Grant{}, errConfirmation
	}
	return g, err
}
