-- Since when a circle counts the accuracy of reviews, in microseconds since 1970, UTC; NULL if it does not.

-- +goose Up
ALTER TABLE circles ADD COLUMN accuracy_since BIGINT;

-- +goose Down
ALTER TABLE circles DROP COLUMN accuracy_since;
