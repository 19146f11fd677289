-- name: PutStale :exec
INSERT INTO search_stale (seq) VALUES ($1) ON CONFLICT (seq) DO UPDATE SET seq = excluded.seq;

-- name: TakeStale :many
-- Newest first: they are found first.
DELETE FROM search_stale WHERE seq IN (SELECT s.seq FROM search_stale s ORDER BY s.seq DESC LIMIT CAST(sqlc.arg(most) AS BIGINT)) RETURNING seq;

-- name: HasStale :one
SELECT EXISTS (SELECT 1 FROM search_stale);
