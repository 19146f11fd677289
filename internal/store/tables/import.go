package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
)

// Statements of imports and copies.
var (
	// ImportUsers adds users without passwords whose addresses are new.
	ImportUsers = engine.Statement{
		Head: "INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ",
		Row:  "(?, ?, ?, ?, '', ?)",
		Tail: " ON CONFLICT (email) DO NOTHING RETURNING id",
	}
	// UsersByEmail finds the ids of users by their addresses.
	UsersByEmail = engine.Statement{Head: "SELECT id, email FROM users WHERE email IN (", Row: "?", Tail: ")"}
	// ImportAssignments passes over those whose id is known.
	ImportAssignments = Assignments.Insert(" ON CONFLICT (id) DO NOTHING RETURNING seq, id")
	// ImportSubmissions has no target of the conflict: it passes over both a known id and
	// a second pending submission.
	ImportSubmissions = Submissions.Insert(" ON CONFLICT DO NOTHING RETURNING seq, id")
	// KnownSubmissions finds which ids are taken, also by exemplars, and in which places.
	KnownSubmissions = engine.Statement{Head: "SELECT id, circle_id FROM submissions WHERE id IN (", Row: "?", Tail: ")"}
	// ImportComments passes over those whose id is known.
	ImportComments = Comments.Insert(" ON CONFLICT (id) DO NOTHING RETURNING seq, id")
	// KnownComments finds which ids are taken, and on which assignments.
	KnownComments = engine.Statement{Head: "SELECT id, assignment_id FROM comments WHERE id IN (", Row: "?", Tail: ")"}
	// CountReplies adds to the numbers of comments' replies.
	CountReplies = engine.Statement{
		Head: "UPDATE comments SET replies = replies + more.column2 FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS BIGINT))",
		Tail: ") AS more WHERE comments.id = more.column1 RETURNING comments.id",
	}
	// AccountsInUse finds which addresses belong to accounts that a user has opened or claimed, and whether the address
	// is verified.
	AccountsInUse = engine.Statement{
		Head: "SELECT email, email_verified_at IS NOT NULL FROM users u WHERE (email_verified_at IS NOT NULL" +
			" OR password_hash <> '' OR contested_at IS NOT NULL" +
			" OR EXISTS (SELECT 1 FROM provider_links l WHERE l.user_id = u.id)" +
			" OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)) AND email IN (", Row: "?", Tail: ")",
	}
	// NumberSubmissions adds to the numbers of users' submissions and returns the last ones.
	NumberSubmissions = engine.Statement{
		Head: "UPDATE users SET submission_count = submission_count + more.column2 FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS BIGINT))",
		Tail: ") AS more WHERE users.id = more.column1 RETURNING users.id, users.submission_count",
	}
	// AssignmentsToIndex reads the live assignments after the seq $1 with their creators, $2 at most.
	AssignmentsToIndex = "SELECT " + Assignments.Selected("t", true) + " FROM assignments t" + Assignments.Joined("t") +
		" WHERE t.deleted_at IS NULL AND t.seq > $1 ORDER BY t.seq LIMIT $2"
)

// AllOf reads columns of all rows of a table.
func AllOf(table, columns string) string { return "SELECT " + columns + " FROM " + table }

// CountOf counts the rows of a table.
func CountOf(table string) string { return "SELECT COUNT(*) FROM " + table }

// Heads is the table of assignments, as far as a submission takes from its assignment.
var Heads = engine.NewTable("assignments", visible(studycircle.ObjectAssignment), "", nil,
	engine.TextColumn("id", func(a *assignment) *string { return &a.ID }),
	engine.TextColumn("circle_id", func(a *assignment) *string { return &a.CircleID }),
	engine.TextColumn("title", func(a *assignment) *string { return &a.Title }),
	engine.IntColumn("marks", func(a *assignment) *int64 { return &a.Marks }),
	dueColumn, dueOffsetColumn,
	engine.IntColumn("reviews_needed", func(a *assignment) *int64 { return &a.Reviews }),
)

// HeadByID finds the head of an assignment.
var HeadByID = &engine.Lookup{Of: &Heads.Shape, Key: "id"}
