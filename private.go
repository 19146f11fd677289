package studycircle

import "time"

// RegistrationMode is the operator's decision about who may open an account.
type RegistrationMode string

// The modes of registration.
const (
	RegistrationOpen    RegistrationMode = "open"
	RegistrationInvited RegistrationMode = "invited" // users with an invitation of a circle or of the operator
	RegistrationClosed  RegistrationMode = "closed"  // only imports add people
)

var errRegistrationClosed = Errorf(
	CodeRegistrationClosed,
	"You need an invitation to register. Ask the person who told you about this site for one.",
)

// MayRegister allows a new account in a mode, to a person with a valid invitation or without one;
// CodeRegistrationClosed.
func MayRegister(mode RegistrationMode, invited bool) error {
	if mode == RegistrationOpen || (mode == RegistrationInvited && invited) {
		return nil
	}
	return errRegistrationClosed
}

// MayRegisterBy allows a person who gives an address, which nothing has verified yet, to register by an invitation to
// a circle. The invitation of a roster is for its address. Others get ErrNotFound.
func MayRegisterBy(i Invitation, c Circle, email string, now time.Time) error {
	if i.CircleID != c.ID || !c.DeletedAt.IsZero() || !i.open(now) || !i.suits(email) {
		return ErrNotFound
	}
	return notArchived(c)
}

// MayJoinAwaited allows a user who registered by an invitation that asks for a verified address to join once it is
// verified. The registration used the invitation, so that its end does not matter; its revocation does. A user whom an
// organizer has removed needs a new invitation. Others get ErrNotFound.
func MayJoinAwaited(i Invitation, c Circle, u User, removed time.Time) error {
	if i.CircleID != c.ID || !c.DeletedAt.IsZero() || !i.RevokedAt.IsZero() || u.EmailVerifiedAt.IsZero() ||
		!i.suits(u.Email) || !removed.IsZero() {
		return ErrNotFound
	}
	return notArchived(c)
}

// HallMode is the operator's decision about what is in no circle.
type HallMode string

// The modes of the hall.
const (
	HallOn   HallMode = "on"
	HallRead HallMode = "read" // as it is: no new assignments
	HallOff  HallMode = "off"  // it does not exist
)

// As returns v as a viewer of a hall in this mode: a visitor or a user for whom a hall that is off does not exist.
// Moderators see it, and other viewers are the server's own.
func (m HallMode) As(v Viewer) Viewer {
	if v.role == RoleVisitor || (v.userID != "" && v.role != RoleModerator) {
		v.hallOff = m == HallOff
	}
	return v
}

// MayPublishInHall allows users to publish in a hall that is on; CodeHallClosed.
func MayPublishInHall(m HallMode) error {
	if m != HallOn {
		return Errorf(CodeHallClosed, "Assignments are published in circles here. Choose one of yours.")
	}
	return nil
}

// MaxServerInvitation is how long an invitation of the operator is valid at most.
const MaxServerInvitation = 366 * 24 * time.Hour

// ServerInvitation is an operator's invitation to register, in no circle.
type ServerInvitation struct {
	ID string
	// Uses is how many accounts it still opens; nil for any number.
	Uses      *int64
	OnlyEmail string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Clean trims and checks what the operator says about an invitation; CodeInvalid.
func (i ServerInvitation) Clean(now time.Time) (ServerInvitation, error) {
	var p problems
	if i.Uses != nil && (*i.Uses < 1 || *i.Uses > MaxInvitationUses) {
		p.add("uses", "The uses must be a number from 1 to 100,000.")
	}
	if !i.ExpiresAt.After(now) || i.ExpiresAt.After(now.Add(MaxServerInvitation)) {
		p.add("expires", "The end must be in the future, a year from now at most.")
	}
	if i.OnlyEmail != "" {
		i.OnlyEmail = p.email("email", i.OnlyEmail)
	}
	return i, p.err(CodeInvalid)
}

// MayRegisterByServer allows a person who gives an address to register by an invitation of the operator. Others get
// ErrNotFound.
func MayRegisterByServer(i ServerInvitation, email string, now time.Time) error {
	if !i.ExpiresAt.After(now) || (i.Uses != nil && *i.Uses < 1) || (i.OnlyEmail != "" && i.OnlyEmail != email) {
		return ErrNotFound
	}
	return nil
}

// OwnedCircle is a circle with the addresses of its owners, for the operator.
type OwnedCircle struct {
	Circle
	Owners []string
}

// MayBeMadeOwner allows the operator to make a user an owner of a circle, archived or not. of is the user's membership,
// zero without one, owners the number of owners, and have the user's circles.
func MayBeMadeOwner(c Circle, of Membership, owners int64, have Holdings) error {
	switch {
	case !c.DeletedAt.IsZero():
		return ErrNotFound
	case owners >= MaxOwners:
		return errTooManyOwners
	case of.Role != "":
		return mayOwnAnother(have)
	default:
		return MayHaveCircle(have, CircleOwner)
	}
}
