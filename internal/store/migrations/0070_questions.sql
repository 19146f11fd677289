-- The questions that reviewers ask submitters before the mark, one each, and the answers. Times are microseconds since
-- 1970, UTC.

-- +goose Up
CREATE TABLE review_questions (
    id TEXT PRIMARY KEY,
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    submitter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    reviewer TEXT NOT NULL, -- as in reviews
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    answer_html TEXT NOT NULL DEFAULT '',
    answered_at BIGINT -- NULL until then
);
CREATE UNIQUE INDEX review_questions_of ON review_questions (submission_id, reviewer);
CREATE INDEX review_questions_by ON review_questions (reviewer, id);
CREATE INDEX review_questions_to ON review_questions (submitter_id, id);

-- +goose Down
DROP TABLE review_questions;
