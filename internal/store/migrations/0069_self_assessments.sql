-- How submitters judge their own work by the assignment's rubric, before it is settled. Times are microseconds since
-- 1970, UTC.

-- +goose Up
CREATE TABLE self_assessments (
    submission_id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
    levels TEXT NOT NULL, -- JSON
    at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE self_assessments;
