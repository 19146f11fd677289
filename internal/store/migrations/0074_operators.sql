-- The nodes that run, the moderators whom the operator appointed.

-- +goose Up
CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    heard_at BIGINT NOT NULL
);
ALTER TABLE users ADD COLUMN moderator_since BIGINT;
CREATE INDEX users_moderators ON users (email) WHERE moderator_since IS NOT NULL;

-- +goose Down
DROP INDEX users_moderators;
ALTER TABLE users DROP COLUMN moderator_since;
DROP TABLE nodes;
