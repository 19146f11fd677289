-- +goose Up
-- Of how many texts that have lost words those were gone for good when that was last
-- seen to, and when that began, in microseconds since 1970, UTC.
ALTER TABLE search_gone ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
ALTER TABLE search_gone ADD COLUMN forgotten_at INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE search_gone DROP COLUMN forgotten_at;
ALTER TABLE search_gone DROP COLUMN forgotten;
