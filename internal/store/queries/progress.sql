-- name: CountDueBetween :one
SELECT COUNT(*) FROM assignments WHERE deleted_at IS NULL AND due_at >= CAST(sqlc.arg(first) AS BIGINT) AND due_at <= CAST(sqlc.arg(last) AS BIGINT)
    AND (level = CAST(sqlc.arg(level) AS TEXT) OR CAST(sqlc.arg(level) AS TEXT) = '');

-- name: DueFrom :many
SELECT seq FROM assignments WHERE deleted_at IS NULL AND due_at >= CAST(sqlc.arg(first) AS BIGINT) AND due_at <= CAST(sqlc.arg(last) AS BIGINT)
    AND (level = CAST(sqlc.arg(level) AS TEXT) OR CAST(sqlc.arg(level) AS TEXT) = '')
ORDER BY due_at, seq LIMIT CAST(sqlc.arg(most) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountResults :one
SELECT COUNT(*) FROM submissions WHERE assignment_id = sqlc.arg(assignment_id)
    AND (status = CAST(sqlc.arg(status) AS TEXT) OR CAST(sqlc.arg(status) AS TEXT) = '');

-- name: Results :many
SELECT seq FROM submissions WHERE assignment_id = sqlc.arg(assignment_id)
    AND (status = CAST(sqlc.arg(status) AS TEXT) OR CAST(sqlc.arg(status) AS TEXT) = '')
ORDER BY seq DESC LIMIT CAST(sqlc.arg(most) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountCreated :one
SELECT COUNT(*) FROM assignments WHERE creator_id = $1 AND deleted_at IS NULL;

-- name: TakenMarks :many
SELECT s.assignment_id, s.assignment_title, a.level, s.given_mark, s.marks, s.marked_at
FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id
WHERE s.submitter_id = sqlc.arg(user_id) AND s.marked_at IS NOT NULL
ORDER BY s.marked_at DESC, s.submitter_no DESC LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: DueOf :many
-- What is pending, and what there are reminders of; one may be both.
SELECT a.id, a.title, a.due_at, a.due_offset, t.state,
    EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = sqlc.arg(user_id) AND r.assignment_id = a.id) AS remind
FROM (
    SELECT p.seq FROM (
        SELECT seq FROM taken WHERE user_id = sqlc.arg(user_id) AND state = 'pending' AND due_at > CAST(sqlc.arg(after) AS BIGINT) AND due_at <= CAST(sqlc.arg(until) AS BIGINT)
        ORDER BY due_at, seq LIMIT CAST(sqlc.arg(most) AS BIGINT)
    ) AS p
    UNION
    SELECT asked.seq FROM reminders r JOIN assignments asked ON asked.id = r.assignment_id
    WHERE r.user_id = sqlc.arg(user_id) AND asked.deleted_at IS NULL AND asked.due_at > CAST(sqlc.arg(after) AS BIGINT) AND asked.due_at <= CAST(sqlc.arg(until) AS BIGINT)
) AS d
JOIN assignments a ON a.seq = d.seq
LEFT JOIN taken t ON t.user_id = sqlc.arg(user_id) AND t.seq = a.seq
WHERE COALESCE(a.creator_id, '') <> sqlc.arg(user_id)
ORDER BY a.due_at, a.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: WaitingFor :many
SELECT seq FROM submissions
WHERE status = 'pending' AND reviews_needed = 0 AND submitter_id <> sqlc.arg(user_id) ORDER BY seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: ReviewableFor :many
-- Assignments of which somebody may review something. SQLite takes them in the order of a
-- CROSS JOIN: those that are reviewed first, and not all there are.
SELECT r.id FROM review_assignments r CROSS JOIN assignments a
WHERE a.id = r.id AND r.listed AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND EXISTS (
    SELECT 1 FROM review_queue q LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(user_id) AS TEXT)
    WHERE q.assignment_id = r.id AND COALESCE(q.submitter_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND (t.turn = 'leased' OR (t.turn IS NULL AND q.filled < q.most)))
ORDER BY r.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: UnattendedFor :many
-- The longest-waiting that somebody may review of what nobody came for, after one, and
-- of none of four assignments.
SELECT u.assignment_id, u.seq FROM review_states u JOIN assignments a ON a.id = u.assignment_id
WHERE u.phase = 'unattended' AND u.seq > sqlc.arg(after)
    AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(user_id) AS TEXT) AND COALESCE(u.submitter_id, '') <> CAST(sqlc.arg(user_id) AS TEXT)
    AND u.assignment_id NOT IN (CAST(sqlc.arg(a) AS TEXT), CAST(sqlc.arg(b) AS TEXT), CAST(sqlc.arg(c) AS TEXT), CAST(sqlc.arg(d) AS TEXT))
ORDER BY u.seq LIMIT 1;
