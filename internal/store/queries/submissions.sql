-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id, reviews_needed, circle_id;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE submissions.id = $1 AND status = 'pending'
RETURNING submissions.seq, submitter_id, submitter_no, submissions.reviews_needed, assignment_id, submissions.circle_id;

-- name: EndSubmission :many
-- The row stays in the submitter's history.
UPDATE submissions SET status = $2, past_of = assignment_id, assignment_id = NULL, ended_at = $3, end_reason = $4 WHERE submissions.id = $1 AND status = 'pending'
RETURNING submissions.seq, submitter_id, submitter_no, submissions.reviews_needed, past_of AS assignment_id, submissions.circle_id;

-- name: EndReviewedSubmissionsOf :many
-- Those of a deleted account that reviewers have reviewed; DeleteKept has taken their review states.
UPDATE submissions SET status = 'withdrawn', past_of = assignment_id, assignment_id = NULL, ended_at = $2, docs_link = '', note = '' WHERE submitter_id = $1 AND status = 'pending' AND past_label <> ''
RETURNING submissions.seq, submissions.id, submissions.reviews_needed, past_of AS assignment_id, submissions.circle_id;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending'
RETURNING submissions.seq, submissions.id, submissions.reviews_needed, assignment_id, submissions.circle_id;

-- name: OwnTitles :many
-- Of a user's latest submissions, of all or those with a status.
SELECT seq, assignment_title FROM submissions
WHERE submitter_id = sqlc.arg(user_id) AND submitter_no IS NOT NULL
    AND (CAST(sqlc.arg(status) AS TEXT) = '' OR status = CAST(sqlc.arg(status) AS TEXT))
ORDER BY submitter_no DESC LIMIT CAST(sqlc.arg(most) AS BIGINT);
