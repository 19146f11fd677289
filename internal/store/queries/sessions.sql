-- name: InsertSession :exec
INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at, user_agent)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: GetSession :one
SELECT s.id, s.expires_at, sqlc.embed(u)
FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1;

-- name: GetSessionBySecret :one
SELECT s.id, s.expires_at, sqlc.embed(u)
FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.secret_hash = $1;

-- name: SessionsOfUser :many
-- The hundred last seen: enough for a list on a page.
SELECT id, created_at, last_seen_at, expires_at, user_agent FROM sessions
WHERE user_id = $1 AND expires_at > CAST(sqlc.arg(now) AS BIGINT) ORDER BY last_seen_at DESC, id DESC LIMIT 100;

-- name: SeeSession :exec
UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2;

-- name: DeleteSessionBySecret :many
DELETE FROM sessions WHERE secret_hash = $1 RETURNING id;

-- name: DeleteSessionOfUser :execrows
DELETE FROM sessions WHERE id = $1 AND user_id = $2;

-- name: DeleteSessionsOfUser :execrows
DELETE FROM sessions WHERE user_id = $1 AND id <> CAST(sqlc.arg(but) AS TEXT);

-- name: DeleteExpiredSessions :exec
-- This and the others of DeleteExpired leave rows that another transaction has locked to the next call: waiting for several of them could deadlock.
DELETE FROM sessions WHERE id IN (SELECT t.id FROM sessions t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: DeleteExpiredCodes :exec
DELETE FROM action_codes WHERE code_hash IN (SELECT t.code_hash FROM action_codes t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: DeleteExpiredTickets :exec
DELETE FROM used_tickets WHERE ticket_hash IN (SELECT t.ticket_hash FROM used_tickets t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: DeleteExpiredLimits :exec
DELETE FROM rate_limits WHERE name IN (SELECT t.name FROM rate_limits t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);
