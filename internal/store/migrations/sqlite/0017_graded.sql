-- The pending list has submissions that one grade marks; those that several people
-- review are listed by their assignments.

-- +goose Up
CREATE INDEX submissions_to_grade ON submissions (seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX submissions_pending;

-- +goose Down
CREATE INDEX submissions_pending ON submissions (seq) WHERE status = 'pending';
DROP INDEX submissions_to_grade;
