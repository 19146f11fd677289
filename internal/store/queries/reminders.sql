-- name: InsertReminder :execrows
INSERT INTO reminders (user_id, assignment_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, assignment_id) DO NOTHING;

-- name: RemindersOf :many
SELECT assignment_id, created_at FROM reminders WHERE user_id = $1 ORDER BY created_at, assignment_id;

-- name: DeleteReminder :execrows
DELETE FROM reminders WHERE user_id = $1 AND assignment_id = $2;
