package studycircle

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of passkeys.
const (
	MaxPasskeyName = 100
	MaxPasskeys    = 20 // of one user
)

// ProviderPerson is a user as described by an OpenID provider. Issuer and Subject identify the user; everything else
// may change.
type ProviderPerson struct {
	Issuer, Subject string
	// Email is normalized, and empty if the provider gave no valid address.
	Email string
	// EmailVerified is the provider's claim.
	EmailVerified bool
	// Name and Picture come from the provider, unchecked.
	Name, Picture string
}

// ProviderLink links an account at an OpenID provider to a user.
type ProviderLink struct {
	Issuer, Subject string
	UserID          string
	Provider        string // the provider's id in this configuration at its last use
	Email           string // as last reported by the provider; may be empty
	LinkedAt        time.Time
}

// Passkey is a WebAuthn credential of a user.
type Passkey struct {
	ID           string
	UserID       string
	CredentialID string // the authenticator's, unpadded base64url
	Name         string
	// Credential is the record that verifies signatures, as package identity writes it.
	Credential string
	CreatedAt  time.Time
	LastUsedAt time.Time // zero before the first sign-in
}

// CleanPasskeyName trims and checks the name of a passkey; CodeInvalid.
func CleanPasskeyName(s string) (string, error) {
	var p problems
	s = p.text("name", "The name", s, 1, MaxPasskeyName, singleLine)
	return s, p.err(CodeInvalid)
}

// Profile returns the profile of a new user: the provider's name and picture if they are valid, otherwise the local
// part of the address and no picture.
func (pp ProviderPerson) Profile() Profile {
	local, _, _ := strings.Cut(pp.Email, "@")
	pr := Profile{DisplayName: "User", PhotoURL: pp.Picture}
	for _, name := range []string{pp.Name, local} {
		if name = oneLine(name, MaxName); visible(name) {
			pr.DisplayName = name
			break
		}
	}
	if utf8.RuneCountInString(pr.PhotoURL) > MaxURL || !validLink(pr.PhotoURL) {
		pr.PhotoURL = ""
	}
	return pr
}

// oneLine returns s changed to fit a single-line field of n characters.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	runes := []rune(strings.TrimSpace(s))
	return strings.TrimSpace(string(runes[:min(n, len(runes))]))
}

// WaysToSignIn are the ways to sign in to an account.
type WaysToSignIn struct {
	Password bool
	// Providers counts the links to configured providers; others do not work.
	Providers int
	Passkeys  int
}

// MayRemove is CodeLastSignInMethod if no way would remain. taken are the ways to remove.
func (w WaysToSignIn) MayRemove(taken WaysToSignIn) error {
	if (w.Password && !taken.Password) || w.Providers > taken.Providers || w.Passkeys > taken.Passkeys {
		return nil
	}
	return Errorf(CodeLastSignInMethod, "This is the last way to sign in to your account. Add another one first.")
}

// KnownAccount is the account that has the address given by a provider, with its ways to sign in; empty if there is
// none.
type KnownAccount struct {
	Account
	Links    []ProviderLink
	Passkeys int
}

// Entrance is how a user identified by a provider gets in.
type Entrance int

// The entrances. The zero value is none.
const (
	_           Entrance = iota
	EnterLinked          // the provider's account is linked already
	EnterNew             // a new account
	EnterJoin            // the account with the address is linked
	EnterClaim           // the same, and the address counts as verified
	EnterAsk             // the account may belong to another person: the user is asked
)

// EntranceOf decides how a user without a link gets in. CodeNoEmail, CodeAccountExists, CodeUserDisabled.
func EntranceOf(p ProviderPerson, known KnownAccount) (Entrance, error) {
	for _, l := range known.Links {
		if l.Issuer == p.Issuer && l.Subject == p.Subject {
			return EnterLinked, nil // by another request, a moment ago
		}
	}
	switch {
	case p.Email == "":
		return 0, Errorf(CodeNoEmail, "The provider did not give an email address, which an account needs.")
	case known.ID == "":
		return EnterNew, nil
	case known.Email != p.Email || !p.EmailVerified:
		return 0, errAccountExists
	case !known.SuspendedAt.IsZero():
		return 0, Errorf(CodeUserDisabled, "This account is suspended.")
	case known.EmailVerifiedAt.IsZero():
		// The address was never verified here. An imported account never had a way to sign in, so no other person has
		// used it.
		if known.PasswordHash == "" && len(known.Links) == 0 && known.Passkeys == 0 && known.ContestedAt.IsZero() {
			return EnterClaim, nil
		}
		return EnterAsk, nil
	}
	for _, l := range known.Links {
		if l.Issuer == p.Issuer {
			// An address may pass to another person; a subject never does.
			return 0, errAccountExists
		}
	}
	return EnterJoin, nil
}

var errAccountExists = Errorf(CodeAccountExists,
	"An account with this email address already exists. Sign in the way you did before; then you can link this one in "+
		"your profile.")
