-- name: InsertUser :exec
INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at, email_verified_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: InsertUserIfAbsent :execrows
INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING;

-- name: GetUser :one
SELECT * FROM users WHERE id = $1;

-- name: GetUserByEmail :one
SELECT * FROM users WHERE email = $1;

-- name: UpdateProfile :execrows
UPDATE users SET display_name = $2, photo_url = $3 WHERE id = $1;

-- name: UpdatePasswordHash :execrows
UPDATE users SET password_hash = CAST(sqlc.arg(new_hash) AS TEXT)
WHERE id = $1 AND password_hash = CAST(sqlc.arg(old_hash) AS TEXT);

-- name: NextSubmissionNo :one
UPDATE users SET submission_count = submission_count + 1 WHERE id = $1 RETURNING submission_count;

-- name: DeleteUser :execrows
DELETE FROM users WHERE id = $1;

-- name: UsersAfter :many
SELECT id, email, display_name, photo_url FROM users WHERE email > $1 ORDER BY email LIMIT 1000;
