-- name: InsertMail :exec
INSERT INTO mails (id, user_id, kind, created_at, due_at, attempts) VALUES ($1, $2, $3, $4, $4, 0);

-- name: NextMailDue :one
SELECT due_at FROM mails ORDER BY due_at LIMIT 1;

-- name: ClaimMail :many
-- Two nodes may find the same row; the second one's update waits for the first
-- one's and then sees, by the outer condition, that the row is not due any more.
UPDATE mails SET due_at = CAST(sqlc.arg(claimed_until) AS BIGINT), attempts = attempts + 1
WHERE id = (SELECT m.id FROM mails m WHERE m.due_at <= CAST(sqlc.arg(now) AS BIGINT) ORDER BY m.due_at LIMIT 1)
    AND due_at <= CAST(sqlc.arg(now) AS BIGINT)
RETURNING id, user_id, kind, created_at, attempts;

-- name: PostponeMail :exec
UPDATE mails SET due_at = $2 WHERE id = $1;

-- name: DeleteMail :exec
DELETE FROM mails WHERE id = $1;

-- name: DeleteMailsOfUser :exec
DELETE FROM mails WHERE user_id = $1 AND kind = $2;
