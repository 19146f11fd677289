-- name: UpdateAssignment :execrows
UPDATE assignments SET title = $2, description = $3, thumbnail = $4, marks = $5, level = $6,
    due_at = $7, due_offset = $8, updated_at = $9
WHERE id = $1 AND deleted_at IS NULL AND updated_at = CAST(sqlc.arg(old_updated_at) AS BIGINT);

-- name: DeleteAssignment :one
UPDATE assignments SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING seq, level;
