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

// Invitation admits users to a circle: the users who have its secret, or the user with the address of a roster, to whom
// the secret is emailed.
type Invitation struct {
	Seq      int64
	ID       string
	CircleID string
	InvitationInput
	Name                 string // in the roster, as the two below
	FamilyName, SourceID string
	// RosterEmail is the address in the roster; "" for an invitation by link.
	RosterEmail string
	CreatedAt   time.Time
	RevokedAt   time.Time // zero unless revoked
	// DeclinedAt is when the user with the address declined; zero otherwise. Organizers do not see it.
	DeclinedAt time.Time
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
		var valid bool
		in.OnlyDomain, valid = cleanDomain(in.OnlyDomain)
		switch {
		case !valid:
			p.add("onlyDomain", "This does not look like the domain of email addresses.")
		case in.OnlyEmail != "":
			p.add("onlyDomain", "An invitation is for one address or for a domain, not for both.")
		}
	}
	in.Label = p.text("label", "The label", in.Label, 0, MaxLabel, singleLine)
	return in, p.err(CodeInvalid)
}

// cleanDomain returns a domain of email addresses, normalized, and whether it can be one.
func cleanDomain(name string) (_ string, valid bool) {
	name = NormalizeEmail(strings.TrimPrefix(name, "@"))
	return name, ValidEmail("a@"+name) && !strings.ContainsFunc(name, notInDomain)
}

// notInDomain reports whether a character is in no domain: it is no letter, digit, hyphen or dot.
func notInDomain(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '-' && r != '.'
}

// open reports whether the invitation can be used at a time.
func (i Invitation) open(now time.Time) bool {
	return i.RevokedAt.IsZero() && i.ExpiresAt.After(now) && (i.Uses == nil || *i.Uses >= 1)
}

// Admits reports whether the invitation admits a user at a time. An address counts only if it is verified.
func (i Invitation) Admits(u User, now time.Time) bool {
	return i.open(now) && i.suits(u.Email) && (!i.asksForAddress() || !u.EmailVerifiedAt.IsZero())
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

// Refusal says that rosters do not put a user into a circle. A user who joins refuses no more.
type Refusal string

// The refusals. The zero value is that of a user who refuses nothing.
const (
	// RefusedByLeaving is that of a user who has left: a roster invites the user.
	RefusedByLeaving Refusal = "left"
	// RefusedForGood is that of a user who wants no more invitations: the user does not learn of them.
	RefusedForGood Refusal = "blocked"
)

// MaxInvited is the most invitations by rosters that wait for one user's answer at a time: the newest.
const MaxInvited = 50

// MaxInvitedADay is the most invitations by rosters to one address within a day of which its user is notified. Further
// ones wait without a notification.
const MaxInvitedADay = 20

// InvitedTo is an invitation by a roster that waits for a user's answer.
type InvitedTo struct {
	ID         string
	CircleName string
	By         string // the display name of the organizer; "" if the account is gone
	Role       CircleRole
	At, Until  time.Time
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
