package studycircle

// Viewer is the user, or the part of the server, on whose behalf data is read. Every
// read of the store takes a Viewer and returns only what Visible allows. The zero
// Viewer sees nothing.
type Viewer struct {
	role    Role
	userID  string
	hallOff bool // the hall does not exist for the viewer: see HallMode
}

// Role is the capacity in which a Viewer reads.
type Role int

// The roles, from the zero Viewer's on.
const (
	RoleNone      Role = iota
	RoleLive           // the server, about what is neither deleted nor hidden
	RoleVisitor        // not signed in
	RoleUser           // signed in
	RoleAuthor         // a user who also reads their own work that a moderator has hidden
	RoleParty          // a user who takes part in work on an assignment, also once it is deleted
	RoleModerator      // a user who decides on reports, for the server or for a circle
	RoleSystem         // the server itself
	withoutHall        // added to the role of a viewer for whom the hall is off
)

// Roles is how many roles there are, with the hall and without.
const Roles = 2 * withoutHall

// Base returns a role with the hall.
func (r Role) Base() Role { return r % withoutHall }

// HasHall reports whether the hall exists for a role.
func (r Role) HasHall() bool { return r < withoutHall }

// Visitor returns a viewer who is not signed in.
func Visitor() Viewer { return Viewer{role: RoleVisitor} }

// ViewerOf returns a signed-in user as a viewer; a visitor where userID is "".
func ViewerOf(userID string) Viewer {
	if userID == "" {
		return Viewer{role: RoleVisitor}
	}
	return Viewer{role: RoleUser, userID: userID}
}

// System returns the viewer that sees everything. Only background work, exports and
// the operator's commands read as System.
func System() Viewer { return Viewer{role: RoleSystem} }

// Live returns the viewer that sees every assignment that is neither deleted nor hidden, in any circle, and nothing
// attached to one. The caller of the API may not see some of them: the server reads as Live to decide whether work on
// an assignment goes on, and no answer contains what it reads.
func Live() Viewer { return Viewer{role: RoleLive} }

// Author returns v as the author of what it reads: it also sees the user's own work
// that a moderator has hidden.
func (v Viewer) Author() Viewer { return v.as(RoleAuthor) }

// Party returns v as a party to the work on an assignment: the submitter, a reviewer
// or the creator. It also sees the assignment once it is deleted or hidden.
func (v Viewer) Party() Viewer { return v.as(RoleParty) }

// Moderator returns v as a moderator, or as an organizer of a circle, who sees reports and all that is reported, also
// in a hall that is off. The caller has checked MayReadReports or MayDecideIn.
func (v Viewer) Moderator() Viewer {
	v.hallOff = v.hallOff && v.userID == ""
	return v.as(RoleModerator)
}

// as changes the role of a user. Others keep theirs.
func (v Viewer) as(r Role) Viewer {
	if v.userID != "" {
		v.role = r
	}
	return v
}

// Role returns the capacity in which v reads, with the hall or without.
func (v Viewer) Role() Role {
	if v.hallOff {
		return v.role + withoutHall
	}
	return v.role
}

// UserID returns the id of the user, or "" for visitors, System and the zero Viewer.
func (v Viewer) UserID() string { return v.userID }

// Object is a kind of thing that is visible or not.
type Object int

// The kinds of objects. Every object but an assignment is attached to one.
const (
	// ObjectAssignment is an assignment with its discussion's state, its due date, and its position in lists and
	// searches.
	ObjectAssignment Object = iota + 1
	// ObjectComment is a comment with its reactions.
	ObjectComment
	// ObjectWork is submissions, link health, reviews, leases, settlements and exemplars. Policy decides which user
	// reads which.
	ObjectWork
	// ObjectReport is a report, or a decision about one, of the moderators or of a circle's organizers. Its CircleID is
	// the circle whose organizers decide.
	ObjectReport
	// ObjectPersonal is a user's own reminder or notification.
	ObjectPersonal
)

// Facts are the facts that decide whether an object is visible.
type Facts struct {
	Object Object
	// The assignment, or the one that the object is attached to.
	CreatorID string // "" if the account is gone
	Deleted   bool   // by its creator or a moderator
	Hidden    bool   // by a moderator
	// CircleID is the assignment's circle, "" for the hall. Member reports that the viewer is a member of it at this
	// moment; a deleted circle has no members.
	CircleID string
	Member   bool
	// OwnerID is the author of a comment, the user whose personal object it is, or the submitter or reviewer whose work
	// it is.
	OwnerID string
	// Unlisted reports that a comment is deleted or hidden and has no replies; CommentHidden that a moderator has
	// hidden it.
	Unlisted, CommentHidden bool
}

// Visible reports whether v may see an object. It is the one rule of visibility; store/tables derives SQL conditions
// from it. A rule for all objects, as the one of circles, stands before the switch by kind.
func Visible(v Viewer, f Facts) bool {
	switch v.role {
	case RoleLive:
		return f.Object == ObjectAssignment && assignmentVisible(v, f)
	case RoleVisitor, RoleUser, RoleAuthor, RoleParty, RoleModerator:
	case RoleSystem:
		return true
	default:
		return false
	}
	if !enters(v, f) {
		return formerVisible(v, f)
	}
	switch f.Object {
	case ObjectAssignment:
		return assignmentVisible(v, f)
	case ObjectComment:
		return assignmentVisible(v, f) && commentVisible(v, f)
	case ObjectWork:
		return v.userID != ""
	case ObjectReport:
		return v.role == RoleModerator
	case ObjectPersonal:
		return v.userID != "" && v.userID == f.OwnerID
	default:
		return false
	}
}

// enters reports whether an object is in a place of v: in a circle of which v is a member, or in the hall, unless that
// is off. What is a user's own stays theirs.
func enters(v Viewer, f Facts) bool {
	if f.CircleID == Hall {
		return !v.hallOff || f.Object == ObjectPersonal
	}
	return f.Member && v.userID != ""
}

// formerVisible decides about an object of a place that v does not enter. A former member keeps their own work, and
// reads it as a party; so does every user once the hall is off.
func formerVisible(v Viewer, f Facts) bool {
	return f.Object == ObjectWork && v.role == RoleParty && v.userID == f.OwnerID
}

// assignmentVisible hides a deleted assignment. An assignment hidden by a moderator counts as deleted.
func assignmentVisible(v Viewer, f Facts) bool {
	switch v.role {
	case RoleParty, RoleModerator:
		return true
	case RoleAuthor:
		return !f.Deleted || f.Hidden && f.CreatorID == v.userID
	default:
		return !f.Deleted
	}
}

// commentVisible hides a comment that is deleted or hidden, unless its replies need it
// as their thread.
func commentVisible(v Viewer, f Facts) bool {
	switch v.role {
	case RoleModerator:
		return true
	case RoleAuthor:
		return !f.Unlisted || f.CommentHidden && f.OwnerID == v.userID
	default:
		return !f.Unlisted
	}
}
