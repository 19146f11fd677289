package tables

import (
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
)

// visible spells studycircle.Visible for the rows of a table that hold objects of a kind, for both engines. It asks
// the predicate about an example of each case that a condition distinguishes, so that a rule changes in Visible
// alone.
func visible(o studycircle.Object) *engine.Guard {
	return guardOf(func(v studycircle.Viewer) string { return conditionOf(o, v) })
}

// visibleIn is visible for a table whose rows carry the circle of their assignment. owner is the column with the id of
// the user whose work a row is; "" for none.
func visibleIn(o studycircle.Object, owner string) *engine.Guard {
	return guardOf(func(v studycircle.Viewer) string { return conditionOf(o, v) + placed(o, v, "{row}.", owner) })
}

// ofSubmission is visible(ObjectWork) for a table whose rows belong to the submission in one of its columns.
func ofSubmission(column string) *engine.Guard {
	return guardOf(func(v studycircle.Viewer) string {
		work := conditionOf(studycircle.ObjectWork, v)
		if work != "" {
			return work
		}
		return "EXISTS (SELECT 1 FROM submissions of WHERE of.id = {row}." + column + placed(
			studycircle.ObjectWork, v, "of.", "submitter_id",
		) + ")"
	})
}

func guardOf(condition func(studycircle.Viewer) string) *engine.Guard {
	return engine.NewGuard(func(r studycircle.Role) string {
		if r.Base() == studycircle.RoleSystem {
			return ""
		}
		return strings.TrimPrefix(condition(exampleOf(r)), " AND ")
	})
}

// placed is the condition that an object belongs to a place of the viewer, or is the viewer's own work, to follow
// others. "" if its place decides nothing.
func placed(o studycircle.Object, v studycircle.Viewer, row, owner string) string {
	sees := func(circleID string, member bool, ownerID string) bool {
		return studycircle.Visible(v, studycircle.Facts{Object: o, CircleID: circleID, Member: member, OwnerID: ownerID})
	}
	of := "other"
	if o == studycircle.ObjectPersonal {
		of = v.UserID() // another condition names the user
	}
	hall, joined := sees(studycircle.Hall, false, of), sees("circle", true, of)
	if hall && sees("circle", false, of) || !hall && !joined {
		return ""
	}
	var places []string
	if hall {
		places = append(places, row+"circle_id = ''")
	}
	if owner != "" && sees("circle", false, v.UserID()) {
		places = append(places, row+owner+" = {viewer}")
	}
	if joined {
		places = append(places, Membership(row+"circle_id", "{viewer}"))
	}
	if len(places) == 1 {
		return engine.And(places[0])
	}
	return engine.And("(" + strings.Join(places, " OR ") + ")")
}

// Membership is the condition that a user is a member of a circle at this moment: studycircle.Facts.Member. The
// subqueries have one row each, so that PostgreSQL looks both up by their keys instead of reading all memberships.
func Membership(circle, user string) string {
	return "(SELECT m.role FROM circle_members m WHERE m.circle_id = " + circle + " AND m.user_id = " + user +
		" AND (SELECT c.deleted_at FROM circles c WHERE c.id = m.circle_id) IS NULL LIMIT 1) IS NOT NULL"
}

// exampleOf returns a viewer in a role other than the system's.
func exampleOf(r studycircle.Role) studycircle.Viewer {
	hall := studycircle.HallOn
	if !r.HasHall() {
		hall = studycircle.HallOff
	}
	user := hall.As(studycircle.ViewerOf("user"))
	switch r.Base() {
	case studycircle.RoleLive:
		return studycircle.Live()
	case studycircle.RoleVisitor:
		return hall.As(studycircle.Visitor())
	case studycircle.RoleUser:
		return user
	case studycircle.RoleAuthor:
		return user.Author()
	case studycircle.RoleParty:
		return user.Party()
	case studycircle.RoleModerator:
		return user.Moderator()
	default:
		return studycircle.Viewer{}
	}
}

func conditionOf(o studycircle.Object, v studycircle.Viewer) string {
	switch o {
	case studycircle.ObjectAssignment:
		return assignmentCondition(v, "{row}.")
	case studycircle.ObjectComment:
		comment := commentCondition(v)
		if assignment := assignmentCondition(v, "of."); assignment != "" {
			return strings.TrimPrefix(engine.And(comment)+
				" AND EXISTS (SELECT 1 FROM assignments of WHERE of.id = {row}.assignment_id AND "+assignment+")", " AND ")
		}
		return comment
	case studycircle.ObjectPersonal:
		if studycircle.Visible(v, studycircle.Facts{Object: o, OwnerID: v.UserID()}) {
			return "{row}.user_id = {viewer}"
		}
		return only(false)
	default:
		return only(studycircle.Visible(v, within(v, o)))
	}
}

// within returns an example of an object in a place that a user enters: the hall or, if that is off, a circle.
func within(v studycircle.Viewer, o studycircle.Object) studycircle.Facts {
	f := studycircle.Facts{Object: o}
	if !v.Role().HasHall() {
		f.CircleID, f.Member = "circle", true
	}
	return f
}

// assignmentCondition contains deleted_at IS NULL in the spelling of the partial indexes.
func assignmentCondition(v studycircle.Viewer, row string) string {
	live := within(v, studycircle.ObjectAssignment)
	deleted, ownHidden := live, live
	deleted.Deleted = true
	ownHidden.Deleted, ownHidden.Hidden, ownHidden.CreatorID = true, true, v.UserID()
	in := placed(studycircle.ObjectAssignment, v, row, "")
	switch {
	case studycircle.Visible(v, deleted):
		return strings.TrimPrefix(in, " AND ")
	case studycircle.Visible(v, ownHidden):
		return "(" + row + "deleted_at IS NULL OR " + row + "hidden_reason IS NOT NULL AND " + row +
			"creator_id = {viewer})" + in
	case studycircle.Visible(v, live):
		return row + "deleted_at IS NULL" + in
	default:
		return only(false)
	}
}

func commentCondition(v studycircle.Viewer) string {
	listed := within(v, studycircle.ObjectComment)
	unlisted, ownHidden := listed, listed
	unlisted.Unlisted = true
	ownHidden.Unlisted, ownHidden.CommentHidden, ownHidden.OwnerID = true, true, v.UserID()
	switch {
	case studycircle.Visible(v, unlisted):
		return ""
	case studycircle.Visible(v, ownHidden):
		return "({row}.listed OR {row}.hidden_at IS NOT NULL AND {row}.author_id = {viewer})"
	case studycircle.Visible(v, listed):
		return "{row}.listed"
	default:
		return only(false)
	}
}

// only returns a condition that holds for all rows or for none.
func only(yes bool) string {
	if yes {
		return ""
	}
	return "1 = 0"
}
