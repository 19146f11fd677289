-- name: GetRateLimit :one
SELECT stamps FROM rate_limits WHERE name = $1;

-- name: LockRateLimit :one
SELECT t.stamps FROM rate_limits t WHERE t.name = $1 FOR NO KEY UPDATE OF t;

-- name: SetRateLimit :exec
-- After LockRateLimit.
UPDATE rate_limits SET stamps = $2, expires_at = $3 WHERE name = $1;

-- name: PutRateLimit :execrows
-- Changes nothing unless old_stamps are the stored ones. On
-- PostgreSQL the row is locked even then, so that the next attempt succeeds.
INSERT INTO rate_limits (name, stamps, expires_at) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET stamps = excluded.stamps, expires_at = excluded.expires_at
WHERE rate_limits.stamps = CAST(sqlc.arg(old_stamps) AS TEXT);
