-- When to check whether the submitters of an assignment are too few to give each other all reviews, in microseconds
-- since 1970, UTC; NULL while no check is planned. 0 is due at once.

-- +goose Up
ALTER TABLE review_assignments ADD COLUMN short_at BIGINT;
CREATE INDEX review_assignments_short ON review_assignments (short_at) WHERE short_at IS NOT NULL;
UPDATE review_assignments SET short_at = 0 WHERE listed;

-- +goose Down
DROP INDEX review_assignments_short;
ALTER TABLE review_assignments DROP COLUMN short_at;
