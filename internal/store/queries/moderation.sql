-- name: InsertReport :exec
INSERT INTO reports (id, kind, subject_id, reporter_id, reason, created_at, first, circle_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (kind, subject_id, reporter_id) DO NOTHING;

-- name: CountReport :execrows
UPDATE reports SET n = n + 1 WHERE kind = $1 AND subject_id = $2 AND circle_id = $3 AND closed_at IS NULL AND first;

-- name: GetReport :one
SELECT * FROM reports WHERE id = $1;

-- name: ReportOf :one
SELECT id FROM reports WHERE kind = $1 AND subject_id = $2 AND reporter_id = $3;

-- name: CouldNotOpen :one
-- Whether a user has reported a submission whose link is not known to open.
SELECT CAST((EXISTS (SELECT 1 FROM reports WHERE kind = $1 AND subject_id = $2 AND reporter_id = $3)
    AND NOT EXISTS (SELECT 1 FROM link_checks c WHERE c.id = $2 AND c.result = CAST(sqlc.arg(opens) AS TEXT))) AS BOOLEAN) AS unopened;

-- name: CloseReports :many
UPDATE reports SET closed_at = $3 WHERE kind = $1 AND subject_id = $2 AND circle_id = $4 AND closed_at IS NULL RETURNING reporter_id;

-- name: InsertModeration :exec
INSERT INTO moderation_log (moderator, action, kind, subject_id, reason, done_at, hides, circle_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: HidesNoMore :exec
UPDATE moderation_log SET hides = FALSE WHERE kind = $1 AND subject_id = $2 AND hides;

-- name: HiddenIn :many
SELECT circle_id FROM moderation_log WHERE kind = $1 AND subject_id = $2 AND hides ORDER BY seq DESC LIMIT 1;

-- name: DeleteReportsIn :exec
DELETE FROM reports WHERE circle_id = $1;

-- name: DeleteDecisionsIn :exec
DELETE FROM moderation_log WHERE circle_id = $1;

-- name: ModerationLog :many
SELECT * FROM moderation_log WHERE seq > $1 ORDER BY seq LIMIT 1000;

-- name: SetHiddenReason :exec
UPDATE assignments SET hidden_reason = $2 WHERE id = $1;

-- name: HideTitles :many
UPDATE submissions SET hidden_title = assignment_title, assignment_title = CAST(sqlc.arg(title) AS TEXT) WHERE (assignment_id = $1 OR past_of = $1) AND hidden_title IS NULL
RETURNING seq, submissions.circle_id, CAST(status = 'pending' AND reviews_needed = 0 AS BOOLEAN) AS to_grade;

-- name: ShowTitles :many
UPDATE submissions SET assignment_title = hidden_title, hidden_title = NULL WHERE (assignment_id = $1 OR past_of = $1) AND hidden_title IS NOT NULL
RETURNING seq, submissions.circle_id, CAST(status = 'pending' AND reviews_needed = 0 AS BOOLEAN) AS to_grade;

-- name: ShowAssignment :execrows
UPDATE assignments SET deleted_at = NULL, hidden_reason = NULL WHERE id = $1 AND hidden_reason IS NOT NULL;

-- name: SuspendUser :execrows
UPDATE users SET suspended_at = COALESCE(suspended_at, CAST(sqlc.arg(now) AS BIGINT)) WHERE id = $1;

-- name: HideFeedback :execrows
UPDATE reviews SET hidden_feedback = feedback, feedback = CAST(sqlc.arg(shown) AS TEXT) WHERE id = $1 AND hidden_feedback IS NULL;

-- name: ShowFeedback :execrows
UPDATE reviews SET feedback = hidden_feedback, hidden_feedback = NULL WHERE id = $1 AND hidden_feedback IS NOT NULL;

-- name: HideQuestion :exec
UPDATE review_questions SET hidden_text = text, text = CAST(sqlc.arg(shown) AS TEXT) WHERE submission_id = $1 AND reviewer = $2 AND hidden_text IS NULL;

-- name: ShowQuestion :exec
UPDATE review_questions SET text = hidden_text, hidden_text = NULL WHERE submission_id = $1 AND reviewer = $2 AND hidden_text IS NOT NULL;

-- name: HideAnswers :many
UPDATE review_questions SET hidden_answer = answer, answer = CAST(sqlc.arg(shown) AS TEXT)
WHERE submission_id = $1 AND answered_at IS NOT NULL AND hidden_answer IS NULL RETURNING reviewer;

-- name: ShowAnswers :many
UPDATE review_questions SET answer = hidden_answer, hidden_answer = NULL WHERE submission_id = $1 AND hidden_answer IS NOT NULL RETURNING reviewer;

-- name: SetFeedback :exec
UPDATE submissions SET feedback = CAST(sqlc.arg(feedback) AS TEXT), feedback_html = CAST(sqlc.arg(html) AS TEXT) WHERE id = $1 AND status = 'completed';
