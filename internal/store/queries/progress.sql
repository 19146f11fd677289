-- name: CountResults :one
SELECT COUNT(*) FROM submissions WHERE assignment_id = sqlc.arg(assignment_id)
    AND (status = CAST(sqlc.arg(status) AS TEXT) OR CAST(sqlc.arg(status) AS TEXT) = '');

-- name: Results :many
SELECT seq FROM submissions WHERE assignment_id = sqlc.arg(assignment_id)
    AND (status = CAST(sqlc.arg(status) AS TEXT) OR CAST(sqlc.arg(status) AS TEXT) = '')
ORDER BY seq DESC LIMIT CAST(sqlc.arg(most) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: ResultFacts :many
-- The facts by which the newest submissions for an assignment are filtered, sorted and summed up.
SELECT s.seq, s.id, s.submitter_id, COALESCE(u.display_name, '') AS name, s.status, s.late, s.marks, s.given_mark,
    CAST(COALESCE(r.phase, '') AS TEXT) AS phase, CAST(COALESCE(r.reviews, 0) AS BIGINT) AS reviews, CAST(COALESCE(r.wanted, 0) AS BIGINT) AS wanted,
    CAST(COALESCE(r.asked, FALSE) AS BOOLEAN) AS asked, CAST(COALESCE(k.n, 0) AS BIGINT) AS released,
    CAST(COALESCE(k.lowest, 0) AS BIGINT) AS lowest, CAST(COALESCE(k.highest, 0) AS BIGINT) AS highest,
    COALESCE(m.label, '') AS label
FROM submissions s LEFT JOIN users u ON u.id = s.submitter_id LEFT JOIN review_states r ON r.id = s.id
LEFT JOIN circle_members m ON m.circle_id = s.circle_id AND m.user_id = s.submitter_id
LEFT JOIN (
    SELECT submission_id, COUNT(*) AS n, MIN(mark) AS lowest, MAX(mark) AS highest FROM reviews
    WHERE assignment_id = CAST(sqlc.arg(assignment_id) AS TEXT) AND label <> '' AND NOT exemplar GROUP BY submission_id
) k ON k.submission_id = s.id
WHERE s.assignment_id = CAST(sqlc.arg(assignment_id) AS TEXT) ORDER BY s.seq DESC LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: TakenMarks :many
SELECT s.id, s.assignment_id, s.assignment_title, s.circle_id, a.level, s.given_mark, s.marks, s.marked_at
FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id
WHERE s.submitter_id = sqlc.arg(user_id) AND s.marked_at IS NOT NULL
ORDER BY s.marked_at DESC, s.submitter_no DESC LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: WaitingFor :many
-- In the hall.
SELECT seq FROM submissions
WHERE circle_id = '' AND status = 'pending' AND reviews_needed = 0 AND hidden_title IS NULL AND submitter_id <> sqlc.arg(user_id)
ORDER BY seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: WaitingInCircles :many
-- In the user's circles, of those that studycircle.MayGradeIn allows.
SELECT seq FROM submissions
WHERE circle_id IN (
        SELECT m.circle_id FROM circle_members m JOIN circles c ON c.id = m.circle_id
        WHERE m.user_id = CAST(sqlc.arg(member) AS TEXT) AND c.deleted_at IS NULL AND c.archived_at IS NULL
            AND (c.grading = 'members' OR m.role <> 'member'))
    AND status = 'pending' AND reviews_needed = 0 AND hidden_title IS NULL AND submitter_id <> sqlc.arg(user_id)
ORDER BY seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: ReviewableInHall :many
-- Listed assignments of the hall of which POST /api/reviews/next would give a user something: see
-- tables.DutiesOf. The CROSS JOIN makes SQLite start with those that are reviewed
-- instead of all assignments.
SELECT r.id FROM review_assignments r CROSS JOIN assignments a
WHERE a.id = r.id AND r.circle_id = '' AND r.listed AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND (EXISTS (
    SELECT 1 FROM review_queue q LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(user_id) AS TEXT)
    WHERE q.assignment_id = r.id AND COALESCE(q.submitter_id, '') <> CAST(sqlc.arg(user_id) AS TEXT)
        AND ((t.turn = 'leased' AND t.until > sqlc.arg(now)) OR (t.turn IS NULL AND q.filled < q.most)))
    OR EXISTS (SELECT 1 FROM exemplars e LEFT JOIN review_turns t ON t.id = e.id AND t.reviewer_id = CAST(sqlc.arg(user_id) AS TEXT)
    WHERE e.assignment_id = r.id AND ((t.turn = 'leased' AND t.until > sqlc.arg(now)) OR (t.turn IS NULL AND a.deleted_at IS NULL))))
ORDER BY r.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: ReviewableInCircles :many
-- The same in the user's circles, of those that studycircle.MayReviewIn allows, one circle after the other.
SELECT r.id FROM circle_members m CROSS JOIN circles c CROSS JOIN review_assignments r CROSS JOIN assignments a
WHERE m.user_id = CAST(sqlc.arg(user_id) AS TEXT) AND m.role = 'member'
    AND c.id = m.circle_id AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.grading = 'members'
    AND r.circle_id = m.circle_id AND a.id = r.id AND r.listed AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND (EXISTS (
    SELECT 1 FROM review_queue q LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(user_id) AS TEXT)
    WHERE q.assignment_id = r.id AND COALESCE(q.submitter_id, '') <> CAST(sqlc.arg(user_id) AS TEXT)
        AND ((t.turn = 'leased' AND t.until > sqlc.arg(now)) OR (t.turn IS NULL AND q.filled < q.most)))
    OR EXISTS (SELECT 1 FROM exemplars e LEFT JOIN review_turns t ON t.id = e.id AND t.reviewer_id = CAST(sqlc.arg(user_id) AS TEXT)
    WHERE e.assignment_id = r.id AND ((t.turn = 'leased' AND t.until > sqlc.arg(now)) OR (t.turn IS NULL AND a.deleted_at IS NULL))))
ORDER BY m.circle_id, r.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: UnattendedInHall :many
-- The longest-waiting unattended submissions of the hall that a user may review, after one, and
-- without four assignments.
SELECT u.assignment_id, u.seq FROM review_states u JOIN assignments a ON a.id = u.assignment_id
WHERE u.circle_id = '' AND u.phase = 'unattended' AND u.seq > sqlc.arg(after)
    AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND COALESCE(u.submitter_id, '') <> CAST(sqlc.arg(user_id) AS TEXT)
    AND u.assignment_id NOT IN (CAST(sqlc.arg(a) AS TEXT), CAST(sqlc.arg(b) AS TEXT), CAST(sqlc.arg(c) AS TEXT), CAST(sqlc.arg(d) AS TEXT))
ORDER BY u.seq LIMIT 1;

-- name: UnattendedInCircles :many
-- The assignments of the user's circles, of those that studycircle.MayReviewIn allows, with unattended submissions that
-- the user may review, one circle after the other, those with the longest-waiting submission first.
SELECT u.assignment_id FROM circle_members m CROSS JOIN circles c CROSS JOIN review_states u CROSS JOIN assignments a
WHERE m.user_id = CAST(sqlc.arg(user_id) AS TEXT) AND m.role = 'member'
    AND c.id = m.circle_id AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.grading = 'members'
    AND u.circle_id = m.circle_id AND u.phase = 'unattended' AND a.id = u.assignment_id
    AND COALESCE(a.creator_id, '') <> m.user_id AND COALESCE(u.submitter_id, '') <> m.user_id
GROUP BY m.circle_id, u.assignment_id ORDER BY m.circle_id, MIN(u.seq) LIMIT CAST(sqlc.arg(most) AS BIGINT);
