-- When everyone who owes something for an assignment was last reminded; 0 if never. Microseconds since 1970, UTC.

-- +goose Up
ALTER TABLE assignments ADD COLUMN reminded_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE assignments DROP COLUMN reminded_at;
