-- Notices of a comment are found by its address, and notifications by what they are about,
-- when it is deleted, hidden or shown again. No other kind is in the indexes, so submitting and grading write none.

-- +goose Up
CREATE INDEX notices_comment ON notices (assignment_id, url) WHERE kind IN ('comment', 'reply', 'mention');
CREATE INDEX notifications_comment ON notifications (subject) WHERE kind IN ('comment', 'reply', 'mention');

-- +goose Down
DROP INDEX notifications_comment;
DROP INDEX notices_comment;
