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

// ProviderPerson is who an OpenID provider says somebody is. Issuer and Subject
// identify them; everything else may change.
type ProviderPerson struct {
	Issuer, Subject string
	// Email is normalized, and empty where the provider gave none that can be one.
	Email string
	// EmailVerified is what the provider itself claims of the address.
	EmailVerified bool
	// Name and Picture are the provider's own words, not yet clean.
	Name, Picture string
}

// ProviderLink joins somebody at an OpenID provider to a user.
type ProviderLink struct {
	Issuer, Subject string
	UserID          string
	Provider        string // the provider's id here when it was last used
	Email           string // as the provider last said; may be empty
	LinkedAt        time.Time
}

// Passkey is a WebAuthn credential of a user.
type Passkey struct {
	ID           string
	UserID       string
	CredentialID string // the authenticator's, unpadded base64url
	Name         string
	// Credential is the record that checks signatures, as package identity writes it.
	Credential string
	CreatedAt  time.Time
	LastUsedAt time.Time // zero until it has let somebody in
}

// CleanPasskeyName trims and checks the name of a passkey; CodeInvalid.
func CleanPasskeyName(s string) (string, error) {
	var p problems
	s = p.text("name", "The name", s, 1, MaxPasskeyName, singleLine)
	return s, p.err(CodeInvalid)
}

// Profile is what a newcomer starts with: the provider's name and picture as far
// as they keep the rules, or what stands before the @ and no picture.
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

// oneLine makes of s the nearest text that a single-line field of n characters takes.
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

// WaysToSignIn are what an account can be entered by.
type WaysToSignIn struct {
	Password bool
	// Providers counts the links to providers that are configured: others let nobody in.
	Providers int
	Passkeys  int
}

// MayRemove is CodeLastSignInMethod where nothing would be left. taken is what
// would go.
func (w WaysToSignIn) MayRemove(taken WaysToSignIn) error {
	if (w.Password && !taken.Password) || w.Providers > taken.Providers || w.Passkeys > taken.Passkeys {
		return nil
	}
	return Errorf(CodeLastSignInMethod, "This is the last way to log in to your account. Add another one first.")
}

// KnownAccount is the account that has the address which a provider gave for
// somebody, with what it can be entered by; empty where there is none.
type KnownAccount struct {
	Account
	Links    []ProviderLink
	Passkeys int
}

// Entrance is how somebody whom a provider vouches for gets in.
type Entrance int

// The entrances. The zero value is none.
const (
	_           Entrance = iota
	EnterLinked          // they are linked to an account
	EnterNew             // they get a new account
	EnterJoin            // they are linked to the account with their address
	EnterClaim           // the same, and the address is verified by that
	EnterAsk             // somebody else may have opened that account: they are asked
)

// MayEnter decides how somebody gets in whom no link was found for. CodeNoEmail,
// CodeAccountExists, CodeUserDisabled.
func MayEnter(p ProviderPerson, known KnownAccount) (Entrance, error) {
	for _, l := range known.Links {
		if l.Issuer == p.Issuer && l.Subject == p.Subject {
			return EnterLinked, nil // by themselves, a moment ago
		}
	}
	switch {
	case p.Email == "":
		return 0, Errorf(CodeNoEmail, "The provider did not say an email address, which an account needs.")
	case known.ID == "":
		return EnterNew, nil
	case known.Email != p.Email || !p.EmailVerified:
		return 0, errAccountExists
	case !known.SuspendedAt.IsZero():
		return 0, Errorf(CodeUserDisabled, "This account is suspended.")
	case known.EmailVerifiedAt.IsZero():
		// Nobody has shown the address to be theirs. An account that was imported has
		// never had anything to enter it by, so nobody else was in it.
		if known.PasswordHash == "" && len(known.Links) == 0 && known.Passkeys == 0 && known.ContestedAt.IsZero() {
			return EnterClaim, nil
		}
		return EnterAsk, nil
	}
	for _, l := range known.Links {
		if l.Issuer == p.Issuer {
			// An address may pass to somebody else; a subject never does.
			return 0, errAccountExists
		}
	}
	return EnterJoin, nil
}

var errAccountExists = Errorf(CodeAccountExists,
	"An account with this email address exists already. Log in the way you did before; then you can link this one in your profile.")
