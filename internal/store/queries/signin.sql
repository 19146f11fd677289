-- name: LockUser :one
-- The lock of the row serializes sign-ins with changes of the ways to
-- sign in.
UPDATE users SET password_hash = password_hash WHERE id = $1 RETURNING *;

-- name: ContestUser :execrows
-- Removes the password of an account with an unverified address.
UPDATE users SET password_hash = '', contested_at = COALESCE(contested_at, CAST(sqlc.arg(now) AS BIGINT))
WHERE id = $1 AND email_verified_at IS NULL AND suspended_at IS NULL;

-- name: ClaimUser :execrows
-- One atomic step, so that an account with an unverified address gets its owner once.
UPDATE users SET email_verified_at = CAST(sqlc.arg(now) AS BIGINT)
WHERE id = $1 AND email_verified_at IS NULL AND suspended_at IS NULL;

-- name: UserSession :one
SELECT id FROM sessions WHERE id = $1 AND user_id = $2;

-- name: InsertProviderLink :exec
INSERT INTO provider_links (issuer, subject, user_id, provider, email, linked_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: GetProviderLink :one
SELECT * FROM provider_links WHERE issuer = $1 AND subject = $2;

-- name: ProviderLinksOfUser :many
SELECT * FROM provider_links WHERE user_id = $1 ORDER BY linked_at, issuer;

-- name: UseProviderLink :execrows
UPDATE provider_links SET provider = $3, email = $4 WHERE issuer = $1 AND subject = $2;

-- name: DeleteProviderLink :execrows
DELETE FROM provider_links WHERE issuer = $1 AND subject = $2;

-- name: DeleteProviderLinksOfUser :exec
DELETE FROM provider_links WHERE user_id = $1;

-- name: InsertPasskey :exec
INSERT INTO passkeys (id, user_id, credential_id, name, credential, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: GetPasskeyByCredential :one
SELECT * FROM passkeys WHERE credential_id = $1;

-- name: PasskeysOfUser :many
SELECT * FROM passkeys WHERE user_id = $1 ORDER BY created_at, id;

-- name: RenamePasskey :one
UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING *;

-- name: UsePasskey :execrows
UPDATE passkeys SET credential = $2, last_used_at = $3 WHERE id = $1;

-- name: DeletePasskey :execrows
DELETE FROM passkeys WHERE id = $1 AND user_id = $2;

-- name: DeletePasskeysOfUser :exec
DELETE FROM passkeys WHERE user_id = $1;

-- name: GetUsedTicket :one
SELECT expires_at FROM used_tickets WHERE ticket_hash = $1;

-- name: UseTicket :execrows
-- One atomic step, so that a ticket works once.
INSERT INTO used_tickets (ticket_hash, expires_at) VALUES ($1, $2) ON CONFLICT (ticket_hash) DO NOTHING;
