package studycircle

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The creator of an assignment whose account is gone, as shown.
const (
	NobodyEmail = "unknown"
	NobodyName  = "Anonymous"
)

// Bounds of a user's fields.
const (
	MaxName          = 100
	MaxEmail         = 254 // RFC 5321, section 4.5.3.1.3, less the angle brackets
	MinPassword      = 6
	MaxPasswordBytes = 1024
)

// User is a person with an account.
type User struct {
	ID          string
	Email       string // lower case, unique
	DisplayName string
	PhotoURL    string // may be empty
	CreatedAt   time.Time
	// EmailVerifiedAt is zero until the user has verified the address.
	EmailVerifiedAt time.Time
	// SuspendedAt is zero unless the account is suspended.
	SuspendedAt time.Time
	// ModeratorSince is when the operator appointed the user a moderator; zero otherwise.
	ModeratorSince time.Time
}

// Registration is the input of a person who registers.
type Registration struct {
	Name     string
	Email    string
	PhotoURL string
	Password string
}

// Clean trims and checks r. The error's code is CodeWeakPassword if only the password is wrong, CodeInvalid
// otherwise.
func (r Registration) Clean() (Registration, error) {
	var p problems
	r.Name = p.text("name", "The name", r.Name, 1, MaxName, singleLine)
	r.Email = p.email("email", r.Email)
	p.link("photoURL", "The photo", r.PhotoURL)
	others := len(p)
	p.password("password", r.Password)
	if others == 0 {
		return r, p.err(CodeWeakPassword)
	}
	return r, p.err(CodeInvalid)
}

// CleanEmail normalizes and checks an address; CodeInvalid.
func CleanEmail(email string) (string, error) {
	var p problems
	email = p.email("email", email)
	return email, p.err(CodeInvalid)
}

// CheckPassword reports whether password may be a new password; the error's code is CodeWeakPassword.
func CheckPassword(password string) error {
	var p problems
	p.password("password", password)
	return p.err(CodeWeakPassword)
}

// Profile holds the fields that users may change of their own account. The photo may be empty.
type Profile struct {
	DisplayName string
	PhotoURL    string
}

// Clean trims and checks pr; CodeInvalid.
func (pr Profile) Clean() (Profile, error) {
	var p problems
	pr.DisplayName = p.text("displayName", "The name", pr.DisplayName, 1, MaxName, singleLine)
	if pr.PhotoURL != "" {
		p.link("photoURL", "The photo", pr.PhotoURL)
	}
	return pr, p.err(CodeInvalid)
}

// NormalizeEmail returns the one spelling of an address. It folds ASCII letters only: in Unicode the Kelvin sign
// folds to k, and the owner of a mailbox with one must not pass for the owner of a mailbox with the other.
func NormalizeEmail(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.Trim(s, " \t\r\n"))
}

// ValidEmail reports whether s, normalized, is a valid address. It refuses upper-case letters that normalizing
// leaves.
func ValidEmail(s string) bool {
	local, domain, found := strings.Cut(s, "@")
	if !found || local == "" || len(s) > MaxEmail || strings.Contains(domain, "@") {
		return false
	}
	for _, r := range s {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || unicode.ToLower(r) != r || strings.ContainsRune(`<>()[]\,;:"`, r) {
			return false
		}
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	return utf8.ValidString(s) && !strings.HasPrefix(local, ".") && !strings.HasSuffix(local, ".")
}

// importedPrefix begins no address, so that an account with it cannot be found by one: it gets no mail, and no user
// registers with it, signs in to it or claims it.
const importedPrefix = "imported:"

// ImportedEmail returns what stands in place of the address of a person in the files of a circle who has no account
// here.
func ImportedEmail(circleID, address string) string {
	prefix := ImportedPrefix(circleID)
	if strings.HasPrefix(address, prefix) {
		return address
	}
	return prefix + ContentID([]byte(address))
}

// ImportedPrefix returns what ImportedEmail begins with in the files of one circle.
func ImportedPrefix(circleID string) string { return importedPrefix + circleID + ":" }

// IsImportedEmail reports whether ImportedEmail returned s.
func IsImportedEmail(s string) bool { return strings.HasPrefix(s, importedPrefix) }

// ImportedName returns the name that such a person is shown by.
func ImportedName(name string) string {
	const suffix = " (imported)"
	name = strings.TrimSuffix(name, suffix)
	for utf8.RuneCountInString(name)+len(suffix) > MaxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name + suffix
}

func (p *problems) email(field, s string) string {
	s = NormalizeEmail(s)
	switch {
	case s == "":
		p.add(field, "The email address is required.")
	case strings.ContainsFunc(s, Unseen):
		at := strings.IndexFunc(s, Unseen)
		r, _ := utf8.DecodeRuneInString(s[at:])
		if at == 0 || r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			p.add(field, "This does not look like an email address.")
			break
		}
		p.add(
			field, "The address has an invisible character after “%s”: %s. Type the address in place of pasting it.", s[:at],
			nameOf(r),
		)
	case !ValidEmail(s):
		p.add(field, "This does not look like an email address.")
	}
	return s
}

func (p *problems) password(field, s string) {
	switch {
	case len(s) > MaxPasswordBytes:
		p.add(field, "Password must be at most %d bytes long", MaxPasswordBytes)
	case forbiddenRune(s, multiLine) != "":
		p.add(field, "Password must not contain control characters")
	case !strings.ContainsFunc(s, unicode.IsUpper):
		p.add(field, "Password must have at least one uppercase letter")
	case !strings.ContainsFunc(s, unicode.IsLower):
		p.add(field, "Password must have at least one lowercase letter")
	case utf8.RuneCountInString(s) < MinPassword:
		p.add(field, "Password must be at least %d characters", MinPassword)
	}
}

// Account is a user with the data for signing in.
type Account struct {
	User
	// PasswordHash is empty if the account has no password.
	PasswordHash string
	// MailsRefusedAt is when the address permanently refused an email; zero if it has not since its owner confirmed
	// it.
	MailsRefusedAt time.Time
	// ContestedAt is when a provider identified the owner of the unverified address as another person than the one
	// who opened the account; zero if that never happened.
	ContestedAt time.Time
}

// OpenSession is a session as its user sees it.
type OpenSession struct {
	ID, UserAgent                    string
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

// Session is a browser in which a user is signed in.
type Session struct {
	ID        string
	User      User
	ExpiresAt time.Time
}
