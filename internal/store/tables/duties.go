package tables

import (
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
)

// ManyIDs are variants of one query for different numbers of ids, so that there are few statements.
type ManyIDs []struct {
	IDs   int
	Query *engine.Query
}

// For returns the query for some ids, and the arguments: the first ones, then the ids.
func (m ManyIDs) For(ids []string, first ...any) (*engine.Query, []any) {
	at := 0
	for m[at].IDs < len(ids) {
		at++
	}
	args := first
	for i := range m[at].IDs {
		if i < len(ids) {
			args = append(args, ids[i])
		} else {
			args = append(args, "") // no user has this id
		}
	}
	return m[at].Query, args
}

// MostIDs is the number of ids that ManyIDs takes.
const MostIDs = 100

// manyIDs spells a query whose ids follow its first parameters. spell gets their
// placeholders.
func manyIDs(parameters int, spell func(visible visibleRows, ids []string) string) (m ManyIDs) {
	for _, n := range []int{1, 10, 25, 50, MostIDs} {
		ids := dollars(parameters+1, n)
		m = append(m, ManyIDs{{
			n, engine.NewQuery(parameters+n, engine.Dollar, func(visible visibleRows) string { return spell(visible, ids) }),
		}}...)
	}
	return m
}

// mayReview is the condition under which a row q of review_queue is new to the user $1: studycircle.CanBeOffered for
// a user who has not created the assignment.
const mayReview = `COALESCE(q.submitter_id, '') <> $1
	AND NOT EXISTS (SELECT 1 FROM review_turns t WHERE t.reviewer_id = $1 AND t.id = q.id)`

// DutiesOf returns the studycircle.Duty of the user $1 at the time $2 for assignments: id, circle, title, due dates,
// reviews needed, asked of each submitter and given, the time of the user's latest submission, the end of the user's
// lease of a submission and of an exemplar, and the numbers of submissions and of exemplars that NextToReview and
// ExemplarsFor would offer one after the other. Each count reads an index in its order as far as MaxAvailable.
var DutiesOf = manyIDs(2, func(visible visibleRows, ids []string) string {
	most := strconv.Itoa(studycircle.MaxAvailable)
	return `
SELECT a.id, a.circle_id, a.title, a.due_at, a.due_offset, a.review_due_at, a.review_due_offset,
	a.reviews_needed, a.reviews_owed,
	(SELECT COUNT(*) FROM reviews r WHERE r.reviewer = $1 AND r.assignment_id = a.id AND NOT r.exemplar),
	(SELECT s.submitted_at FROM taken k JOIN submissions s ON s.id = k.submission_id
		WHERE k.user_id = $1 AND k.seq = a.seq),
	(SELECT t.until FROM review_turns t WHERE t.reviewer_id = $1 AND t.turn = 'leased' AND t.until > $2
		AND EXISTS (SELECT 1 FROM review_states s WHERE s.id = t.id AND s.assignment_id = a.id)),
	(SELECT t.until FROM review_turns t WHERE t.reviewer_id = $1 AND t.turn = 'leased' AND t.until > $2
		AND EXISTS (SELECT 1 FROM exemplars e WHERE e.id = t.id AND e.assignment_id = a.id)),
	CASE WHEN COALESCE(a.creator_id, '') = $1 THEN 0 ELSE
		(SELECT COUNT(*) FROM (
			SELECT 1 FROM review_queue q WHERE q.assignment_id = a.id AND q.filled < q.wanted AND ` + mayReview + `
			ORDER BY q.assignment_id, q.attempt, q.filled, q.ungiven, q.seq LIMIT ` + most + `) short)
		+ (SELECT COUNT(*) FROM (
			SELECT 1 FROM review_queue q WHERE q.assignment_id = a.id AND q.filled >= q.wanted AND q.filled < q.most AND ` +
		mayReview + `
			ORDER BY q.assignment_id, q.certain, q.seq LIMIT ` + most + `) wide)
	END,
	CASE WHEN COALESCE(a.creator_id, '') = $1 THEN 0 ELSE
		(SELECT COUNT(*) FROM exemplars e WHERE e.assignment_id = a.id AND a.deleted_at IS NULL
			AND NOT EXISTS (SELECT 1 FROM review_turns t WHERE t.reviewer_id = $1 AND t.id = e.id))
	END
FROM assignments a WHERE ` + visible(&Assignments.Shape, "a") + inUse + ` AND a.id IN (` + strings.Join(ids, ", ") + `)`
})

var (
	// DutiesBegun returns the assignments for which the user $1 has a submission that is settled after $2, soonest
	// first, at most $3, and the one of which the user holds a lease.
	DutiesBegun = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT d.assignment_id FROM (
	SELECT s.assignment_id, s.settle_at FROM review_states s WHERE ` + visible(
			&Reviewings.Shape, "s",
		) + ` AND s.submitter_id = $1 AND s.settle_at > $2
	ORDER BY s.settle_at LIMIT CAST($3 AS BIGINT)) d
UNION
SELECT COALESCE((SELECT s.assignment_id FROM review_states s WHERE s.id = t.id),
	(SELECT e.assignment_id FROM exemplars e WHERE e.id = t.id))
FROM review_turns t WHERE t.reviewer_id = $1 AND t.turn = 'leased' AND t.until > $2`
	})
	// DecisionsOf returns the submissions that wait for the creator $1 to decide, longest waiting first, at most $2:
	// id, assignment, circle, title, phase.
	DecisionsOf = engine.NewQuery(2, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT s.id, a.id, a.circle_id, a.title, s.phase FROM assignments a JOIN review_states s ON s.assignment_id = a.id
WHERE a.creator_id = $1 AND ` + visible(
			&Assignments.Shape, "a",
		) + inUse + ` AND (s.phase = 'unattended' OR (s.phase = 'appealed' AND s.asked))
ORDER BY s.seq LIMIT CAST($2 AS BIGINT)`
	})
	// ShortOf returns the creator $1's assignments with submissions open to review, the reviews that each submission
	// needs, and the number of submitters as far as studycircle.TooFew needs it; at most $2, due until $3.
	ShortOf = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
		return `
SELECT o.id, o.circle_id, o.title, o.reviews_needed, o.submitters FROM (
	SELECT a.id, a.circle_id, a.seq, a.title, a.reviews_needed, (SELECT COUNT(*) FROM (
		SELECT DISTINCT s.submitter_id FROM review_states s
		WHERE s.assignment_id = a.id AND s.submitter_id IS NOT NULL LIMIT ` +
			strconv.Itoa(studycircle.MaxReviews+1) + `) d) AS submitters
	FROM assignments a JOIN review_assignments l ON l.id = a.id
	WHERE a.creator_id = $1 AND l.listed AND a.reviews_needed > 0 AND a.due_at <= $3 AND ` +
			visible(&Assignments.Shape, "a") + inUse + `
) o WHERE o.submitters > 0 AND o.reviews_needed > o.submitters - 1 ORDER BY o.seq DESC LIMIT CAST($2 AS BIGINT)`
	})
)
