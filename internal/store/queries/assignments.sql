-- name: InsertAssignment :one
INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING seq;

-- name: InsertAssignmentLite :execlastid
-- For SQLite: see returning.go.
INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

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

-- name: AssignmentsUpFrom :many
-- For exports: live ones, oldest first.
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.deleted_at IS NULL AND a.seq > $1 ORDER BY a.seq LIMIT 1000;
