-- Reviewing as a duty: until when, and how many reviews. Microseconds since 1970, UTC, and minutes east of UTC; 0 stands
-- for no date, and for as many reviews as each submission gets.

-- +goose Up
ALTER TABLE assignments ADD COLUMN review_due_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE assignments ADD COLUMN review_due_offset BIGINT NOT NULL DEFAULT 0;
ALTER TABLE assignments ADD COLUMN reviews_owed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE reminders ADD COLUMN done_reviews TEXT NOT NULL DEFAULT ''; -- like done, of the review due date

-- +goose Down
ALTER TABLE reminders DROP COLUMN done_reviews;
ALTER TABLE assignments DROP COLUMN reviews_owed;
ALTER TABLE assignments DROP COLUMN review_due_offset;
ALTER TABLE assignments DROP COLUMN review_due_at;
