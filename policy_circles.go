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

// MayPublish allows every user to publish in a hall that is on, and in a circle those whom MayPublishIn allows.
func MayPublish(in OwnCircle, circleID string, hall HallMode) error {
	if circleID == Hall {
		return MayPublishInHall(hall)
	}
	if err := maySeeIn(in, circleID); err != nil {
		return err
	}
	return MayPublishIn(in.Mine, in.Circle)
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

// maySeeIn allows every user the hall, and members their circle. Others get ErrNotFound.
func maySeeIn(in OwnCircle, circleID string) error {
	switch circleID {
	case Hall:
		return nil
	case in.ID:
		return MaySeeCircle(in.Mine, in.Circle)
	default:
		return ErrNotFound
	}
}

// organizes reports whether the viewer is an organizer of a circle; the hall has none.
func (in OwnCircle) organizes(circleID string) bool {
	return circleID != Hall && maySeeIn(in, circleID) == nil && in.Mine.Role.Organizes()
}

// MaySeeAddresses allows every user to see the email addresses of creators and submitters in the hall, and organizers
// in their circle. Others get CodeNotOrganizer.
func MaySeeAddresses(in OwnCircle, circleID string) error {
	if err := maySeeIn(in, circleID); err != nil || circleID == Hall {
		return err
	}
	return MayReadAsOrganizer(in.Mine, in.Circle)
}

// MayWriteIn allows every user to write in the hall, and members in a circle that is not archived.
func MayWriteIn(in OwnCircle, circleID string) error {
	if err := maySeeIn(in, circleID); err != nil || circleID == Hall {
		return err
	}
	return notArchived(in.Circle)
}

func mayGradeIn(in OwnCircle, circleID string) error {
	if err := maySeeIn(in, circleID); err != nil || circleID == Hall {
		return err
	}
	return MayGradeIn(in.Mine, in.Circle)
}

// MayReviewIn allows those who may grade in a place to review where several users review. It refuses the organizers of
// a circle, who see the names of submitters.
func MayReviewIn(in OwnCircle, circleID string) error {
	if in.organizes(circleID) {
		return Errorf(CodeNotGrader, "Organizers see names, so they do not review where several people review.")
	}
	return mayGradeIn(in, circleID)
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
	over := CanRemoveCircle(c, now)
	c.DeletedAt = time.Time{}
	if MayOwn(m, c) != nil || over {
		return ErrNotFound
	}
	return nil
}

// CanRemoveCircle reports whether a deleted circle can no longer be restored, so that the server removes it.
func CanRemoveCircle(c Circle, now time.Time) bool {
	return !c.DeletedAt.IsZero() && now.After(c.DeletedAt.Add(CircleRestorable))
}

// MayChangeMember allows organizers to change the label and name of a member, and owners also the role. A circle has
// between one and MaxOwners owners. of is the member, owners the number of owners, and have the member's circles.
func MayChangeMember(m Membership, c Circle, of Membership, in MemberChange, owners int64, have Holdings) error {
	if err := MayOrganize(m, c); err != nil {
		return err
	}
	if of.CircleID != c.ID || of.Role == "" {
		return ErrNotFound
	}
	if in.Role == nil || *in.Role == of.Role {
		return nil
	}
	switch {
	case m.Role != CircleOwner:
		return MayOwn(m, c)
	case *in.Role == CircleOwner && owners >= MaxOwners:
		return errTooManyOwners
	case *in.Role == CircleOwner:
		return mayOwnAnother(have)
	case of.Role == CircleOwner && owners <= 1:
		return errLastOwner
	}
	return nil
}

// MayRemoveMember allows organizers to remove members, and owners to remove organizers and other owners.
func MayRemoveMember(m Membership, c Circle, of Membership, owners int64) error {
	if err := MayOrganize(m, c); err != nil {
		return err
	}
	switch {
	case of.CircleID != c.ID || of.Role == "":
		return ErrNotFound
	case of.Role.Organizes() && of.UserID != m.UserID && m.Role != CircleOwner:
		return MayOwn(m, c)
	case of.Role == CircleOwner && owners <= 1:
		return errLastOwner
	}
	return nil
}

// MayLeave allows every member but the last owner to leave, also an archived circle.
func MayLeave(m Membership, c Circle, owners int64) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if m.Role == CircleOwner && owners <= 1 {
		return errLastOwner
	}
	return nil
}

// MayHandOver allows owners to ask another member to become an owner in their place.
func MayHandOver(m Membership, c Circle, to Membership) error {
	if err := MayChangeCircle(m, c); err != nil {
		return err
	}
	if to.CircleID != c.ID || to.Role == "" || to.UserID == m.UserID {
		return ErrNotFound
	}
	return nil
}

// MayTakeOver allows the member who was asked to become an owner. from is the membership of the user who asked, who is
// replaced, and who must still be an owner.
func MayTakeOver(m Membership, c Circle, from Membership, have Holdings) error {
	if err := MaySeeCircle(m, c); err != nil {
		return err
	}
	if c.HeirID == "" || c.HeirID != m.UserID || from.Role != CircleOwner {
		return ErrNotFound
	}
	if err := notArchived(c); err != nil || m.Role == CircleOwner {
		return err
	}
	return mayOwnAnother(have)
}

// MayJoin allows users to join an open circle, except those whom an organizer has removed. Others get ErrNotFound.
func MayJoin(c Circle, removed bool) error { return mayEnter(c, JoinOpen, removed) }

// MayAsk allows users to ask to join a circle that takes requests, except those whom an organizer has removed. Others
// get ErrNotFound.
func MayAsk(c Circle, removed bool) error { return mayEnter(c, JoinAsk, removed) }

func mayEnter(c Circle, by Joining, removed bool) error {
	if c.ID == "" || c.Join != by || removed || !c.DeletedAt.IsZero() || !c.ArchivedAt.IsZero() {
		return ErrNotFound
	}
	return nil
}

// MayJoinBy allows users to join by an invitation. A user whom an organizer has removed, at the time removed, needs a
// later one. Others get ErrNotFound.
func MayJoinBy(i Invitation, c Circle, u User, removed, now time.Time) error {
	if i.CircleID != c.ID || !c.DeletedAt.IsZero() || !i.Admits(u, now) ||
		(!removed.IsZero() && !i.CreatedAt.After(removed)) {
		return ErrNotFound
	}
	return notArchived(c)
}

// MayAnswerInvited allows the user with the verified address of a roster to accept or decline its invitation, once,
// like MayJoinBy.
func MayAnswerInvited(i Invitation, c Circle, u User, removed, now time.Time) error {
	if i.RosterEmail == "" || !i.DeclinedAt.IsZero() {
		return ErrNotFound
	}
	return MayJoinBy(i, c, u, removed, now)
}

// MayJoinByRoster allows such a user to join without an answer, if the address is in a domain that the operator has
// named and the user does not refuse.
func MayJoinByRoster(i Invitation, c Circle, u User, enrol Domains, refused Refusal, removed, now time.Time) error {
	if !enrol.Include(u) || refused != "" {
		return ErrNotFound
	}
	return MayAnswerInvited(i, c, u, removed, now)
}

var (
	errLastOwner     = Errorf(CodeLastOwner, "A circle needs an owner. Make another member an owner first.")
	errOwnerByRoster = Errorf(CodeInvalid, "A roster does not change the owners. Change them in the list of members.")
	errTooManyOwners = Errorf(CodeTooManyOwners, "A circle has at most %d owners.", MaxOwners)
)

// mayOwnAnother refuses to make a member who owns the most circles the owner of another.
func mayOwnAnother(h Holdings) error {
	h.All-- // the membership exists
	return MayHaveCircle(h, CircleOwner)
}

// CircleMay lists what a member may do in a circle. The policy allows everything that is true here.
type CircleMay struct {
	Publish  bool
	Grade    bool
	Organize bool // manage members, invitations and the roster
	Change   bool // settings and roles
	Own      bool // archive, unarchive and delete
}

// CircleActions returns what a member may do in c.
func CircleActions(m Membership, c Circle) CircleMay {
	return CircleMay{
		Publish: MayPublishIn(m, c) == nil, Grade: MayGradeIn(m, c) == nil, Organize: MayOrganize(m, c) == nil,
		Change: MayChangeCircle(m, c) == nil, Own: MayOwn(m, c) == nil,
	}
}

// MemberMay lists what an organizer may do with a member. The policy allows everything that is true here, as far as the
// number of owners and the member's other circles permit a new role.
type MemberMay struct {
	Role   bool // give another one
	Label  bool // change the label and the name as in the roster
	Remove bool
}

// MemberActions returns what a member m of c may do with the member of. owners is the number of owners.
func MemberActions(m Membership, c Circle, of Membership, owners int64) MemberMay {
	role := CircleMember
	if of.Role == role {
		role = CircleOrganizer
	}
	return MemberMay{
		Role:   MayChangeMember(m, c, of, MemberChange{Role: &role}, owners, Holdings{}) == nil,
		Label:  MayChangeMember(m, c, of, MemberChange{}, owners, Holdings{}) == nil,
		Remove: MayRemoveMember(m, c, of, owners) == nil,
	}
}

// Holdings are how many circles a user has.
type Holdings struct {
	Owned, All int64
}

// MayHaveCircle refuses another membership, in the given role, to a user who has the most already.
func MayHaveCircle(h Holdings, role CircleRole) error {
	if h.All >= MaxMemberships || (role == CircleOwner && h.Owned >= MaxOwnedCircles) {
		return Errorf(
			CodeTooManyCircles, "A user can be in %d circles and own %d of them. Leave one first.",
			MaxMemberships, MaxOwnedCircles,
		)
	}
	return nil
}

func notArchived(c Circle) error {
	if !c.ArchivedAt.IsZero() {
		return Errorf(CodeCircleArchived, "This circle is archived. It can be read, but not changed.")
	}
	return nil
}
