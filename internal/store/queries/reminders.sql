-- name: InsertReminder :execrows
INSERT INTO reminders (user_id, assignment_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, assignment_id) DO NOTHING;

-- name: RemindersOf :many
SELECT assignment_id, created_at FROM reminders WHERE user_id = $1 ORDER BY created_at, assignment_id;

-- name: DeleteReminder :execrows
DELETE FROM reminders WHERE user_id = $1 AND assignment_id = $2;

-- name: RemindersWait :one
SELECT EXISTS (SELECT 1 FROM reminders WHERE next_at <= $1);

-- name: DueReminders :many
-- handed_in says that the user has handed in. No moderator hides the assignment meanwhile.
SELECT t.user_id, t.assignment_id, t.created_at, t.seen_at, t.done, t.done_reviews, a.title, a.circle_id,
    COALESCE(x.due_at, a.due_at) AS due_at, COALESCE(x.due_offset, a.due_offset) AS due_offset, a.deleted_at,
    a.review_due_at, a.review_due_offset, COALESCE(i.time_zone, '') AS time_zone, COALESCE(i.preferences, '') AS preferences,
    EXISTS (SELECT 1 FROM taken k WHERE k.user_id = t.user_id AND k.seq = a.seq) AS handed_in
FROM reminders t JOIN assignments a ON a.id = t.assignment_id LEFT JOIN inboxes i ON i.id = t.user_id
LEFT JOIN extensions x ON x.assignment_id = t.assignment_id AND x.user_id = t.user_id
WHERE t.next_at <= $1 ORDER BY t.next_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED FOR KEY SHARE OF a SKIP LOCKED;

-- name: DeleteRemindersOfUser :exec
DELETE FROM reminders WHERE user_id = $1;

-- name: DeleteRemindersIn :exec
DELETE FROM reminders WHERE user_id = $1 AND EXISTS (SELECT 1 FROM assignments a WHERE a.id = reminders.assignment_id AND a.circle_id = $2);

-- name: RemindedAt :one
SELECT reminded_at FROM assignments WHERE id = $1;

-- name: ClaimReminder :execrows
UPDATE assignments SET reminded_at = CAST(sqlc.arg(now) AS BIGINT) WHERE id = $1 AND deleted_at IS NULL AND reminded_at <= CAST(sqlc.arg(since) AS BIGINT);
