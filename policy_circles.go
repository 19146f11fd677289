package studycircle

import "time"

// The policy of circles, as pure functions. m is the viewer's membership in c; its zero value is that of a user who is
// not a member, to whom c does not exist: every function answers ErrNotFound.

// MaySeeCircle allows members to see a circle that is not deleted. Others get ErrNotFound.
func MaySeeCircle(m Membership, c Circle) error {
	if c.ID == "" || m.CircleID != c.ID || !m.Role.known() || !c.DeletedAt.IsZero() {
		return ErrNotFound
	}
	return nil
}

// MayPublishIn allows the members whom the circle's settings name to publish in it.
func MayPublishIn(m Membership, c Circle) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if !c.Publishing.allows(m.Role) {
		return Errorf(CodeNotPublisher, "In this circle only organizers publish assignments.")
	}
	return notArchived(c)
}

// MayGradeIn allows the members whom the circle's settings name to grade and review in it.
func MayGradeIn(m Membership, c Circle) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if !c.Grading.allows(m.Role) {
		return Errorf(CodeNotGrader, "In this circle only organizers grade.")
	}
	return notArchived(c)
}

// MayReadAsOrganizer allows organizers to read what only they see: addresses, invitations and requests.
func MayReadAsOrganizer(m Membership, c Circle) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if !m.Role.Organizes() {
		return Errorf(CodeNotOrganizer, "This is for the circle's organizers.")
	}
	return nil
}

// MayOrganize allows organizers to manage members, invitations, requests and the roster of a circle that is not
// archived.
func MayOrganize(m Membership, c Circle) error {
	if err := MayReadAsOrganizer(m, c); err != nil {
		return err
	}
	return notArchived(c)
}

// MayOwn allows owners to archive, unarchive and delete their circle.
func MayOwn(m Membership, c Circle) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if m.Role != CircleOwner {
		return Errorf(CodeNotOwner, "This is for the circle's owners.")
	}
	return nil
}

// MayChangeCircle allows owners to change the settings of a circle that is not archived, and to hand it over.
func MayChangeCircle(m Membership, c Circle) error {
	if err := MayOwn(m, c); err != nil {
		return err
	}
	return notArchived(c)
}

// MayRestoreCircle allows owners to restore a deleted circle in time. Others get ErrNotFound.
func MayRestoreCircle(m Membership, c Circle, now time.Time) error {
	deleted := c.DeletedAt
	c.DeletedAt = time.Time{}
	if MayOwn(m, c) != nil || (!deleted.IsZero() && now.After(deleted.Add(CircleRestorable))) {
		return ErrNotFound
	}
	return nil
}

// CircleMay lists what a member may do in a circle. The policy allows everything that is true here.
type CircleMay struct {
	Publish  bool
	Grade    bool
	Organize bool // manage members, invitations and the roster
	Change   bool // settings and roles
	Own      bool // archive, unarchive and delete
}

// MayDoIn returns what a member may do in c.
func MayDoIn(m Membership, c Circle) CircleMay {
	return CircleMay{
		Publish: MayPublishIn(m, c) == nil, Grade: MayGradeIn(m, c) == nil, Organize: MayOrganize(m, c) == nil,
		Change: MayChangeCircle(m, c) == nil, Own: MayOwn(m, c) == nil,
	}
}

// Holdings are how many circles a user has.
type Holdings struct {
	Owned, All int64
}

// MayHaveCircle refuses another membership, in the given role, to a user who has the most already.
func MayHaveCircle(h Holdings, role CircleRole) error {
	if h.All >= MaxMemberships || (role == CircleOwner && h.Owned >= MaxOwnedCircles) {
		return Errorf(CodeTooManyCircles, "A user can be in %d circles and own %d of them. Leave one first.", MaxMemberships, MaxOwnedCircles)
	}
	return nil
}

func notArchived(c Circle) error {
	if !c.ArchivedAt.IsZero() {
		return Errorf(CodeCircleArchived, "This circle is archived. It can be read, but not changed.")
	}
	return nil
}
