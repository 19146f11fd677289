-- Exemplars, when people are asked to review, and which assignments' parts of the
-- grade model are out of date. Times are microseconds since 1970, UTC.

-- +goose Up
-- Sample work of known mark. Its row of submissions has the status exemplar, nobody's
-- and no assignment's, so that no list, count or figure has it.
CREATE TABLE exemplars (
    id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    label TEXT NOT NULL, -- what reviewers know it by
    mark BIGINT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX exemplars_of ON exemplars (assignment_id, id);
ALTER TABLE reviews ADD COLUMN exemplar BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX reviews_in ON reviews (assignment_id, submission_id);

-- Whom to ask to review, since they handed in, and when that is to be looked at.
CREATE TABLE review_requests (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    asked BIGINT NOT NULL, -- how often
    next_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, assignment_id)
);
CREATE INDEX review_requests_next ON review_requests (next_at);

-- The day of the last change, counted from 1970 in UTC; NULL once all parts were made
-- anew after it.
ALTER TABLE review_totals ADD COLUMN changed_day BIGINT;
CREATE INDEX review_totals_changed ON review_totals (changed_day) WHERE changed_day IS NOT NULL;

-- +goose Down
DROP INDEX review_totals_changed;
ALTER TABLE review_totals DROP COLUMN changed_day;
DROP TABLE review_requests;
DROP INDEX reviews_in;
ALTER TABLE reviews DROP COLUMN exemplar;
DROP TABLE exemplars;
