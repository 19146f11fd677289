-- name: PutStale :exec
INSERT INTO search_stale (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id;

-- name: SomeStale :many
-- Newest first: searches show them first.
SELECT id FROM search_stale ORDER BY id DESC LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: UnsortedMembers :many
SELECT * FROM circle_members WHERE name_key = '' ORDER BY seq LIMIT CAST(sqlc.arg(most) AS BIGINT);
