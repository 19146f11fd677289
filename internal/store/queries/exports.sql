-- What one user has made, for the export of their own data.

-- name: AssignmentsByCreator :many
SELECT sqlc.embed(a), u.email AS creator_email, u.display_name AS creator_name
FROM assignments a JOIN users u ON u.id = a.creator_id
WHERE a.creator_id = $1 AND a.seq > $2 ORDER BY a.seq LIMIT 200;

-- name: SubmissionsBySubmitter :many
SELECT * FROM submissions WHERE submitter_id = $1 AND submitter_no > $2 ORDER BY submitter_no LIMIT 200;

-- name: SubmissionsByGrader :many
SELECT * FROM submissions WHERE grader_id = $1 AND seq > $2 ORDER BY seq LIMIT 200;
