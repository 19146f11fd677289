-- Submissions that a creator or an organizer marked: known work, from which the grade
-- model learns how its reviewers mark.

-- +goose Up
ALTER TABLE review_states ADD COLUMN known BIGINT; -- the mark

-- +goose Down
ALTER TABLE review_states DROP COLUMN known;
