-- name: InsertSession :exec
INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at, user_agent)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: GetSession :one
SELECT s.id, s.expires_at, sqlc.embed(u)
FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1;

-- name: GetSessionBySecret :one
SELECT s.id, s.expires_at, sqlc.embed(u)
FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.secret_hash = $1;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE id = $1;

-- name: DeleteSessionsOfUser :many
DELETE FROM sessions WHERE user_id = $1 RETURNING id;

-- name: DeleteExpiredSessions :execrows
DELETE FROM sessions WHERE expires_at < $1;
