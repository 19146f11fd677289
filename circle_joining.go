package studycircle

import (
	"strings"
	"time"
	"unicode"
)

// Bounds of invitations.
const (
	MaxInvitationUses   = 100_000
	InvitationByDefault = 30 * 24 * time.Hour // how long an invitation is valid if its creator names no end
)

// Member is a member of a circle with the account.
type Member struct {
	Membership
	Account Person
	// LastSeenAt is zero if the user is signed in nowhere.
	LastSeenAt time.Time
	May        MemberMay // the viewer, if an organizer
}

// MemberFilter selects members; its zero value selects all.
type MemberFilter struct {
	Search string // beginnings of words of display names; for organizers also of addresses and names in the roster
	Role   CircleRole
	Label  string
	Order  MemberOrder
}

// MemberOrder is the order of the members of a circle. Organizers read names as in the roster, others display names.
type MemberOrder string

// The orders of members. The zero value is the order of joining.
const (
	ByJoining    MemberOrder = ""
	ByName       MemberOrder = "name"
	ByFamilyName MemberOrder = "family"
)

// MemberChange is a change of a membership. A nil field stays.
type MemberChange struct {
	Role        *CircleRole
	Label, Name *string
	// FamilyName is forgotten when Name changes without it.
	FamilyName, SourceID *string
	ExtraDays            *int64
}

// Clean trims and checks in; CodeInvalid.
func (in MemberChange) Clean() (MemberChange, error) {
	var p problems
	if in.Role != nil && !in.Role.known() {
		p.add("role", "The role must be owner, organizer or member.")
	}
	if in.Label != nil {
		label := p.text("label", "The label", *in.Label, 0, MaxLabel, singleLine)
		in.Label = &label
	}
	if in.Name != nil {
		name := p.text("name", "The name", *in.Name, 0, MaxName, singleLine)
		in.Name = &name
	}
	if in.FamilyName != nil {
		name := p.text("familyName", "The family name", *in.FamilyName, 0, MaxName, singleLine)
		in.FamilyName = &name
	}
	if in.ExtraDays != nil && (*in.ExtraDays < 0 || *in.ExtraDays > MaxExtraDays) {
		p.add("extraDays", "The extra days must be a whole number from 0 to %d.", MaxExtraDays)
	}
	return in, p.err(CodeInvalid)
}

// Apply returns m with the change.
func (in MemberChange) Apply(m Membership) Membership {
	if in.Role != nil {
		m.Role = *in.Role
	}
	if in.Label != nil {
		m.Label = *in.Label
	}
	if in.Name != nil && *in.Name != m.Name {
		m.Name, m.FamilyName = *in.Name, ""
	}
	if in.FamilyName != nil {
		m.FamilyName = *in.FamilyName
	}
	if in.SourceID != nil {
		m.SourceID = *in.SourceID
	}
	if in.ExtraDays != nil {
		m.ExtraDays = *in.ExtraDays
	}
	return m
}

// Invitation admits users to a circle: the users who have its secret, or the user with the address of a roster, whose
// secret, emailed to the address, only opens an account.
type Invitation struct {
	Seq      int64
	ID       string
	CircleID string
	InvitationInput
	Name                 string // in the roster, as the two below
	FamilyName, SourceID string
	// RosterEmail is the address that joins as soon as it is verified; "" for an invitation by link.
	RosterEmail string
	CreatedAt   time.Time
	RevokedAt   time.Time // zero unless revoked
	// Joined are a few of the users who joined through it; Joins is the number of all.
	Joined []Person
	Joins  int64
}

// InvitationInput is what an organizer says about an invitation.
type InvitationInput struct {
	Role       CircleRole
	Uses       *int64 // how many are left; nil for any number
	ExpiresAt  time.Time
	OnlyEmail  string
	OnlyDomain string
	Label      string
}

// Clean trims and checks in; CodeInvalid.
func (in InvitationInput) Clean(now time.Time) (InvitationInput, error) {
	var p problems
	if in.Role != CircleMember && in.Role != CircleOrganizer {
		p.add("role", "An invitation is for a member or an organizer.")
	}
	if in.Uses != nil && (*in.Uses < 1 || *in.Uses > MaxInvitationUses) {
		p.add("uses", "The uses must be a number from 1 to 100,000, or null for any number.")
	}
	if in.ExpiresAt.IsZero() {
		in.ExpiresAt = now.Add(InvitationByDefault)
	}
	if !in.ExpiresAt.After(now) || in.ExpiresAt.After(now.AddDate(1, 0, 1)) {
		p.add("expiresAt", "The end must be in the future, a year from now at most.")
	}
	if in.OnlyEmail != "" {
		in.OnlyEmail = p.email("onlyEmail", in.OnlyEmail)
	}
	if in.OnlyDomain != "" {
		in.OnlyDomain = NormalizeEmail(strings.TrimPrefix(in.OnlyDomain, "@"))
		switch {
		case !ValidEmail("a@"+in.OnlyDomain) || strings.ContainsFunc(in.OnlyDomain, notInDomain):
			p.add("onlyDomain", "This does not look like the domain of email addresses.")
		case in.OnlyEmail != "":
			p.add("onlyDomain", "An invitation is for one address or for a domain, not for both.")
		}
	}
	in.Label = p.text("label", "The label", in.Label, 0, MaxLabel, singleLine)
	return in, p.err(CodeInvalid)
}

// notInDomain reports whether a character is in no domain: it is no letter, digit, hyphen or dot.
func notInDomain(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '-' && r != '.'
}

// open reports whether the invitation can be used at a time.
func (i Invitation) open(now time.Time) bool {
	return i.RevokedAt.IsZero() && i.ExpiresAt.After(now) && (i.Uses == nil || *i.Uses >= 1)
}

// Admits reports whether the invitation, by link, admits a user at a time. An address counts only if it is verified.
func (i Invitation) Admits(u User, now time.Time) bool {
	return i.RosterEmail == "" && i.open(now) && i.suits(u.Email) && (!i.asksForAddress() || !u.EmailVerifiedAt.IsZero())
}

// asksForAddress reports whether the invitation is for the owner of an address only.
func (i Invitation) asksForAddress() bool {
	return i.OnlyEmail != "" || i.OnlyDomain != "" || i.RosterEmail != ""
}

// suits reports whether the invitation is for an address.
func (i Invitation) suits(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	return (i.OnlyEmail == "" || i.OnlyEmail == email) && (i.OnlyDomain == "" || i.OnlyDomain == domain) &&
		(i.RosterEmail == "" || i.RosterEmail == email)
}

// Asker is a user who asks to join a circle.
type Asker struct {
	Seq     int64
	Account Person
	AskedAt time.Time
}

// AskedCircle is a circle that a user asks to join.
type AskedCircle struct {
	CircleID string
	AskedAt  time.Time
}

// FoundCircle is a listed circle, and how a user stands with it.
type FoundCircle struct {
	Seq int64 // orders the listed circles
	Circle
	Role    CircleRole // of a member
	Asked   bool
	Removed bool // an organizer has removed the user
}
