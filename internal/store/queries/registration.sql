-- name: InsertServerInvitation :exec
INSERT INTO server_invitations (id, secret_hash, uses_left, only_email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: ServerInvitationBySecret :one
SELECT * FROM server_invitations WHERE secret_hash = $1;

-- name: UseServerInvitation :execrows
UPDATE server_invitations SET uses_left = uses_left - 1
WHERE id = $1 AND (uses_left IS NULL OR uses_left > 0) AND expires_at > CAST(sqlc.arg(now) AS BIGINT);

-- name: ServerInvitations :many
SELECT * FROM server_invitations ORDER BY created_at, id;

-- name: DeleteServerInvitation :execrows
DELETE FROM server_invitations WHERE id = $1;

-- name: DeleteExpiredServerInvitations :exec
DELETE FROM server_invitations WHERE id IN (SELECT t.id FROM server_invitations t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);

-- name: InsertAwaitedJoin :exec
INSERT INTO awaited_joins (user_id, invitation_id) VALUES ($1, $2);

-- name: DeleteAwaitedJoin :exec
DELETE FROM awaited_joins WHERE user_id = $1;

-- name: CirclesAfter :many
SELECT * FROM circles WHERE id > $1 ORDER BY id LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: OwnersBetween :many
-- The addresses of the owners of the circles from one to another.
SELECT m.circle_id, u.email FROM circle_members m CROSS JOIN users u
WHERE u.id = m.user_id AND m.role = 'owner' AND m.circle_id >= sqlc.arg(first) AND m.circle_id <= sqlc.arg(last) ORDER BY m.circle_id, m.seq;
