-- What a review said, while a moderator hides it. Reports are of reviews and of
-- submissions, too.

-- +goose Up
ALTER TABLE reviews ADD COLUMN hidden_feedback TEXT;

-- +goose Down
ALTER TABLE reviews DROP COLUMN hidden_feedback;
