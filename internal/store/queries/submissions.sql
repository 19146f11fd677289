-- name: InsertSubmission :one
INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, $10) RETURNING seq;

-- name: InsertSubmissionLite :execlastid
-- For SQLite: see returning.go.
INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, $10);

-- name: GetSubmission :one
SELECT sqlc.embed(s), u.email AS submitter_email, u.display_name AS submitter_name
FROM submissions s LEFT JOIN users u ON u.id = s.submitter_id WHERE s.id = $1;

-- name: GetGradable :one
SELECT id, COALESCE(submitter_id, '') AS submitter_id, marks, status FROM submissions WHERE id = $1;

-- name: GradeSubmission :one
-- The one atomic step of a grade: only a pending submission is graded.
UPDATE submissions SET status = 'completed', given_mark = $2, feedback = $3, marked_at = $4, grader_id = $5
WHERE id = $1 AND status = 'pending' RETURNING seq, submitter_id, submitter_no;

-- name: GradeSubmissionLite :execrows
-- For SQLite: see returning.go.
UPDATE submissions SET status = 'completed', given_mark = $2, feedback = $3, marked_at = $4, grader_id = $5
WHERE id = $1 AND status = 'pending';

-- name: SubmissionPlace :one
SELECT seq, submitter_id, submitter_no FROM submissions WHERE id = $1;

-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE id = $1 AND status = 'pending' RETURNING seq, submitter_id, submitter_no;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending' RETURNING seq, id;

-- name: OwnPositions :many
-- In a range, of a status or of all.
SELECT s.submitter_no FROM submissions s
WHERE s.submitter_id = $1 AND s.submitter_no >= CAST(sqlc.arg(first_no) AS BIGINT) AND s.submitter_no < CAST(sqlc.arg(end_no) AS BIGINT)
    AND (CAST(sqlc.arg(status) AS TEXT) = '' OR s.status = CAST(sqlc.arg(status) AS TEXT))
ORDER BY s.submitter_no;

-- name: OwnSubmissionsDownFrom :many
SELECT sqlc.embed(s), u.email AS submitter_email, u.display_name AS submitter_name
FROM submissions s JOIN users u ON u.id = s.submitter_id
WHERE s.submitter_id = $1 AND s.submitter_no <= $2
ORDER BY s.submitter_no DESC LIMIT CAST(sqlc.arg(row_limit) AS BIGINT) OFFSET CAST(sqlc.arg(row_skip) AS BIGINT);

-- name: OwnSubmissionsOfStatusDownFrom :many
SELECT sqlc.embed(s), u.email AS submitter_email, u.display_name AS submitter_name
FROM submissions s JOIN users u ON u.id = s.submitter_id
WHERE s.submitter_id = $1 AND s.status = $2 AND s.submitter_no <= $3
ORDER BY s.submitter_no DESC LIMIT CAST(sqlc.arg(row_limit) AS BIGINT) OFFSET CAST(sqlc.arg(row_skip) AS BIGINT);

-- name: SubmissionsUpFrom :many
-- For exports: oldest first.
SELECT sqlc.embed(s), u.email AS submitter_email, u.display_name AS submitter_name
FROM submissions s LEFT JOIN users u ON u.id = s.submitter_id
WHERE s.seq > $1 ORDER BY s.seq LIMIT 1000;
