-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id, reviews_needed, circle_id;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE submissions.id = $1 AND status = 'pending'
RETURNING submissions.seq, submitter_id, submitter_no, submissions.reviews_needed, assignment_id, submissions.circle_id;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending'
RETURNING submissions.seq, submissions.id, submissions.reviews_needed, assignment_id, submissions.circle_id;
