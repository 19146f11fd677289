-- name: TakeOldMails :many
-- Emails that the previous release has queued and is not sending.
DELETE FROM mails WHERE id IN (SELECT m.id FROM mails m WHERE m.due_at <= $1 ORDER BY m.due_at LIMIT 100)
RETURNING user_id, kind;
