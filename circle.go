package studycircle

import (
	"strings"
	"time"
)

// Bounds of circles.
const (
	MaxCircleDescription = 2_000
	MaxLabel             = 40
	MaxOwners            = 5   // of one circle
	MaxOwnedCircles      = 50  // of one user
	MaxMemberships       = 200 // of one user
	// CircleRestorable is how long a deleted circle can be restored.
	CircleRestorable = 30 * 24 * time.Hour
)

// CircleRole is a member's role in a circle. The zero value is the role of users who are not members.
type CircleRole string

// The roles of members.
const (
	CircleOwner     CircleRole = "owner"
	CircleOrganizer CircleRole = "organizer"
	CircleMember    CircleRole = "member"
)

// Organizes reports whether r is the role of an organizer or an owner.
func (r CircleRole) Organizes() bool { return r == CircleOrganizer || r == CircleOwner }

// known reports whether r is the role of a member.
func (r CircleRole) known() bool { return r == CircleMember || r.Organizes() }

// Joining says how users join a circle.
type Joining string

// The ways to join. Invitations admit users to every circle.
const (
	JoinInvite Joining = "invite"
	JoinAsk    Joining = "ask"
	JoinOpen   Joining = "open"
)

// Allowed says which members may do something.
type Allowed string

// The members who may be allowed something. Organizers include owners.
const (
	AllowMembers    Allowed = "members"
	AllowOrganizers Allowed = "organizers"
)

// allows reports whether a member with role r is among them.
func (a Allowed) allows(r CircleRole) bool {
	return r.Organizes() || (r == CircleMember && a == AllowMembers)
}

// Circle is a private group.
type Circle struct {
	ID string
	CircleInput
	HTML    string // the rendered description
	Members int64
	// HeirID is the member who was asked to become an owner; "" if there is none.
	HeirID     string
	Succession Succession
	CreatedAt  time.Time
	UpdatedAt  time.Time // of the settings
	// AccuracySince is when CountsAccuracy was turned on; zero while it is off.
	AccuracySince time.Time
	ArchivedAt    time.Time // zero unless archived
	DeletedAt     time.Time // zero unless deleted
}

// CircleInput holds the settings of a circle.
type CircleInput struct {
	Name        string
	Description string // Markdown
	Listed      bool   // every user may find the circle
	Join        Joining
	Publishing  Allowed
	Grading     Allowed
	// CountsAccuracy shows organizers, in the marks, how accurate each member's reviews of exemplars are.
	CountsAccuracy bool
}

// NewCircle has the settings of a circle whose creator names none.
var NewCircle = CircleInput{Join: JoinInvite, Publishing: AllowMembers, Grading: AllowMembers}

// Clean trims and checks in; CodeInvalid.
func (in CircleInput) Clean() (CircleInput, error) {
	var p problems
	in.Name = p.text("name", "The name", in.Name, 1, MaxName, singleLine)
	in.Description = p.text("description", "The description", in.Description, 0, MaxCircleDescription, multiLine)
	if in.Join != JoinInvite && in.Join != JoinAsk && in.Join != JoinOpen {
		p.add("join", "How users join must be invite, ask or open.")
	}
	for _, setting := range []struct {
		field string
		a     Allowed
	}{{"publishing", in.Publishing}, {"grading", in.Grading}} {
		if setting.a != AllowMembers && setting.a != AllowOrganizers {
			p.add(setting.field, "This must be members or organizers.")
		}
	}
	return in, p.err(CodeInvalid)
}

// Membership is a user's membership in a circle. Its zero value stands for a user who is not a member.
type Membership struct {
	Seq      int64 // orders the members of a circle
	CircleID string
	UserID   string
	Role     CircleRole
	Label    string // a section or a team, for example
	Name     string // as in the roster
	// FamilyName is the part of Name by which lists are sorted; "" if the roster does not keep it apart.
	FamilyName string
	SourceID   string // the person's id in the system that made the roster
	JoinedAt   time.Time
	// ExtraDays is the member's extra time for each assignment of the circle. Organizers see it.
	ExtraDays int64
}

// FamilyNameOf returns the family name in a whole name: what stands before a comma, or else the last word, without
// additions such as “Jr.”.
func FamilyNameOf(name string) string {
	before, after, comma := strings.Cut(name, ",")
	if comma && !isAddition(strings.TrimSpace(after)) {
		return strings.TrimSpace(before)
	}
	words := strings.Fields(before)
	for len(words) > 1 && isAddition(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// isAddition reports whether a word after a name is no part of it.
func isAddition(word string) bool {
	switch strings.ToLower(strings.TrimSuffix(word, ".")) {
	case "jr", "sr", "ii", "iii", "iv":
		return true
	}
	return false
}

// OwnCircle is a circle with the viewer's membership.
type OwnCircle struct {
	Circle
	Mine Membership
}

// student is the id of a member whom no account has.
const student = "student"

// AsStudent returns in as it is to a member who has no other role, and no work in it.
func (in OwnCircle) AsStudent() OwnCircle {
	in.Mine = Membership{CircleID: in.Mine.CircleID, UserID: student, Role: CircleMember}
	return in
}

// OwnCircles are a user's circles by their ids, without descriptions.
type OwnCircles map[string]OwnCircle

// Succession says how a circle got its present owner after the last one had left: by what role the next owner had.
type Succession string

// Successions. The zero Succession is that of a circle whose owners are those who founded it or were appointed.
const (
	OrganizerSucceeded Succession = "organizer"
	MemberSucceeded    Succession = "member"
	// NoSuccessor archives a circle in which no member is left.
	NoSuccessor Succession = "none"
)

// Successions are all of them.
var Successions = []Succession{OrganizerSucceeded, MemberSucceeded, NoSuccessor}

// SuccessionBy returns the Succession by a member with a role; the zero role means that no member is left.
func SuccessionBy(role CircleRole) Succession {
	switch role {
	case CircleOrganizer:
		return OrganizerSucceeded
	case CircleMember:
		return MemberSucceeded
	default:
		return NoSuccessor
	}
}

// Sentence tells members; "" for the zero Succession.
func (s Succession) Sentence() string {
	switch s {
	case OrganizerSucceeded:
		return "The last owner has left StudyCircle. The organizer who has been here longest is the owner now."
	case MemberSucceeded:
		return "The last owner has left StudyCircle. The member who has been here longest is the owner now."
	case NoSuccessor:
		return "The last owner has left StudyCircle, so this circle is archived."
	default:
		return ""
	}
}
