-- Notices of a comment are found by its address, and notifications by what they are about,
-- when it is deleted, hidden or shown again. No other kind is in the indexes, so submitting and grading write none.
-- They are built beside writers, and so outside a transaction: if that is interrupted,
-- the next start drops what is left and builds them again.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS notices_comment;
CREATE INDEX CONCURRENTLY notices_comment ON notices (assignment_id, url) WHERE kind IN ('comment', 'reply', 'mention');
DROP INDEX CONCURRENTLY IF EXISTS notifications_comment;
CREATE INDEX CONCURRENTLY notifications_comment ON notifications (subject) WHERE kind IN ('comment', 'reply', 'mention');

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS notifications_comment;
DROP INDEX CONCURRENTLY IF EXISTS notices_comment;
