package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
)

// visible spells studycircle.Visible for the rows of a table that hold objects of a kind, for both engines. It asks
// the predicate about an example of each case that a condition distinguishes, so that a rule changes in Visible
// alone.
func visible(o studycircle.Object) *engine.Guard {
	return engine.NewGuard(func(r studycircle.Role) string {
		if r == studycircle.RoleSystem {
			return ""
		}
		return conditionOf(o, exampleOf(r))
	})
}

// exampleOf returns a viewer in a role other than the system's.
func exampleOf(r studycircle.Role) studycircle.Viewer {
	user := studycircle.ViewerOf("user")
	switch r {
	case studycircle.RoleLive:
		return studycircle.Live()
	case studycircle.RoleVisitor:
		return studycircle.Visitor()
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
			return comment + engine.And("EXISTS (SELECT 1 FROM assignments of WHERE of.id = {row}.assignment_id AND "+assignment+")")
		}
		return comment
	case studycircle.ObjectPersonal:
		if studycircle.Visible(v, studycircle.Facts{Object: o, OwnerID: v.UserID()}) {
			return "{row}.user_id = {viewer}"
		}
		return only(false)
	default:
		return only(studycircle.Visible(v, studycircle.Facts{Object: o}))
	}
}

// assignmentCondition contains deleted_at IS NULL in the spelling of the partial indexes.
func assignmentCondition(v studycircle.Viewer, row string) string {
	live := studycircle.Facts{Object: studycircle.ObjectAssignment}
	deleted, ownHidden := live, live
	deleted.Deleted = true
	ownHidden.Deleted, ownHidden.Hidden, ownHidden.CreatorID = true, true, v.UserID()
	switch {
	case studycircle.Visible(v, deleted):
		return ""
	case studycircle.Visible(v, ownHidden):
		return "(" + row + "deleted_at IS NULL OR " + row + "hidden_reason IS NOT NULL AND " + row + "creator_id = {viewer})"
	case studycircle.Visible(v, live):
		return row + "deleted_at IS NULL"
	default:
		return only(false)
	}
}

func commentCondition(v studycircle.Viewer) string {
	listed := studycircle.Facts{Object: studycircle.ObjectComment}
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
