-- name: UpdateSubmission :many
UPDATE submissions SET docs_link = $2, note = $3 WHERE id = $1 AND status = 'pending' RETURNING submitter_id, reviews_needed;

-- name: DeletePendingSubmission :many
DELETE FROM submissions WHERE submissions.id = $1 AND status = 'pending'
RETURNING submissions.seq, submitter_id, submitter_no, submissions.reviews_needed, assignment_id;

-- name: DeletePendingSubmissionsOf :many
DELETE FROM submissions WHERE submitter_id = $1 AND status = 'pending'
RETURNING submissions.seq, submissions.id, submissions.reviews_needed, assignment_id;

-- name: SubmissionToSettle :one
SELECT s.seq, s.submitter_id, s.submitter_no, s.status, s.marks, s.assignment_title, s.submitted_at, s.reviews_needed, s.given_mark, s.marked_at, s.grader_id,
    a.id AS assignment_id, a.seq AS assignment_seq, a.creator_id, a.level, a.due_at, a.deleted_at
FROM submissions s JOIN assignments a ON a.id = s.assignment_id WHERE s.id = $1;
