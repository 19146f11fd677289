-- Pages of replies and of a user's reviews are counted by an index each. They are built beside writers, and so outside
-- a transaction: if that is interrupted, the next start drops what is left and builds them again.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS comments_listed;
CREATE INDEX CONCURRENTLY comments_listed ON comments (thread_id, seq) WHERE thread_id IS NOT NULL AND listed;
DROP INDEX CONCURRENTLY IF EXISTS reviews_given;
CREATE INDEX CONCURRENTLY reviews_given ON reviews (reviewer, seq) WHERE NOT exemplar;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS reviews_given;
DROP INDEX CONCURRENTLY IF EXISTS comments_listed;
