package tables

import (
	"studycircle"
	"studycircle/internal/store/pages"
)

// MemberScope counts the members of a circle.
func MemberScope(circleID string) pages.Scope { return pages.Scope("members/" + circleID) }

// MemberRoleScope counts the members of a circle with a role.
func MemberRoleScope(circleID string, r studycircle.CircleRole) pages.Scope {
	return pages.Scope("members/" + circleID + "/role/" + string(r))
}

// MemberLabelScope counts the members of a circle with a label.
func MemberLabelScope(circleID, label string) pages.Scope {
	return pages.Scope("members/" + circleID + "/label/" + label)
}

// CountMembership adds n members like m to the counts of their circle.
func CountMembership(e Effects, m studycircle.Membership, n int64) {
	e.Count(MemberScope(m.CircleID), m.Seq, n)
	e.Count(MemberRoleScope(m.CircleID, m.Role), m.Seq, n)
	if m.Label != "" {
		e.Count(MemberLabelScope(m.CircleID, m.Label), m.Seq, n)
	}
}
