package identity

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"studycircle"
	"studycircle/internal/store"
)

// CeremonyLifetime is how long a browser may take to create or use a passkey.
const CeremonyLifetime = 5 * time.Minute

// Purposes of tickets: one for creating a passkey is not valid for using one.
const (
	makeTicket  = "passkey-make"
	enterTicket = "passkey-enter"
)

var (
	errNoPasskeys = studycircle.Errorf(
		studycircle.CodePasskeyUnavailable,
		"Passkeys need an address with a host name, but the address of this server is a number.",
	)
	errPasskey  = studycircle.Errorf(studycircle.CodeInvalidCredential, "This passkey was not accepted.")
	errCeremony = studycircle.Errorf(
		studycircle.CodeInvalidActionCode, "This took too long, or was already done. Please start again.",
	)
	errNewPasskey = &studycircle.Error{
		Code: studycircle.CodeInvalid, Message: "This passkey was not accepted.",
		Fields: []studycircle.FieldError{{Field: "credential", Message: "This answer does not match the request."}},
	}
)

// newWebAuthn returns nil if the public address cannot have passkeys, which browsers bind
// to host names.
func newWebAuthn(c Config) *webauthn.WebAuthn {
	if c.PublicURL == nil {
		return nil
	}
	host := c.PublicURL.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	w, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: c.Brand, RPOrigins: []string{c.PublicURL.Scheme + "://" + c.PublicURL.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: new(true), ResidentKey: protocol.ResidentKeyRequirementRequired,
			// A passkey is the only factor, so the authenticator must verify the user.
			UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		slog.Warn("no passkeys: they need a host name in the public address", "host", host, "error", err)
		return nil
	}
	return w
}

// PasskeysAvailable reports whether the public address can have passkeys.
func (i *Identity) PasskeysAvailable() bool { return i.webauthn != nil }

// holder implements the library's user. The handle is the account's id, which reveals
// nothing about the user.
type holder struct {
	user        studycircle.User
	credentials []webauthn.Credential
}

// WebAuthnID implements webauthn.User.
func (h holder) WebAuthnID() []byte { return []byte(h.user.ID) }

// WebAuthnName implements webauthn.User.
func (h holder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName implements webauthn.User.
func (h holder) WebAuthnDisplayName() string { return h.user.DisplayName }

// WebAuthnCredentials implements webauthn.User.
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

func holderOf(u studycircle.User, passkeys ...studycircle.Passkey) (holder, error) {
	h := holder{user: u}
	for _, k := range passkeys {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(k.Credential), &c); err != nil {
			return h, fmt.Errorf("read a stored passkey: %w", err)
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// Ceremony is what a browser needs to create or use a passkey: a ticket to return, and
// options for its API.
type Ceremony struct {
	Ticket  string
	Options any
}

// NewPasskey begins the creation of a passkey for viewer. CodePasskeyUnavailable,
// CodeTooManyPasskeys.
func (i *Identity) NewPasskey(ctx context.Context, viewer studycircle.Session) (Ceremony, error) {
	if i.webauthn == nil {
		return Ceremony{}, errNoPasskeys
	}
	passkeys, err := i.store.PasskeysOf(ctx, viewer.User.ID)
	if err != nil {
		return Ceremony{}, err
	}
	if err := roomFor(passkeys); err != nil {
		return Ceremony{}, err
	}
	h, err := holderOf(viewer.User, passkeys...)
	if err != nil {
		return Ceremony{}, err
	}
	creation, session, err := i.webauthn.BeginRegistration(h,
		webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()))
	if err != nil {
		return Ceremony{}, fmt.Errorf("begin a passkey: %w", err)
	}
	ticket, err := i.seal(makeTicket, CeremonyLifetime, session)
	return Ceremony{ticket, creation.Response}, err
}

func roomFor(passkeys []studycircle.Passkey) error {
	if len(passkeys) < studycircle.MaxPasskeys {
		return nil
	}
	return studycircle.Errorf(
		studycircle.CodeTooManyPasskeys, "You have %d passkeys, the most that an account can have. Remove one first.",
		len(passkeys),
	)
}

// AddPasskey stores the passkey that viewer's browser created. CodeInvalid,
// CodeInvalidActionCode, CodePasskeyUnavailable, CodeTooManyPasskeys.
func (i *Identity) AddPasskey(
	ctx context.Context, viewer studycircle.Session, ticket, name string, credential []byte,
) (studycircle.Passkey, error) {
	if i.webauthn == nil {
		return studycircle.Passkey{}, errNoPasskeys
	}
	name, err := studycircle.CleanPasskeyName(name)
	if err != nil {
		return studycircle.Passkey{}, err
	}
	var session webauthn.SessionData
	t, ok := i.open(makeTicket, ticket, &session)
	if !ok || string(session.UserID) != viewer.User.ID {
		return studycircle.Passkey{}, errCeremony
	}
	if err := i.unused(ctx, errCeremony, t); err != nil {
		return studycircle.Passkey{}, err
	}
	k, err := i.made(viewer.User, session, credential)
	if err != nil {
		return k, err
	}
	k.Name = name
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := use(ctx, tx, errCeremony, t); err != nil {
			return err
		}
		if _, err := i.lockFor(ctx, tx, viewer.User.ID, viewer.ID); err != nil {
			return err
		}
		passkeys, err := tx.PasskeysOf(ctx, viewer.User.ID)
		if err != nil {
			return err
		}
		if err := roomFor(passkeys); err != nil {
			return err
		}
		return tx.InsertPasskey(ctx, k)
	})
	if studycircle.CodeOf(err) == studycircle.CodeAlreadyLinked {
		err = errNewPasskey // the credential is known: an authenticator's own are excluded
	}
	return k, err
}

// made verifies a new credential.
func (i *Identity) made(
	user studycircle.User, session webauthn.SessionData, credential []byte,
) (studycircle.Passkey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return studycircle.Passkey{}, errNewPasskey
	}
	c, err := i.webauthn.CreateCredential(holder{user: user}, session, parsed)
	if err != nil {
		return studycircle.Passkey{}, errNewPasskey
	}
	record, err := json.Marshal(c)
	now := i.clock()
	return studycircle.Passkey{
		ID: studycircle.NewID(now), UserID: user.ID, CredentialID: credentialID(c.ID), Credential: string(record),
		CreatedAt: now,
	}, err
}

func credentialID(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// AskPasskey begins a sign-in with any user's passkey. CodePasskeyUnavailable.
func (i *Identity) AskPasskey() (Ceremony, error) {
	if i.webauthn == nil {
		return Ceremony{}, errNoPasskeys
	}
	assertion, session, err := i.webauthn.BeginDiscoverableLogin()
	if err != nil {
		return Ceremony{}, fmt.Errorf("begin a sign-in with a passkey: %w", err)
	}
	ticket, err := i.seal(enterTicket, CeremonyLifetime, session)
	return Ceremony{ticket, assertion.Response}, err
}

// LoginByPasskey signs a browser in. CodeInvalidCredential for any invalid answer,
// CodeRateLimited, CodePasskeyUnavailable.
func (i *Identity) LoginByPasskey(ctx context.Context, ticket string, credential []byte, v Visit) (Grant, error) {
	if i.webauthn == nil {
		return Grant{}, errNoPasskeys
	}
	if err := i.checkAddress(v); err != nil {
		return Grant{}, err
	}
	g, err := i.loginByPasskey(ctx, ticket, credential, v)
	if studycircle.CodeOf(err) == studycircle.CodeInvalidCredential {
		return Grant{}, i.failedAt(err, v)
	}
	return g, err
}

func (i *Identity) loginByPasskey(ctx context.Context, ticket string, credential []byte, v Visit) (Grant, error) {
	var session webauthn.SessionData
	t, ok := i.open(enterTicket, ticket, &session)
	if !ok {
		return Grant{}, errPasskey
	}
	if err := i.unused(ctx, errPasskey, t); err != nil {
		return Grant{}, err
	}
	passkey, err := i.shown(ctx, session, credential)
	if err != nil {
		return Grant{}, err
	}
	g, err := i.signIn(ctx, v, func(ctx context.Context, tx *store.Tx) (studycircle.User, error) {
		if err := use(ctx, tx, errPasskey, t); err != nil {
			return studycircle.User{}, err
		}
		account, err := tx.LockAccount(ctx, passkey.UserID)
		if err == nil && !account.SuspendedAt.IsZero() {
			err = errPasskey
		}
		if err != nil {
			return account.User, err
		}
		return account.User, tx.UsePasskey(ctx, passkey.ID, passkey.Credential, i.clock())
	})
	if isNotFound(err) {
		err = errPasskey // deleted or removed concurrently
	}
	return g, err
}

// shown verifies the browser's answer and returns the passkey with its new state.
func (i *Identity) shown(
	ctx context.Context, session webauthn.SessionData, credential []byte,
) (passkey studycircle.Passkey, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(credential)
	if err != nil {
		return passkey, errPasskey
	}
	passkey, err = i.store.PasskeyByCredential(ctx, credentialID(parsed.RawID))
	if isNotFound(err) {
		return passkey, errPasskey
	}
	if err != nil {
		return passkey, err
	}
	h, err := holderOf(studycircle.User{ID: passkey.UserID}, passkey)
	if err != nil {
		return passkey, err
	}
	c, err := i.webauthn.ValidateDiscoverableLogin(
		func(_, _ []byte) (webauthn.User, error) { return h, nil }, session, parsed,
	)
	if err != nil || c.Authenticator.CloneWarning {
		return passkey, errPasskey
	}
	record, err := json.Marshal(c)
	passkey.Credential = string(record)
	return passkey, err
}

// RenamePasskey renames one of viewer's passkeys. CodeInvalid, ErrNotFound.
func (i *Identity) RenamePasskey(
	ctx context.Context, viewer studycircle.Session, id, name string,
) (k studycircle.Passkey, err error) {
	if name, err = studycircle.CleanPasskeyName(name); err != nil {
		return k, err
	}
	if !studycircle.ValidID(id) {
		return k, studycircle.ErrNotFound
	}
	err = i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		k, err = tx.RenamePasskey(ctx, viewer.User.ID, id, name)
		return err
	})
	return k, err
}

// RemovePasskey removes one of viewer's passkeys. ErrNotFound, CodeLastSignInMethod.
func (i *Identity) RemovePasskey(ctx context.Context, viewer studycircle.Session, id string) error {
	if !studycircle.ValidID(id) {
		return studycircle.ErrNotFound
	}
	return i.remove(ctx, viewer, func(ctx context.Context, tx *store.Tx) (studycircle.WaysToSignIn, error) {
		return studycircle.WaysToSignIn{Passkeys: 1}, tx.DeletePasskey(ctx, viewer.User.ID, id)
	})
}
