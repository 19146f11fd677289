-- Rubrics under a name, for their makers or for circles. Times are microseconds since 1970, UTC.

-- +goose Up
CREATE TABLE saved_rubrics (
    id TEXT PRIMARY KEY,
    maker_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    circle_id TEXT REFERENCES circles (id) ON DELETE CASCADE, -- NULL if it is its maker's own
    name TEXT NOT NULL,
    rubric TEXT NOT NULL, -- JSON
    saved_at BIGINT NOT NULL
);
CREATE INDEX saved_rubrics_maker ON saved_rubrics (maker_id, id);
CREATE INDEX saved_rubrics_circle ON saved_rubrics (circle_id, id) WHERE circle_id IS NOT NULL;

-- +goose Down
DROP TABLE saved_rubrics;
