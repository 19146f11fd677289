-- The comments that show under an assignment, by age: their latest authors are offered
-- for mentions.

-- +goose Up
CREATE INDEX comments_recent ON comments (assignment_id, seq, author_id)
    WHERE author_id IS NOT NULL AND deleted_at IS NULL AND hidden_at IS NULL;

-- +goose Down
DROP INDEX comments_recent;
