package studycircle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"time"
)

// MaxRoster is the most lines of a roster.
const MaxRoster = 10_000

// MaxSourceID is the longest id of a person in another system.
const MaxSourceID = 255

// RosterValid is how long the person of a roster has to verify the address and to accept.
const RosterValid = 365 * 24 * time.Hour

// Roster is a list of the people of a circle.
type Roster struct {
	Lines   []RosterLine
	Refused []RefusedLine // those that cannot be read
	Passed  int           // the number of lines that ask for nothing
	Columns []RosterColumn
}

// RosterColumn is a column of a file.
type RosterColumn struct {
	Heading string
	Example string // the first text below it
	As      string // as which column of a roster it is read; "" if it is not
}

// RosterLine is one person of a roster. An empty field asks for nothing.
type RosterLine struct {
	Line  int // in the file, from 1
	Email string
	Name  string // the whole name
	Role  CircleRole
	Label string
	// FamilyName is the part of Name by which lists are sorted, where the file keeps it apart.
	FamilyName string
	SourceID   string // of the person, in the system that made the file
}

// RefusedLine is a line of a roster that is not carried out.
type RefusedLine struct {
	Line int
	Err  error
}

// Clean trims and checks l; CodeInvalid.
func (l RosterLine) Clean() (RosterLine, error) {
	var p problems
	l.Email = p.email("email", l.Email)
	l.Name = p.text("name", "The name", l.Name, 0, MaxName, singleLine)
	l.Label = p.text("label", "The label", l.Label, 0, MaxLabel, singleLine)
	l.FamilyName = p.text("familyName", "The family name", l.FamilyName, 0, MaxName, singleLine)
	l.SourceID = p.sourceID("sourcedId", l.SourceID)
	if l.Role != "" && !l.Role.known() {
		p.add("role", "The role must be member or organizer.")
	}
	return l, p.err(CodeInvalid)
}

// shortened is a long number as a spreadsheet shows it.
var shortened = regexp.MustCompile(`^\d([.,]\d+)?E\+\d+$`)

func (p *problems) sourceID(field, s string) string {
	if shortened.MatchString(s) {
		p.add(field, "A spreadsheet has shortened the number %s. Format its column as text and save the file again.", s)
	}
	return p.text(field, "The sourcedId", s, 0, MaxSourceID, singleLine)
}

// Rostered is what the server knows of the person of a roster's line.
type Rostered struct {
	User       User       // with the address; zero if there is none
	Have       Holdings   // the user's circles
	Member     Membership // in the roster's circle; zero if the user is not a member
	Invitation Invitation // of the address to the circle, also one that is over; zero if there was none
	Refused    Refusal    // of the roster's circle
	Lately     int64      // the invitations of the address to any circle within a day
	// Direct reports that the operator lets rosters enroll the address without asking its user.
	Direct bool
}

// joins reports whether a roster makes the user a member.
func (of Rostered) joins() bool {
	return of.Direct && !of.User.EmailVerifiedAt.IsZero() && of.Refused == ""
}

// Tells reports whether an invitation that a roster makes notifies the user, who is not a member.
func (of Rostered) Tells() bool {
	return !of.User.EmailVerifiedAt.IsZero() && of.Refused != RefusedForGood && of.Lately < MaxInvitedADay
}

// Enrollments are the changes that a roster makes in a circle.
type Enrollments struct {
	Added   []Membership
	Changed []MemberChanged
	// Invited are new invitations, and invitations that were over; Reworded are valid ones with other texts.
	Invited, Reworded []Invitation
	Unchanged         int
	Refused           []RefusedLine
	// Missing are members without another role, oldest first, who are in no line of the roster. Ended are those of them
	// whose memberships end.
	Missing Missing
	Ended   []Membership
}

// MaxEnded is the most memberships that end by one roster: more are missing in a wrong file.
const MaxEnded = 1_000

// Missing are the members of a circle who are not in a roster.
type Missing struct {
	All []Membership
	// Key changes with All, so that no membership ends that the organizer was not shown.
	Key string
	// Some are up to MaxEnded of them, with their accounts.
	Some []Member
}

// MayEnd allows an organizer who was shown the missing members under a key to end their memberships.
func (m Missing) MayEnd(key string) error {
	switch {
	case len(m.All) > MaxEnded:
		return Errorf(
			CodeInvalid, "More than 1,000 members are not in this file, so it ends no memberships. Is it the right file?",
		)
	case key != m.Key:
		return Errorf(CodeChanged, "The members of this circle have changed meanwhile. Choose the file again.")
	}
	return nil
}

// MissingFrom returns those of the members of a circle, oldest first, who are in no line of r.
func (r Roster) MissingFrom(members []Membership, known map[string]Rostered) (out Missing) {
	named := make(map[string]bool, len(known))
	for _, of := range known {
		named[of.Member.UserID] = true
	}
	sum := sha256.New()
	for _, m := range members {
		if m.Role == CircleMember && !named[m.UserID] {
			out.All = append(out.All, m)
			sum.Write([]byte(m.UserID + "\n"))
		}
	}
	out.Key = hex.EncodeToString(sum.Sum(nil)[:16])
	return out
}

// MemberChanged is a membership before and after a change.
type MemberChanged struct{ Before, After Membership }

// Enroll returns the changes that the organizer m makes by a roster in c at a time. known is by address, owners the
// number of owners. A person who does not join at once is invited, whether there is an account or not, and whether its
// user declines: the organizer does not learn it. A refused line changes nothing, and whether the others do is up to
// the caller.
func Enroll(m Membership, c Circle, r Roster, known map[string]Rostered, owners int64, now time.Time) Enrollments {
	out := Enrollments{Unchanged: r.Passed, Refused: r.Refused}
	for _, l := range r.Lines {
		if err := out.enroll(m, c, l, known[l.Email], owners, now); err != nil {
			out.Refused = append(out.Refused, RefusedLine{l.Line, err})
		}
	}
	return out
}

func (out *Enrollments) enroll(m Membership, c Circle, l RosterLine, of Rostered, owners int64, now time.Time) error {
	role := l.Role
	switch {
	case of.Member.Role != "":
		change, err := l.change(of.Member)
		if err != nil {
			return err
		}
		if err := MayChangeMember(m, c, of.Member, change, owners, Holdings{}); err != nil {
			return err
		}
		if after := change.Apply(of.Member); after == of.Member {
			out.Unchanged++
		} else {
			out.Changed = append(out.Changed, MemberChanged{of.Member, after})
		}
		return nil
	case role == CircleOwner:
		return errOwnerByRoster
	case role == "":
		role = CircleMember
	}
	if of.joins() {
		if err := MayHaveCircle(of.Have, role); err != nil {
			return err
		}
		out.Added = append(out.Added, Membership{
			CircleID: c.ID, UserID: of.User.ID, Role: role, Label: l.Label, Name: l.Name, FamilyName: l.FamilyName,
			SourceID: l.SourceID, JoinedAt: now,
		})
		return nil
	}
	out.invite(c, l, role, of.Invitation, now)
	return nil
}

// change returns what l changes of a member. An owner is an organizer too.
func (l RosterLine) change(of Membership) (in MemberChange, err error) {
	switch {
	case l.Role == "" || l.Role == of.Role || (of.Role == CircleOwner && l.Role == CircleOrganizer):
	case l.Role == CircleOwner || of.Role == CircleOwner:
		return in, errOwnerByRoster
	default:
		in.Role = &l.Role
	}
	if l.Label != "" {
		in.Label = &l.Label
	}
	if l.Name != "" {
		in.Name = &l.Name
	}
	if l.FamilyName != "" {
		in.FamilyName = &l.FamilyName
	}
	if l.SourceID != "" {
		in.SourceID = &l.SourceID
	}
	return in, nil
}

func (out *Enrollments) invite(c Circle, l RosterLine, role CircleRole, i Invitation, now time.Time) {
	if i.ID != "" && i.open(now) {
		before := i
		i.Label, i.SourceID = cmp.Or(l.Label, i.Label), cmp.Or(l.SourceID, i.SourceID)
		if l.Name != "" && l.Name != i.Name {
			i.Name, i.FamilyName = l.Name, ""
		}
		i.FamilyName = cmp.Or(l.FamilyName, i.FamilyName)
		if l.Role != "" {
			i.Role = l.Role
		}
		if i.Role == before.Role && i.Label == before.Label && i.Name == before.Name && i.FamilyName == before.FamilyName &&
			i.SourceID == before.SourceID {
			out.Unchanged++
		} else {
			out.Reworded = append(out.Reworded, i)
		}
		return
	}
	once := int64(1)
	out.Invited = append(out.Invited, Invitation{
		Seq: i.Seq, ID: i.ID, CircleID: c.ID, RosterEmail: l.Email, Name: l.Name, FamilyName: l.FamilyName,
		SourceID: l.SourceID, CreatedAt: now,
		InvitationInput: InvitationInput{Role: role, Uses: &once, ExpiresAt: now.Add(RosterValid), Label: l.Label},
	})
}
