-- name: InsertUser :exec
INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at, email_verified_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: GetUser :one
SELECT * FROM users WHERE id = $1;

-- name: GetUserByEmail :one
SELECT * FROM users WHERE email = $1;

-- name: UpdateProfile :execrows
UPDATE users SET display_name = $2, photo_url = $3 WHERE id = $1;

-- name: UpdatePasswordHash :execrows
-- Sign-ins run it too, with the hash unchanged: the lock of the row orders
-- them before or after a reset.
UPDATE users SET password_hash = CAST(sqlc.arg(new_hash) AS TEXT)
WHERE id = $1 AND password_hash = CAST(sqlc.arg(old_hash) AS TEXT) AND suspended_at IS NULL;

-- name: ResetPassword :execrows
-- The holder of an emailed code owns the address.
UPDATE users SET password_hash = $2, email_verified_at = COALESCE(email_verified_at, CAST(sqlc.arg(now) AS BIGINT)) WHERE id = $1;

-- name: VerifyEmail :execrows
UPDATE users SET email_verified_at = COALESCE(email_verified_at, CAST(sqlc.arg(now) AS BIGINT)) WHERE id = $1;

-- name: SetSuspended :many
UPDATE users SET suspended_at = $2 WHERE email = $1 RETURNING id;

-- name: AppointModerator :execrows
UPDATE users SET moderator_since = CAST(sqlc.arg(now) AS BIGINT)
WHERE id = $1 AND moderator_since IS NULL AND email_verified_at IS NOT NULL;

-- name: DismissModerator :execrows
UPDATE users SET moderator_since = NULL WHERE id = $1 AND moderator_since IS NOT NULL;

-- name: AppointedModerators :many
SELECT * FROM users WHERE moderator_since IS NOT NULL ORDER BY email;

-- name: DeleteUser :execrows
DELETE FROM users WHERE id = $1;

-- name: UsersAfter :many
SELECT id, email, display_name, photo_url FROM users WHERE email > $1 ORDER BY email LIMIT 1000;

-- name: AccountsAfter :many
SELECT * FROM users WHERE email > $1 ORDER BY email LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: AnyUser :one
SELECT EXISTS (SELECT 1 FROM users);
