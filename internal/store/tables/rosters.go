package tables

import (
	"strings"

	"studycircle/internal/store/engine"
)

// Statements about many members of circles, and many addresses.
var (
	// InsertMembers adds members.
	InsertMembers = Members.Insert(" RETURNING seq, user_id")
	// UpdateMembers stores the role, label, names and id in a roster of members, by their positions.
	UpdateMembers = engine.Statement{
		Head: "UPDATE circle_members SET role = v.column2, label = v.column3, name = v.column4, " +
			"family_name = v.column5, source_id = v.column6 FROM (VALUES ",
		Row:  "(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v WHERE circle_members.seq = v.column1 RETURNING circle_members.seq",
	}
	// SortMembers stores the keys by which members are sorted, by their positions.
	SortMembers = engine.Statement{
		Head: "UPDATE circle_members SET name_key = v.column2, family_key = v.column3, roster_name_key = v.column4, " +
			"roster_family_key = v.column5 FROM (VALUES ",
		Row:  "(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v WHERE circle_members.seq = v.column1 RETURNING circle_members.seq",
	}
	// NamesOfUsers reads the ids, names and addresses of users.
	NamesOfUsers = engine.Statement{Head: "SELECT id, display_name, email FROM users WHERE id IN (", Row: "?", Tail: ")"}
	// DeleteMemberWords removes the words of members, by their positions.
	DeleteMemberWords = engine.Statement{Head: "DELETE FROM circle_member_words WHERE seq IN (", Row: "?", Tail: ")"}
	// InsertMemberWords adds words of members.
	InsertMemberWords = engine.Statement{
		Head: "INSERT INTO circle_member_words (circle_id, seq, word, for_organizers) VALUES ", Row: "(?, ?, ?, ?)",
	}

	// RosteredUsers finds the accounts with some addresses, with the numbers of their circles and of their invitations
	// since a time, each address with a circle: the user's refusal and the membership follow, NULL without them.
	RosteredUsers = engine.Statement{
		Head: "SELECT u.id, u.email, u.email_verified_at, (SELECT COUNT(*) FROM circle_members h WHERE h.user_id = u.id)," +
			" (SELECT COUNT(*) FROM circle_invitations i WHERE i.roster_email = u.email AND i.created_at > v.column3)," +
			" f.kind, m.seq, m.role, m.label, m.name, m.family_name, m.source_id, m.joined_at FROM (VALUES ",
		Row: "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT))",
		Tail: ") AS v JOIN users u ON u.email = v.column1" +
			" LEFT JOIN circle_refusals f ON f.circle_id = v.column2 AND f.user_id = u.id" +
			" LEFT JOIN circle_members m ON m.circle_id = v.column2 AND m.user_id = u.id",
	}
	// RosterInvitations finds the invitations of some addresses, each with its circle.
	RosterInvitations = engine.Statement{
		Head: "SELECT " + Invitations.Selected("i", false) + " FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v JOIN circle_invitations i ON i.roster_email = v.column1 AND i.circle_id = v.column2",
	}
	// InsertInvited adds invitations of a roster that are emailed at a time.
	InsertInvited = engine.Statement{
		Head: "INSERT INTO circle_invitations (id, circle_id, role, label, name, family_name, source_id, uses_left, " +
			"roster_email, created_by, created_at, expires_at, mail_at) VALUES ",
		Row:  "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		Tail: " RETURNING id",
	}
	// RenewInvited makes invitations of a roster that were over valid again, and has them emailed.
	RenewInvited = engine.Statement{
		Head: "UPDATE circle_invitations SET role = v.column2, label = v.column3, name = v.column4, uses_left = v.column5, " +
			"created_by = v.column6, created_at = v.column7, expires_at = v.column8, mail_at = v.column7, revoked_at = NULL, " +
			"declined_at = NULL, family_name = v.column9, source_id = v.column10 FROM (VALUES ",
		Row: "(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), " +
			"CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v WHERE circle_invitations.seq = v.column1 RETURNING circle_invitations.seq",
	}
	// RewordInvited stores the role, label, names and id in the roster of invitations of a roster.
	RewordInvited = engine.Statement{
		Head: "UPDATE circle_invitations SET role = v.column2, label = v.column3, name = v.column4, " +
			"family_name = v.column5, source_id = v.column6 FROM (VALUES ",
		Row:  "(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v WHERE circle_invitations.seq = v.column1 RETURNING circle_invitations.seq",
	}
	// DeleteRequests removes the requests of users to join circles.
	DeleteRequests = engine.Statement{
		Head: "DELETE FROM circle_requests WHERE (circle_id, user_id) IN (VALUES ", Row: "(CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ")",
	}
	// DeleteRemovals forgets that organizers removed users from circles.
	DeleteRemovals = engine.Statement{
		Head: "DELETE FROM circle_removals WHERE (circle_id, user_id) IN (VALUES ", Row: "(CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ")",
	}
	// DeleteRefusals forgets that users refused circles.
	DeleteRefusals = engine.Statement{
		Head: "DELETE FROM circle_refusals WHERE (circle_id, user_id) IN (VALUES ", Row: "(CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ")",
	}
)

// ModeratorsNamed finds the appointed moderators and the accounts with some addresses: id, address, and when it was
// verified and its user appointed.
var ModeratorsNamed = manyIDs(0, func(_ visibleRows, addresses []string) string {
	return "SELECT u.id, u.email, u.email_verified_at, u.moderator_since FROM users u " +
		"WHERE u.moderator_since IS NOT NULL OR u.email IN (" + strings.Join(addresses, ", ") + ")"
})

// AccountsWith finds the ids of the accounts with some addresses.
var AccountsWith = manyIDs(0, func(_ visibleRows, addresses []string) string {
	return "SELECT u.id FROM users u WHERE u.email IN (" + strings.Join(addresses, ", ") + ")"
})
