-- The levels of the rubric that an assignment's creator chose for a mark, as JSON; empty for a mark without.

-- +goose Up
ALTER TABLE settlements ADD COLUMN levels TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE settlements DROP COLUMN levels;
