package studycircle

import (
	"cmp"
	"time"
)

// MaxRoster is the most lines of a roster.
const MaxRoster = 10_000

// RosterValid is how long the person of a roster has to verify the address.
const RosterValid = 365 * 24 * time.Hour

// Roster is a list of the people of a circle.
type Roster struct {
	Lines   []RosterLine
	Refused []RefusedLine // those that cannot be read
	Passed  int           // the number of lines that ask for nothing
}

// RosterLine is one person of a roster. An empty field asks for nothing.
type RosterLine struct {
	Line  int // in the file, from 1
	Email string
	Name  string
	Role  CircleRole
	Label string
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
	if l.Role != "" && !l.Role.known() {
		p.add("role", "The role must be member or organizer.")
	}
	return l, p.err(CodeInvalid)
}

// Rostered is what the server knows of the person of a roster's line.
type Rostered struct {
	User       User       // with the address; zero if there is none
	Have       Holdings   // the user's circles
	Member     Membership // in the roster's circle; zero if the user is not a member
	Invitation Invitation // of the address to the circle, also one that is over; zero if there was none
}

// Enrollments are the changes that a roster makes in a circle.
type Enrollments struct {
	Added   []Membership
	Changed []MemberChanged
	// Invited are new invitations, and invitations that were over; Reworded are valid ones with other texts.
	Invited, Reworded []Invitation
	Unchanged         int
	Refused           []RefusedLine
}

// MemberChanged is a membership before and after a change.
type MemberChanged struct{ Before, After Membership }

// Enroll returns the changes that the organizer m makes by a roster in c at a time. known is by address, owners the
// number of owners. A refused line changes nothing, and whether the others do is up to the caller.
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
	if !of.User.EmailVerifiedAt.IsZero() {
		if err := MayHaveCircle(of.Have, role); err != nil {
			return err
		}
		out.Added = append(out.Added, Membership{
			CircleID: c.ID, UserID: of.User.ID, Role: role, Label: l.Label, Name: l.Name, JoinedAt: now,
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
	return in, nil
}

func (out *Enrollments) invite(c Circle, l RosterLine, role CircleRole, i Invitation, now time.Time) {
	if i.ID != "" && i.open(now) {
		before := i
		i.Label, i.Name = cmp.Or(l.Label, i.Label), cmp.Or(l.Name, i.Name)
		if l.Role != "" {
			i.Role = l.Role
		}
		if i.Role == before.Role && i.Label == before.Label && i.Name == before.Name {
			out.Unchanged++
		} else {
			out.Reworded = append(out.Reworded, i)
		}
		return
	}
	once := int64(1)
	out.Invited = append(out.Invited, Invitation{
		Seq: i.Seq, ID: i.ID, CircleID: c.ID, RosterEmail: l.Email, Name: l.Name, CreatedAt: now,
		InvitationInput: InvitationInput{Role: role, Uses: &once, ExpiresAt: now.Add(RosterValid), Label: l.Label},
	})
}
