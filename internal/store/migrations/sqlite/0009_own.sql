-- A grade changes fewer pages: of own submissions it moves an entry within its page
-- and not from one to another, and of graders' it adds one and removes none. Who
-- looks for one status passes the other in the index alone.

-- +goose Up
DROP INDEX submissions_own_status;
CREATE INDEX submissions_of ON submissions (submitter_id, submitter_no, status);
DROP INDEX submissions_grader;
CREATE INDEX submissions_graded_by ON submissions (grader_id) WHERE grader_id IS NOT NULL;

-- +goose Down
DROP INDEX submissions_graded_by;
CREATE INDEX submissions_grader ON submissions (grader_id);
DROP INDEX submissions_of;
CREATE INDEX submissions_own_status ON submissions (submitter_id, status, submitter_no);
