package tables

import "studycircle/internal/store/engine"

// OwesIn returns the members of the circle $1 with what they did for the assignment $2 at the position $3, in the order
// of joining, at most $5: user, address, name, photo, name in the roster, label, role, the time of the latest
// submission or 0, reviews given, and those before $4.
var OwesIn = engine.NewQuery(5, engine.Dollar, func(visible visibleRows) string {
	return owes(
		visible, "m.name, m.label, m.role", "circle_members m JOIN users u ON u.id = m.user_id",
		"WHERE m.circle_id = $1 ORDER BY m.seq",
	)
})

// OwesInHall is OwesIn for the users who handed in for the assignment or asked to be reminded of it. $1 is not used.
var OwesInHall = engine.NewQuery(5, engine.Dollar, func(visible visibleRows) string {
	return owes(visible, "'', '', ''", `(
	SELECT h.submitter_id AS id FROM submissions h WHERE h.assignment_id = $2 AND h.submitter_id IS NOT NULL AND `+visible(
		&Submissions.Shape, "h",
	)+`
	UNION SELECT t.user_id FROM reminders t WHERE t.assignment_id = $2
) p JOIN users u ON u.id = p.id`, "WHERE CAST($1 AS TEXT) = '' ORDER BY u.id")
})

func owes(visible visibleRows, membership, people, which string) string {
	return `
SELECT u.id, u.email, u.display_name, u.photo_url, ` + membership +
		`, COALESCE(s.submitted_at, 0), COALESCE(g.given, 0), COALESCE(g.before, 0)
FROM ` + people + `
LEFT JOIN taken k ON k.user_id = u.id AND k.seq = $3 LEFT JOIN submissions s ON s.id = k.submission_id AND ` + visible(
		&Submissions.Shape, "s",
	) + `
LEFT JOIN (
	SELECT r.reviewer, COUNT(*) AS given, SUM(CASE WHEN r.given_at < $4 THEN 1 ELSE 0 END) AS before FROM reviews r
	WHERE r.assignment_id = $2 AND NOT r.exemplar AND ` + visible(&Reviews.Shape, "r") + ` GROUP BY r.reviewer
) g ON g.reviewer = u.id
` + which + ` LIMIT CAST($5 AS BIGINT)`
}

// OpenWorks returns the submissions for the assignment $1 that are not settled: id, submitter, the state of their
// reviews, and their free slots in the queue.
var OpenWorks = engine.NewQuery(1, engine.Dollar, func(visible visibleRows) string {
	return `
SELECT s.id, COALESCE(s.submitter_id, ''), s.phase, s.reviews, s.needed, s.wanted, s.last_day, s.before_last_day,
	COALESCE(q.most - q.filled, 0)
FROM review_states s LEFT JOIN review_queue q ON q.id = s.id
WHERE s.assignment_id = $1 AND s.phase <> 'settled' AND ` + visible(&Reviewings.Shape, "s")
})

// OpenTurns returns the turns of OpenWorks: user, submission, outcome, the lease's end, and the time of the review or
// 0.
var OpenTurns = engine.NewQuery(1, engine.Dollar, func(visible visibleRows) string {
	return `
SELECT t.reviewer_id, t.id, t.turn, t.until, COALESCE(r.given_at, 0)
FROM review_states s JOIN review_turns t ON t.id = s.id
LEFT JOIN reviews r ON r.submission_id = t.id AND r.reviewer = t.reviewer_id
WHERE s.assignment_id = $1 AND s.phase <> 'settled' AND ` + visible(&Reviewings.Shape, "s")
})
