-- name: Monitored :one
-- What an operator watches. The oldest unmarked submission is looked for among the first ones by number: they are in the order of their times but for
-- imported ones, and the times are in no index of those that wait. The addition keeps PostgreSQL from walking all submissions by number.
SELECT
    CAST((SELECT COUNT(*) FROM sessions WHERE expires_at > CAST(sqlc.arg(now) AS BIGINT)) AS BIGINT) AS sessions,
    CAST(COALESCE((SELECT SUM(q.wanted - q.filled) FROM review_queue q WHERE q.filled < q.wanted), 0) AS BIGINT) AS reviews_waiting,
    CAST(COALESCE((SELECT MIN(s.submitted_at) FROM submissions s WHERE s.seq IN (
        (SELECT MIN(g.seq + 0) FROM submissions g WHERE g.status = 'pending' AND g.reviews_needed = 0
            AND g.circle_id NOT IN (SELECT c.id FROM circles c WHERE c.archived_at IS NOT NULL OR c.deleted_at IS NOT NULL)),
        (SELECT MIN(r.seq + 0) FROM review_states r WHERE r.phase <> 'settled' AND r.phase IN ('open', 'unattended')
            AND r.circle_id NOT IN (SELECT c.id FROM circles c WHERE c.archived_at IS NOT NULL OR c.deleted_at IS NOT NULL))
    )), 0) AS BIGINT) AS oldest_unmarked;

-- name: PutNode :exec
INSERT INTO nodes (id, host, version, started_at, heard_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET heard_at = excluded.heard_at;

-- name: DeleteNode :exec
DELETE FROM nodes WHERE id = $1;

-- name: DeleteSilentNodes :exec
DELETE FROM nodes WHERE id IN (SELECT t.id FROM nodes t WHERE t.heard_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: Nodes :many
SELECT * FROM nodes ORDER BY started_at, id;
