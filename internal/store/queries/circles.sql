-- name: InsertCircle :exec
INSERT INTO circles (id, name, sort_key, description, html, listed, joining, publishing, grading, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10);

-- name: UpdateCircle :exec
UPDATE circles SET name = $2, sort_key = $3, description = $4, html = $5, listed = $6, joining = $7, publishing = $8, grading = $9, notice = '', updated_at = $10
WHERE id = $1;

-- name: SetCircleDeleted :exec
UPDATE circles SET deleted_at = $2 WHERE id = $1;

-- name: GetCircle :one
SELECT * FROM circles WHERE id = $1;

-- name: CircleFor :one
-- A circle as one of its members.
SELECT sqlc.embed(c), sqlc.embed(m) FROM circles c JOIN circle_members m ON m.circle_id = c.id WHERE c.id = $1 AND m.user_id = $2 AND c.deleted_at IS NULL;

-- name: CirclesOf :many
SELECT sqlc.embed(c), sqlc.embed(m) FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE m.user_id = $1 AND c.deleted_at IS NULL
ORDER BY c.sort_key, c.id LIMIT CAST(sqlc.arg(room) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountCirclesOf :one
SELECT COUNT(*) FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE m.user_id = $1 AND c.deleted_at IS NULL;

-- name: MembershipsOf :many
SELECT m.* FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE m.user_id = $1 AND c.deleted_at IS NULL ORDER BY m.circle_id;

-- name: AllMembershipsOf :many
-- Those in deleted circles too.
SELECT * FROM circle_members WHERE user_id = $1 ORDER BY circle_id;

-- name: GetMembership :one
SELECT * FROM circle_members WHERE circle_id = $1 AND user_id = $2;

-- name: Holdings :one
SELECT COUNT(*) AS n, CAST(COALESCE(SUM(CASE WHEN role = 'owner' THEN 1 ELSE 0 END), 0) AS BIGINT) AS owned FROM circle_members WHERE user_id = $1;

-- name: InsertMember :one
INSERT INTO circle_members (circle_id, user_id, role, label, name, joined_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING seq;

-- name: DeleteMember :exec
DELETE FROM circle_members WHERE seq = $1;

-- name: SetMemberRole :exec
UPDATE circle_members SET role = $2 WHERE seq = $1;

-- name: CountMember :exec
UPDATE circles SET members = members + CAST(sqlc.arg(n) AS BIGINT) WHERE id = $1;

-- name: CountOwners :one
SELECT COUNT(*) FROM circle_members WHERE circle_id = $1 AND role = 'owner';

-- name: OldestOrganizer :many
SELECT * FROM circle_members WHERE circle_id = $1 AND role = 'organizer' ORDER BY seq LIMIT 1;

-- name: OldestMember :many
SELECT * FROM circle_members WHERE circle_id = $1 ORDER BY seq LIMIT 1;

-- name: SetCircleNotice :exec
UPDATE circles SET notice = $2, archived_at = $3 WHERE id = $1;

-- name: OldestMembers :many
SELECT user_id FROM circle_members WHERE circle_id = $1 ORDER BY seq LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: OldestOrganizers :many
SELECT user_id FROM circle_members WHERE circle_id = $1 AND role <> 'member' ORDER BY seq LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: DeleteMemberWords :exec
DELETE FROM circle_member_words WHERE seq = $1;

-- name: InsertMemberWord :exec
INSERT INTO circle_member_words (circle_id, word, seq, for_organizers) VALUES ($1, $2, $3, $4);
