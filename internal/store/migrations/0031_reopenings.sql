-- Requests for more reviews of submissions that have a mark, with their words; and the
-- levels of a rubric that make an exemplar's mark. Times are microseconds since 1970, UTC.

-- +goose Up
CREATE TABLE reopenings (
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    at BIGINT NOT NULL, -- 0 where it is unknown
    phase TEXT NOT NULL, -- appealed, reopened
    words TEXT NOT NULL,
    asked_at BIGINT NOT NULL, -- when the creator was asked to decide; 0 where they were not
    PRIMARY KEY (submission_id, n)
);
-- Appeals from before this table have no time.
INSERT INTO reopenings (submission_id, n, at, phase, words, asked_at)
SELECT id, 1, 0, 'appealed', appeal, 0 FROM review_states WHERE appeal <> '';
ALTER TABLE exemplars ADD COLUMN levels TEXT NOT NULL DEFAULT ''; -- JSON, '' for none

-- +goose Down
ALTER TABLE exemplars DROP COLUMN levels;
DROP TABLE reopenings;
