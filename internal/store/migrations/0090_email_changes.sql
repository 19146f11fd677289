-- Links that give an account another address: the new one until its owner has confirmed it, and, for a week after a
-- change, the one before. code_hash is NULL until the email with the link is composed. verified_at is what undoing
-- restores.

-- +goose Up
CREATE TABLE email_changes (
    seq BIGSERIAL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    undoes BOOLEAN NOT NULL,
    verified_at BIGINT,
    code_hash TEXT UNIQUE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX email_changes_user ON email_changes (user_id);
CREATE INDEX email_changes_expiry ON email_changes (expires_at);

-- +goose Down
DROP TABLE email_changes;
