package tables

import (
	"strings"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// MarkColumnsOf returns the assignments of the circle $1, newest first, at most $2: their ids, whether a submission
// with several reviews is not settled, and how many of those there are, counted as far as a duty to review needs.
var MarkColumnsOf = engine.NewQuery(2, engine.Dollar, func(visible visibleRows) string {
	return markColumns(visible, "")
})

// MarkColumnsBy is MarkColumnsOf for the assignments that the user $3 created.
var MarkColumnsBy = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
	return markColumns(visible, " AND a.creator_id = CAST($3 AS TEXT)")
})

// MarkColumnOf is MarkColumnsOf for one assignment, $1.
var MarkColumnOf = engine.NewQuery(1, engine.Dollar, func(visible visibleRows) string {
	return "SELECT a.id, " + openToReview + " FROM assignments a WHERE a.id = $1 AND " + visible(&Assignments.Shape, "a")
})

// openToReview leaves room for a user's own attempts beside studycircle.MaxReviewsOwed.
const openToReview = "EXISTS (SELECT 1 FROM review_states o WHERE o.assignment_id = a.id AND o.phase <> 'settled'), " +
	"(SELECT COUNT(*) FROM (SELECT 1 FROM review_states w WHERE w.assignment_id = a.id LIMIT 40) w)"

func markColumns(visible visibleRows, and string) string {
	return "SELECT a.id, " + openToReview + " FROM assignments a WHERE a.circle_id = $1 AND a.deleted_at IS NULL AND " +
		visible(&Assignments.Shape, "a") + and + " ORDER BY a.seq DESC LIMIT CAST($2 AS BIGINT)"
}

// TakenIn returns where users, whose ids follow, stand with the assignments of the place $1 at the positions $2 to $3:
// user, position, state, attempts, best mark and its total, the time of the latest attempt, and whether the attempt
// that counts was late.
var TakenIn = manyIDs(3, func(visible visibleRows, ids []string) string {
	return `
SELECT k.user_id, k.seq, k.state, k.attempts, k.best_mark, k.best_total, s.submitted_at,
	CASE WHEN k.attempts > 1 AND k.best_mark IS NOT NULL THEN (
		SELECT b.late FROM submissions b
		WHERE b.submitter_id = k.user_id AND b.assignment_id = s.assignment_id
			AND b.given_mark = k.best_mark AND b.marks = k.best_total
		ORDER BY b.submitter_no LIMIT 1)
	ELSE s.late END
FROM taken k JOIN submissions s ON s.id = k.submission_id
WHERE k.user_id IN (` + strings.Join(ids, ", ") + `) AND k.seq >= $2 AND k.seq <= $3 AND s.circle_id = $1 AND ` +
		visible(&Submissions.Shape, "s")
})

// GivenIn counts the reviews of users, whose ids follow, in the place $1, without those of exemplars: reviewer,
// assignment, all, and those before $2.
var GivenIn = manyIDs(2, func(visible visibleRows, ids []string) string {
	return `
SELECT r.reviewer, r.assignment_id, COUNT(*), COALESCE(SUM(CASE WHEN r.given_at < $2 THEN 1 ELSE 0 END), 0)
FROM reviews r WHERE r.reviewer IN (` + strings.Join(ids, ", ") + `) AND r.circle_id = $1 AND NOT r.exemplar AND ` +
		visible(&Reviews.Shape, "r") + `
GROUP BY r.reviewer, r.assignment_id`
})

// AccuracyIn sums up the reviews of owners' and organizers' exemplars by users, whose ids follow, in the circle $1,
// that were given before $2 and whose lease ended at $3 or later: reviewer, number, and the distances from the known
// marks in percent of the total.
var AccuracyIn = manyIDs(3, func(visible visibleRows, ids []string) string {
	return `
SELECT r.reviewer, COUNT(*), SUM(ABS(r.mark - e.mark) * CAST(100 AS DOUBLE PRECISION) / s.marks)
FROM reviews r JOIN exemplars e ON e.id = r.submission_id JOIN submissions s ON s.id = e.id
	JOIN review_turns t ON t.reviewer_id = r.reviewer AND t.id = e.id
	JOIN assignments a ON a.id = e.assignment_id
	JOIN circle_members m ON m.circle_id = a.circle_id AND m.user_id = a.creator_id AND m.role <> 'member'
WHERE r.reviewer IN (` + strings.Join(ids, ", ") +
		`) AND r.circle_id = $1 AND r.exemplar AND r.given_at < $2 AND t.until >= $3 AND ` +
		visible(&Reviews.Shape, "r") + ` AND ` + visible(&Assignments.Shape, "a") + `
GROUP BY r.reviewer`
})

// NamesIn returns the names in the roster and the labels of members, whose ids follow, of the circle $1.
var NamesIn = manyIDs(1, func(_ visibleRows, ids []string) string {
	return "SELECT m.user_id, m.name, m.label FROM circle_members m WHERE m.circle_id = $1 AND m.user_id IN (" +
		strings.Join(ids, ", ") + ")"
})

// RolesIn returns the members of the circle $1: user, role.
var RolesIn = engine.NewQuery(1, engine.Dollar, func(visibleRows) string {
	return "SELECT m.user_id, m.role FROM circle_members m WHERE m.circle_id = $1"
})

// LeftWithMarks returns the users who have a mark for an assignment of the circle $1 and are no members of it: id, name
// and address, in the order of the ids.
var LeftWithMarks = engine.NewQuery(1, engine.Dollar, func(visible visibleRows) string {
	return `
SELECT DISTINCT u.id, u.display_name, u.email
FROM assignments a JOIN submissions s ON s.assignment_id = a.id JOIN users u ON u.id = s.submitter_id
WHERE a.circle_id = $1 AND a.deleted_at IS NULL AND s.given_mark IS NOT NULL AND ` + visible(&Assignments.Shape, "a") +
		` AND ` + visible(&Submissions.Shape, "s") + `
	AND NOT EXISTS (SELECT 1 FROM circle_members m WHERE m.circle_id = $1 AND m.user_id = u.id)
ORDER BY u.id`
})

// SubmissionsOfAssignment are the submissions for an assignment, oldest first.
var SubmissionsOfAssignment = &engine.List{
	Of: &Submissions.Shape, By: []string{"assignment_id"}, Position: "seq", Order: pages.OldestFirst,
}

// ReleasedReviews returns the reviews of settled submissions for the assignment $1 after the submission $2, in the
// order of the submissions, at most $3: submission, reviewer, mark, total.
var ReleasedReviews = engine.NewQuery(3, engine.Dollar, func(visible visibleRows) string {
	return `
SELECT r.submission_id, r.reviewer, r.mark, s.marks FROM reviews r JOIN submissions s ON s.id = r.submission_id
WHERE r.assignment_id = $1 AND r.submission_id > $2 AND r.label <> '' AND NOT r.exemplar AND ` + visible(
		&Submissions.Shape, "s",
	) + `
ORDER BY r.submission_id LIMIT CAST($3 AS BIGINT)`
})
