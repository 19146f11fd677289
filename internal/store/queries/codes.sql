-- name: InsertActionCode :exec
INSERT INTO action_codes (code_hash, user_id, purpose, expires_at) VALUES ($1, $2, $3, $4);

-- name: GetActionCode :one
SELECT user_id FROM action_codes WHERE code_hash = $1 AND purpose = $2 AND expires_at > CAST(sqlc.arg(now) AS BIGINT);

-- name: UseActionCode :one
-- One atomic step, so that a code works once.
DELETE FROM action_codes WHERE code_hash = $1 AND purpose = $2 AND expires_at > CAST(sqlc.arg(now) AS BIGINT) RETURNING user_id;

-- name: DeleteActionCodesOfUser :exec
DELETE FROM action_codes WHERE user_id = $1;
