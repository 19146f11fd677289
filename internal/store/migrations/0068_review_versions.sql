-- What reviews said until their reviewers corrected them, oldest first. Times are microseconds since 1970, UTC.

-- +goose Up
CREATE TABLE review_versions (
    review_id TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    until BIGINT NOT NULL,
    mark BIGINT NOT NULL,
    levels TEXT NOT NULL, -- JSON, '' without a rubric
    feedback TEXT NOT NULL,
    feedback_html TEXT NOT NULL,
    PRIMARY KEY (review_id, n)
);

-- +goose Down
DROP TABLE review_versions;
