-- The other indexes of assignments name the place too. They are built beside writers, and so outside a transaction.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS assignments_in_due;
CREATE INDEX CONCURRENTLY assignments_in_due ON assignments (circle_id, due_at, seq) INCLUDE (level) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live_due;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live_by;
CREATE INDEX CONCURRENTLY assignments_live_by ON assignments (creator_id, seq) INCLUDE (level, circle_id) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live_creator;

-- +goose Down
CREATE INDEX CONCURRENTLY IF NOT EXISTS assignments_live_creator ON assignments (creator_id, seq) INCLUDE (level) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live_by;
CREATE INDEX CONCURRENTLY IF NOT EXISTS assignments_live_due ON assignments (due_at, seq) INCLUDE (level) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_in_due;
