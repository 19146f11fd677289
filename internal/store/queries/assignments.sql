-- name: InsertAssignment :one
INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING seq;

-- name: GetAssignment :one
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.id = $1 AND a.deleted_at IS NULL;

-- name: UpdateAssignment :execrows
UPDATE assignments SET title = $2, description = $3, thumbnail = $4, marks = $5, level = $6,
    due_at = $7, due_offset = $8, updated_at = $9
WHERE id = $1 AND deleted_at IS NULL AND updated_at = CAST(sqlc.arg(old_updated_at) AS BIGINT);

-- name: DeleteAssignment :one
UPDATE assignments SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING seq, level;

-- name: AssignmentsDownFrom :many
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.deleted_at IS NULL AND a.seq <= $1
ORDER BY a.seq DESC LIMIT CAST(sqlc.arg(row_limit) AS BIGINT) OFFSET CAST(sqlc.arg(row_skip) AS BIGINT);

-- name: AssignmentsOfLevelDownFrom :many
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.deleted_at IS NULL AND a.level = $1 AND a.seq <= $2
ORDER BY a.seq DESC LIMIT CAST(sqlc.arg(row_limit) AS BIGINT) OFFSET CAST(sqlc.arg(row_skip) AS BIGINT);

-- name: AssignmentsBySeqs :many
-- Ten at a time, in no order.
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.seq IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AND a.deleted_at IS NULL;

-- name: AssignmentsUpFrom :many
-- For exports: live ones, oldest first.
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.deleted_at IS NULL AND a.seq > $1 ORDER BY a.seq LIMIT 1000;

-- name: AssignmentPositions :many
-- Of live ones in a range, of a level or of all.
SELECT a.seq FROM assignments a
WHERE a.deleted_at IS NULL AND a.seq >= CAST(sqlc.arg(first_seq) AS BIGINT) AND a.seq < CAST(sqlc.arg(end_seq) AS BIGINT)
    AND (CAST(sqlc.arg(level) AS TEXT) = '' OR a.level = CAST(sqlc.arg(level) AS TEXT))
ORDER BY a.seq;
