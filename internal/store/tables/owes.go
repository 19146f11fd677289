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
