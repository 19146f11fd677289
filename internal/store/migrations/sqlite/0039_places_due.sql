-- The other indexes of assignments name the place too. They have a migration of their own, so that neither holds
-- writers for longer than four seconds at a million assignments.

-- +goose Up
CREATE INDEX assignments_in_due ON assignments (circle_id, due_at, seq, level, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX assignments_live_due;
CREATE INDEX assignments_live_by ON assignments (creator_id, seq, level, circle_id, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX assignments_live_creator;

-- +goose Down
CREATE INDEX assignments_live_creator ON assignments (creator_id, seq, level, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX assignments_live_by;
CREATE INDEX assignments_live_due ON assignments (due_at, seq, level, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX assignments_in_due;
