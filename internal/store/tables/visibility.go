package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
)

// visible spells studycircle.Visible for the rows of a table that hold objects of a
// kind. It is the one place that does, for both engines.
func visible(o studycircle.Object) *engine.Guard {
	return engine.NewGuard(func(r studycircle.Role) string {
		switch r {
		case studycircle.RoleSystem:
			return ""
		case studycircle.RoleNone:
			return "1 = 0"
		default:
			return conditionOf(o, r)
		}
	})
}

func conditionOf(o studycircle.Object, r studycircle.Role) string {
	switch o {
	case studycircle.ObjectAssignment:
		return assignmentCondition(r, "{row}.")
	case studycircle.ObjectComment:
		own := map[studycircle.Role]string{
			studycircle.RoleModerator: "",
			studycircle.RoleAuthor:    "({row}.listed OR {row}.hidden_at IS NOT NULL AND {row}.author_id = {viewer})",
		}
		comment, special := own[r]
		if !special {
			comment = "{row}.listed"
		}
		if assignment := assignmentCondition(r, "of."); assignment != "" {
			return comment + engine.And("EXISTS (SELECT 1 FROM assignments of WHERE of.id = {row}.assignment_id AND "+assignment+")")
		}
		return comment
	case studycircle.ObjectWork:
		return only(r != studycircle.RoleVisitor)
	case studycircle.ObjectReport:
		return only(r == studycircle.RoleModerator)
	case studycircle.ObjectPersonal:
		if r == studycircle.RoleVisitor {
			return only(false)
		}
		return "{row}.user_id = {viewer}"
	default:
		return only(false)
	}
}

// assignmentCondition keeps deleted_at IS NULL as it stands in partial indexes.
func assignmentCondition(r studycircle.Role, row string) string {
	switch r {
	case studycircle.RoleParty, studycircle.RoleModerator:
		return ""
	case studycircle.RoleAuthor:
		return "(" + row + "deleted_at IS NULL OR " + row + "hidden_reason IS NOT NULL AND " + row + "creator_id = {viewer})"
	default:
		return row + "deleted_at IS NULL"
	}
}

func only(yes bool) string {
	if yes {
		return ""
	}
	return "1 = 0"
}
