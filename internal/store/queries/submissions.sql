-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE id = $1 AND status = 'pending' RETURNING seq, submitter_id, submitter_no;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending' RETURNING seq, id;
