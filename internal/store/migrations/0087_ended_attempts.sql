-- Attempts that end without a mark and stay in the submitter's history: withdrawn after a review, or sent back. They are
-- no longer submissions for an assignment: assignment_id is NULL, and past_of has the assignment. past_label is the word
-- by which their reviewers know them.

-- +goose Up
ALTER TABLE submissions ADD COLUMN past_of TEXT;
ALTER TABLE submissions ADD COLUMN past_label TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN ended_at BIGINT;
ALTER TABLE submissions ADD COLUMN end_reason TEXT NOT NULL DEFAULT '';
CREATE INDEX submissions_past ON submissions (past_of, submitter_id) WHERE past_of IS NOT NULL;

-- +goose Down
DROP INDEX submissions_past;
ALTER TABLE submissions DROP COLUMN end_reason;
ALTER TABLE submissions DROP COLUMN ended_at;
ALTER TABLE submissions DROP COLUMN past_label;
ALTER TABLE submissions DROP COLUMN past_of;
