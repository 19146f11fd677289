package tables

import (
	"strings"

	"studycircle/internal/store/engine"
)

// Queries that neither a list nor a lookup can express. Each reads the rows of a guarded table through visible.

// dollars returns n placeholders from the first on.
func dollars(first, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = engine.Dollar(first + i)
	}
	return all
}

type visibleRows = func(of *engine.Shape, alias string) string

// inUse is the condition that an assignment a is in no archived circle.
const inUse = " AND (a.circle_id = '' OR (SELECT c.archived_at FROM circles c WHERE c.id = a.circle_id) IS NULL)"

const dueBetween = " AND a.circle_id = CAST($4 AS TEXT) AND a.due_at >= $1 AND a.due_at <= $2 AND (a.level = CAST($3 " +
	"AS TEXT) OR CAST($3 AS TEXT) = '')"

var (
	// CountDueBetween counts the assignments of a level $3, "" for all, in the place $4 that are due from $1 to $2.
	CountDueBetween = engine.NewQuery(4, engine.Dollar, func(visible visibleRows) string {
		return "SELECT COUNT(*) FROM assignments a WHERE " + visible(&Assignments.Shape, "a") + dueBetween
	})
	// DueFrom returns their positions in lists, soonest due first, $6 after the first $5.
	DueFrom = engine.NewQuery(6, engine.Dollar, func(visible visibleRows) string {
		return "SELECT a.seq FROM assignments a WHERE " + visible(&Assignments.Shape, "a") + dueBetween +
			" ORDER BY a.due_at, a.seq LIMIT CAST($6 AS BIGINT) OFFSET CAST($5 AS BIGINT)"
	})
	// CountCreated counts the assignments of the creator $1.
	CountCreated = engine.NewQuery(1, engine.Dollar, func(visible visibleRows) string {
		return "SELECT COUNT(*) FROM assignments a WHERE a.creator_id = $1 AND " + visible(&Assignments.Shape, "a")
	})
	// DueOf returns the user $1's pending submissions and reminders, due after $2 and until $3 as the due date applies to
	// the user, at most $4, but none of archived circles: id, circle, title, due date, state, and whether there is a
	// reminder.
	DueOf = engine.NewQuery(4, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT a.id, a.circle_id, a.title, COALESCE(x.due_at, a.due_at) AS due_at,
	COALESCE(x.due_offset, a.due_offset), t.state,
	EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = a.id)
FROM (
	SELECT p.seq FROM (
		SELECT seq FROM taken WHERE user_id = $1 AND state = 'pending' AND due_at > $2 AND due_at <= $3
		ORDER BY due_at, seq LIMIT CAST($4 AS BIGINT)
	) AS p
	UNION
	SELECT asked.seq FROM reminders r JOIN assignments asked ON asked.id = r.assignment_id
	WHERE r.user_id = $1 AND ` + visible(&Assignments.Shape, "asked") + ` AND asked.due_at > $2 AND asked.due_at <= $3
	UNION
	SELECT later.seq FROM extensions e JOIN assignments later ON later.id = e.assignment_id
	WHERE e.user_id = $1 AND e.due_at > $2 AND e.due_at <= $3 AND ` + visible(&Assignments.Shape, "later") + ` AND (
		EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = e.assignment_id)
		OR EXISTS (SELECT 1 FROM taken k WHERE k.user_id = $1 AND k.seq = later.seq AND k.state = 'pending'))
) AS d
JOIN assignments a ON a.seq = d.seq
LEFT JOIN taken t ON t.user_id = $1 AND t.seq = a.seq
LEFT JOIN extensions x ON x.assignment_id = a.id AND x.user_id = $1
WHERE COALESCE(a.creator_id, '') <> $1 AND ` + visible(&Assignments.Shape, "a") + `
	AND COALESCE(x.due_at, a.due_at) > $2 AND COALESCE(x.due_at, a.due_at) <= $3
` + inUse + `
ORDER BY COALESCE(x.due_at, a.due_at), a.seq LIMIT CAST($4 AS BIGINT)`
	})
	// CalendarOf returns the assignments that the user $1 has reminders of, latest due first, at most $2, but none of
	// archived circles.
	CalendarOf = engine.NewQuery(2, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT r.assignment_id, a.title, COALESCE(x.due_at, a.due_at), COALESCE(x.due_offset, a.due_offset), r.revision,
	CASE WHEN r.revised_at > a.updated_at THEN r.revised_at ELSE a.updated_at END,
	EXISTS (SELECT 1 FROM taken k WHERE k.user_id = $1 AND k.seq = a.seq)
FROM reminders r JOIN assignments a ON a.id = r.assignment_id
LEFT JOIN extensions x ON x.assignment_id = a.id AND x.user_id = $1
WHERE r.user_id = $1 AND ` + visible(&Assignments.Shape, "a") + inUse + `
ORDER BY COALESCE(x.due_at, a.due_at) DESC LIMIT $2`
	})
)

// ProgressOf returns the user $1's progress in assignments, whose ids follow.
var ProgressOf = manyIDs(1, func(visible visibleRows, ids []string) string {
	return `
SELECT a.id, COALESCE(a.creator_id, '') = $1, t.state, t.submission_id, t.attempts, t.best_mark, t.best_total,
	r.user_id IS NOT NULL, a.reviews_needed
FROM assignments a
LEFT JOIN taken t ON t.user_id = $1 AND t.seq = a.seq
LEFT JOIN reminders r ON r.user_id = $1 AND r.assignment_id = a.id
WHERE ` + visible(&Assignments.Shape, "a") + " AND a.id IN (" + strings.Join(ids, ", ") + ")"
})

// Discussion holds whether the discussion of an assignment is closed.
type Discussion struct {
	ID       string
	CircleID string
	Closed   bool
}

// Discussions is the table of assignments, with the state of their discussions.
var Discussions = engine.NewTable("assignments", Assignments.Guard, "", nil,
	engine.TextColumn("id", func(d *Discussion) *string { return &d.ID }),
	engine.TextColumn("circle_id", func(d *Discussion) *string { return &d.CircleID }),
	engine.BoolColumn("discussion_closed", func(d *Discussion) *bool { return &d.Closed }),
)

// DiscussionByID finds the discussion of an assignment.
var DiscussionByID = &engine.Lookup{Of: &Discussions.Shape, Key: "id"}

// ExtensionsOf returns the own due dates of the user $1 for assignments, whose ids follow.
var ExtensionsOf = manyIDs(1, func(_ visibleRows, ids []string) string {
	return "SELECT x.assignment_id, x.due_at, x.due_offset FROM extensions x " +
		"WHERE x.user_id = $1 AND x.assignment_id IN (" + strings.Join(ids, ", ") + ")"
})
