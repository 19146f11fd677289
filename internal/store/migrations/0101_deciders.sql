-- The user who finalized a submission or set its mark: NULL where reviews or time did, before this column, and once the
-- account is gone.

-- +goose Up
ALTER TABLE settlements ADD COLUMN decider_id TEXT REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX settlements_by ON settlements (decider_id) WHERE decider_id IS NOT NULL;

-- +goose Down
DROP INDEX settlements_by;
ALTER TABLE settlements DROP COLUMN decider_id;
