-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id, reviews_needed;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE id = $1 AND status = 'pending' RETURNING seq, submitter_id, submitter_no, reviews_needed;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending' RETURNING seq, id, reviews_needed;
