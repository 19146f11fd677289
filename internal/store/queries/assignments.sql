-- name: DeleteAssignment :one
UPDATE assignments SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING seq, level, due_at, creator_id, circle_id;
