package tables

import "studycircle/internal/store/engine"

// inUseOf is the condition that the circle of a membership is neither archived nor deleted.
func inUseOf(membership string) string {
	return "(SELECT c.id FROM circles c WHERE c.id = " + membership +
		".circle_id AND c.archived_at IS NULL AND c.deleted_at IS NULL) IS NOT NULL"
}

// The queries of studycircle.Need find candidates: its predicates decide.
var (
	// WorkDueOf returns the assignments for which the user $1 has handed in nothing, of the circles in which the user is
	// a plain member, due after $2 and until $3 as the due date applies to the user, soonest first, at most $4: id,
	// circle, creator, title, due date.
	WorkDueOf = engine.NewQuery(4, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT a.id, a.circle_id, COALESCE(a.creator_id, ''), a.title, d.due_at, d.due_offset FROM (
	SELECT p.seq, p.due_at, p.due_offset FROM (
		SELECT w.seq, w.due_at, w.due_offset FROM circle_members m JOIN assignments w ON w.circle_id = m.circle_id
		WHERE m.user_id = $1 AND m.role = 'member' AND ` + inUseOf("m") + `
			AND w.due_at > $2 AND w.due_at <= $3 AND w.deleted_at IS NULL AND COALESCE(w.creator_id, '') <> $1
			AND NOT EXISTS (SELECT 1 FROM taken k WHERE k.user_id = $1 AND k.seq = w.seq)
			AND NOT EXISTS (SELECT 1 FROM extensions e WHERE e.user_id = $1 AND e.assignment_id = w.id)
		ORDER BY w.due_at, w.seq LIMIT CAST($4 AS BIGINT)
	) AS p
	UNION ALL
	SELECT later.seq, e.due_at, e.due_offset FROM extensions e
	JOIN assignments later ON later.id = e.assignment_id
	JOIN circle_members m ON m.user_id = $1 AND m.circle_id = later.circle_id AND m.role = 'member'
	WHERE e.user_id = $1 AND e.due_at > $2 AND e.due_at <= $3 AND ` + inUseOf("m") + `
		AND NOT EXISTS (SELECT 1 FROM taken k WHERE k.user_id = $1 AND k.seq = later.seq)
) AS d JOIN assignments a ON a.seq = d.seq
WHERE ` + visible(&Assignments.Shape, "a") + `
ORDER BY d.due_at, a.seq LIMIT CAST($4 AS BIGINT)`
	})
	// UnsettledOf returns the submissions for the creator $1's assignments that are under appeal before the creator is
	// asked, each in a row, and those that have all reviews asked for at first or any after a review due date until $2,
	// counted by the state of their reviews; at most $3 rows: assignment, circle, title, review due date, phase, reviews,
	// reviews needed and wanted, their number, the first that is settled and when.
	UnsettledOf = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT a.id, a.circle_id, a.title, a.review_due_at, a.review_due_offset, g.phase, g.reviews, g.needed, g.wanted,
	g.works, g.first, g.settle_at
FROM (
	SELECT s.assignment_id, s.phase, s.reviews, s.needed, s.wanted, COUNT(*) AS works, MIN(s.id) AS first,
		MIN(s.settle_at) AS settle_at
	FROM assignments o JOIN review_states s ON s.assignment_id = o.id
	WHERE o.creator_id = $1 AND o.deleted_at IS NULL AND s.phase <> 'settled'
		AND (s.phase = 'appealed' AND NOT s.asked OR s.phase = 'open' AND s.reviews > 0
			AND (s.reviews >= s.needed OR o.review_due_at > 0 AND o.review_due_at <= $2))
	GROUP BY s.assignment_id, s.phase, s.reviews, s.needed, s.wanted,
		CASE WHEN s.phase = 'appealed' THEN s.id ELSE '' END
) g JOIN assignments a ON a.id = g.assignment_id
WHERE ` + visible(&Assignments.Shape, "a") + inUse + `
ORDER BY g.settle_at, g.first LIMIT CAST($3 AS BIGINT)`
	})
	// QuestionsTo returns the submissions of the user $1 about which questions wait for an answer, at most $2: id,
	// assignment, circle, title, status, phase of its reviews, their number, and when the submission is settled.
	QuestionsTo = engine.NewQuery(2, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT s.id, COALESCE(s.assignment_id, ''), s.circle_id, s.assignment_title, s.status, r.phase, COUNT(*), r.settle_at
FROM review_questions q JOIN submissions s ON s.id = q.submission_id JOIN review_states r ON r.id = s.id
WHERE q.submitter_id = $1 AND q.answered_at IS NULL AND r.phase <> 'settled'
	AND ` + visible(&Submissions.Shape, "s") + `
GROUP BY s.id, s.assignment_id, s.circle_id, s.assignment_title, s.status, r.phase, r.settle_at
ORDER BY r.settle_at, s.id LIMIT CAST($2 AS BIGINT)`
	})
	// AskingIn returns the circles in which the user $1 is an organizer and that users ask to join, longest waiting first:
	// id, their number, and when the first one asked.
	AskingIn = engine.NewQuery(1, engine.Dollar, func(visibleRows) string {
		return `
SELECT q.circle_id, COUNT(*), MIN(q.asked_at) FROM circle_members m JOIN circle_requests q ON q.circle_id = m.circle_id
WHERE m.user_id = $1 AND m.role <> 'member' GROUP BY q.circle_id ORDER BY MIN(q.asked_at), q.circle_id`
	})
	// ReportsFor returns the first open report of each subject to the organizers of the user $1's circles and, if $2 is
	// 1, to the moderators, oldest first, at most $3: id, kind and id of the subject, circle, time, author of the
	// subject, who for an exemplar is the assignment's creator.
	ReportsFor = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT r.id, r.kind, r.subject_id, r.circle_id, r.created_at, COALESCE(CASE r.kind
	WHEN 'comment' THEN (SELECT c.author_id FROM comments c WHERE c.id = r.subject_id)
	WHEN 'assignment' THEN (SELECT a.creator_id FROM assignments a WHERE a.id = r.subject_id)
	WHEN 'review' THEN (SELECT v.reviewer FROM reviews v WHERE v.id = r.subject_id)
	WHEN 'submission' THEN COALESCE((SELECT s.submitter_id FROM submissions s WHERE s.id = r.subject_id),
		(SELECT a.creator_id FROM exemplars e JOIN assignments a ON a.id = e.assignment_id WHERE e.id = r.subject_id))
	END, '')
FROM (
	SELECT m.circle_id FROM circle_members m WHERE m.user_id = $1 AND m.role <> 'member'
	UNION ALL SELECT '' WHERE CAST($2 AS BIGINT) = 1
) p JOIN reports r ON r.circle_id = p.circle_id
WHERE r.closed_at IS NULL AND r.first AND ` + visible(&Reports.Shape, "r") + `
ORDER BY r.seq LIMIT CAST($3 AS BIGINT)`
	})
)
