-- name: SetDiscussionClosed :many
UPDATE assignments SET discussion_closed = $2 WHERE id = $1 AND deleted_at IS NULL AND discussion_closed <> $2 RETURNING circle_id;

-- name: CountReply :execrows
-- Locks the thread: a concurrent deletion of it runs before or after.
UPDATE comments SET replies = replies + 1 WHERE id = $1;

-- name: EditComment :execrows
UPDATE comments SET text = $2, html = $3, edited_at = $4 WHERE id = $1 AND deleted_at IS NULL AND hidden_at IS NULL;

-- name: EmptyComment :execrows
-- Keeps the row of a deleted comment with replies.
UPDATE comments SET text = '', html = '', author_id = NULL, deleted_at = $2, likes = 0, thanks = 0, insightful = 0, questions = 0
WHERE id = $1 AND replies > 0 AND deleted_at IS NULL;

-- name: BuryComment :execrows
-- Replies hidden by moderators still refer to it.
UPDATE comments SET text = '', html = '', author_id = NULL, deleted_at = COALESCE(deleted_at, CAST(sqlc.arg(now) AS BIGINT)), listed = FALSE,
    likes = 0, thanks = 0, insightful = 0, questions = 0
WHERE comments.id = $1 AND comments.replies = 0 AND EXISTS (SELECT 1 FROM comments r WHERE r.thread_id = $1);

-- name: DeleteComment :execrows
DELETE FROM comments WHERE id = $1 AND replies = 0;

-- name: UncountReply :many
UPDATE comments SET replies = replies - 1 WHERE id = $1 RETURNING replies, deleted_at, hidden_at;

-- name: UnlistComment :exec
UPDATE comments SET listed = FALSE WHERE id = $1;

-- name: InsertReaction :execrows
INSERT INTO reactions (comment_id, user_id, kind) VALUES ($1, $2, $3) ON CONFLICT (comment_id, user_id, kind) DO NOTHING;

-- name: DeleteReaction :execrows
DELETE FROM reactions WHERE comment_id = $1 AND user_id = $2 AND kind = $3;

-- name: DeleteReactionsTo :exec
DELETE FROM reactions WHERE comment_id = $1;

-- name: CountReaction :execrows
UPDATE comments SET
    likes = likes + CAST(sqlc.arg(likes) AS BIGINT),
    thanks = thanks + CAST(sqlc.arg(thanks) AS BIGINT),
    insightful = insightful + CAST(sqlc.arg(insightful) AS BIGINT),
    questions = questions + CAST(sqlc.arg(questions) AS BIGINT)
WHERE id = $1;

-- name: ReactionsOfUser :many
SELECT comment_id, kind FROM reactions WHERE user_id = $1;

-- name: ReactionsAfter :many
SELECT comment_id, kind FROM reactions
WHERE user_id = $1 AND (comment_id, kind) > (CAST(sqlc.arg(comment_id) AS TEXT), CAST(sqlc.arg(kind) AS TEXT)) ORDER BY comment_id, kind LIMIT 1000;

-- name: ParticipantsOf :many
-- The creator, and the authors of the latest visible comments, with their sections in the assignment's circle.
SELECT u.id, u.display_name, u.photo_url, COALESCE(m.label, '') AS label
FROM users u LEFT JOIN circle_members m ON m.user_id = u.id AND m.circle_id = (SELECT p.circle_id FROM assignments p WHERE p.id = sqlc.arg(assignment_id))
WHERE u.id IN (
    SELECT r.author_id FROM (
        SELECT c.author_id FROM comments c WHERE c.assignment_id = sqlc.arg(assignment_id) AND c.author_id IS NOT NULL AND c.deleted_at IS NULL AND c.hidden_at IS NULL
        ORDER BY c.seq DESC LIMIT CAST(sqlc.arg(latest) AS BIGINT)
    ) AS r
    UNION SELECT creator_id FROM assignments a WHERE a.id = sqlc.arg(assignment_id) AND a.creator_id IS NOT NULL
) ORDER BY u.display_name, u.id;

-- name: TakesPart :one
SELECT EXISTS (
    SELECT 1 FROM comments c WHERE c.assignment_id = $1 AND c.author_id = CAST(sqlc.arg(user_id) AS TEXT) AND c.deleted_at IS NULL AND c.hidden_at IS NULL
    UNION ALL SELECT 1 FROM assignments a WHERE a.id = $1 AND a.creator_id = CAST(sqlc.arg(user_id) AS TEXT)
) AS found;

-- name: ThreadsBefore :one
-- The number of threads before a position in an assignment's list.
SELECT CAST(COUNT(*) AS BIGINT) FROM comments WHERE assignment_id = $1 AND thread_id IS NULL AND listed AND seq < $2;

-- name: HideComment :many
UPDATE comments SET hidden_at = $2, hidden_reason = $3, listed = replies > 0
WHERE id = $1 AND deleted_at IS NULL AND hidden_at IS NULL RETURNING listed;

-- name: ShowComment :execrows
UPDATE comments SET hidden_at = NULL, hidden_reason = NULL, listed = TRUE WHERE id = $1 AND hidden_at IS NOT NULL;

-- name: ListComment :exec
UPDATE comments SET listed = TRUE WHERE id = $1 AND NOT listed;
