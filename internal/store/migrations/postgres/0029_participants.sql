-- The comments that show under an assignment, by age: their latest authors are offered
-- for mentions. The index is built beside writers, and so outside a transaction: if that
-- is interrupted, the next start drops what is left and builds it again.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS comments_recent;
CREATE INDEX CONCURRENTLY comments_recent ON comments (assignment_id, seq, author_id)
    WHERE author_id IS NOT NULL AND deleted_at IS NULL AND hidden_at IS NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS comments_recent;
