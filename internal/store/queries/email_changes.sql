-- name: InsertEmailChange :one
INSERT INTO email_changes (user_id, email, undoes, verified_at, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING seq;

-- name: ComposeEmailChange :one
UPDATE email_changes SET code_hash = sqlc.arg(code_hash)
WHERE seq = sqlc.arg(seq) AND expires_at > CAST(sqlc.arg(now) AS BIGINT) RETURNING *;

-- name: GetEmailChange :one
SELECT * FROM email_changes
WHERE code_hash = sqlc.arg(code_hash) AND undoes = sqlc.arg(undoes) AND expires_at > CAST(sqlc.arg(now) AS BIGINT);

-- name: UseEmailChange :one
-- One atomic step, so that a link works once.
DELETE FROM email_changes
WHERE code_hash = sqlc.arg(code_hash) AND undoes = sqlc.arg(undoes) AND expires_at > CAST(sqlc.arg(now) AS BIGINT) RETURNING *;

-- name: DeletePendingEmailChanges :exec
DELETE FROM email_changes WHERE user_id = $1 AND NOT undoes;

-- name: DeleteLaterEmailChanges :exec
-- The owner of an address that a later change gave the account cannot take it back.
DELETE FROM email_changes WHERE user_id = $1 AND seq > $2;

-- name: DeleteExpiredEmailChanges :exec
DELETE FROM email_changes WHERE seq IN (SELECT t.seq FROM email_changes t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: SetEmail :execrows
UPDATE users SET email = $2, email_verified_at = $3 WHERE id = $1;
