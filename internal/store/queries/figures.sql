-- name: WorkOf :many
SELECT submitter_id, status, marks, given_mark FROM submissions WHERE assignment_id = $1;

-- name: MoveTaken :exec
UPDATE taken SET level = sqlc.arg(level), due_at = sqlc.arg(due_at)
WHERE taken.seq = sqlc.arg(seq) AND taken.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = sqlc.arg(assignment_id));

-- name: ForgetTakenOf :exec
DELETE FROM taken WHERE taken.seq = sqlc.arg(seq) AND taken.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = sqlc.arg(assignment_id));

-- name: ForgetTaken :exec
DELETE FROM taken WHERE seq = $1 AND user_id = $2;

-- name: TakeAllAnew :exec
INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total, circle_id)
SELECT e.user_id, e.seq, e.level, e.due_at, e.state, e.attempts, e.submission_id, e.best_mark, e.best_total, e.circle_id
FROM taken_expected e WHERE e.assignment_id = $1;

-- name: TakeAnew :exec
INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total, circle_id)
SELECT e.user_id, e.seq, e.level, e.due_at, e.state, e.attempts, e.submission_id, e.best_mark, e.best_total, e.circle_id
FROM taken_expected e WHERE e.assignment_id = $1 AND e.user_id = $2
ON CONFLICT (user_id, seq) DO UPDATE SET level = excluded.level, due_at = excluded.due_at, state = excluded.state, attempts = excluded.attempts,
    submission_id = excluded.submission_id, best_mark = excluded.best_mark, best_total = excluded.best_total;

-- name: UsersToCheck :many
SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT 20;

-- name: WrongFigures :many
-- The figures of users from one to another that differ from the plain query.
WITH people AS (
    SELECT u.id FROM users u WHERE u.id >= CAST(sqlc.arg(first) AS TEXT) AND u.id <= CAST(sqlc.arg(last) AS TEXT)
), scopes AS (
    SELECT 'of/' || id AS scope FROM people UNION ALL SELECT 'gave/' || id FROM people UNION ALL SELECT 'got/' || id || '/none' FROM people
    UNION ALL SELECT 'got/' || id || '/easy' FROM people UNION ALL SELECT 'got/' || id || '/medium' FROM people UNION ALL SELECT 'got/' || id || '/hard' FROM people
)
SELECT CAST(f.scope AS TEXT) AS scope, CAST(f.block AS BIGINT) AS block, CAST(SUM(f.expected) AS BIGINT) AS expected, CAST(SUM(f.expected_total) AS BIGINT) AS expected_total,
    CAST(SUM(f.found) AS BIGINT) AS found, CAST(SUM(f.found_total) AS BIGINT) AS found_total
FROM (
    SELECT 'of/' || p.id AS scope, 0 AS block, 1 AS expected, 0 AS expected_total, 0 AS found, 0 AS found_total
    FROM people p CROSS JOIN assignments a CROSS JOIN submissions s WHERE a.creator_id = p.id AND a.deleted_at IS NULL AND s.assignment_id = a.id
    UNION ALL SELECT 'of/' || p.id, 1, 1, (s.given_mark * 200000000 + s.marks) / (2 * s.marks), 0, 0
    FROM people p CROSS JOIN assignments a CROSS JOIN submissions s WHERE a.creator_id = p.id AND a.deleted_at IS NULL AND s.assignment_id = a.id AND s.status = 'completed'
    UNION ALL SELECT 'got/' || p.id || '/' || COALESCE((SELECT a.level FROM assignments a WHERE a.id = s.assignment_id), 'none'), (s.given_mark * 2000 + s.marks) / (2 * s.marks), 1, (s.given_mark * 200000000 + s.marks) / (2 * s.marks), 0, 0
    FROM people p CROSS JOIN submissions s WHERE s.submitter_id = p.id AND s.status = 'completed'
    UNION ALL SELECT 'gave/' || p.id, (CASE WHEN s.marked_at > s.submitted_at THEN s.marked_at - s.submitted_at ELSE 0 END + 18000000) / 36000000, 1, (s.given_mark * 200000000 + s.marks) / (2 * s.marks), 0, 0
    FROM people p CROSS JOIN submissions s WHERE s.grader_id = p.id AND s.status = 'completed'
    UNION ALL SELECT c.scope, c.block, 0, 0, c.n, c.total FROM scopes k JOIN page_counts c ON c.scope = k.scope AND c.tier = 0
    UNION ALL SELECT d.scope, d.block, 0, 0, d.n, d.total FROM scopes k JOIN page_deltas d ON d.scope = k.scope
) f GROUP BY f.scope, f.block HAVING SUM(f.expected) <> SUM(f.found) OR SUM(f.expected_total) <> SUM(f.found_total) ORDER BY f.scope, f.block;

-- name: WrongTaken :many
-- The taken rows of users from one to another that differ from the plain query.
WITH expected AS (
    SELECT e.user_id, e.seq, e.level, e.due_at, e.state, e.attempts, e.submission_id, e.best_mark, e.best_total, e.circle_id
    FROM taken_expected e WHERE e.user_id >= CAST(sqlc.arg(first) AS TEXT) AND e.user_id <= CAST(sqlc.arg(last) AS TEXT)
), found AS (
    SELECT t.user_id, t.seq, t.level, t.due_at, t.state, t.attempts, t.submission_id, t.best_mark, t.best_total, t.circle_id
    FROM taken t WHERE t.user_id >= CAST(sqlc.arg(first) AS TEXT) AND t.user_id <= CAST(sqlc.arg(last) AS TEXT)
), missing AS (
    SELECT * FROM expected EXCEPT SELECT * FROM found
), spare AS (
    SELECT * FROM found EXCEPT SELECT * FROM expected
)
SELECT CAST(w.user_id AS TEXT) AS user_id, w.seq, a.id AS assignment_id,
    CAST(COALESCE((SELECT t.state || ' ' || t.attempts || ' ' || t.submission_id || ' ' || COALESCE(t.best_mark, -1) || '/' || COALESCE(t.best_total, -1) FROM missing t WHERE t.user_id = w.user_id AND t.seq = w.seq), '') AS TEXT) AS expected,
    CAST(COALESCE((SELECT t.state || ' ' || t.attempts || ' ' || t.submission_id || ' ' || COALESCE(t.best_mark, -1) || '/' || COALESCE(t.best_total, -1) FROM spare t WHERE t.user_id = w.user_id AND t.seq = w.seq), '') AS TEXT) AS found
FROM (SELECT m.user_id, m.seq FROM missing m UNION SELECT s.user_id, s.seq FROM spare s) w JOIN assignments a ON a.seq = w.seq ORDER BY w.user_id, w.seq;
