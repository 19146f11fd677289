-- Registration by invitation. Times are microseconds since 1970, UTC.

-- +goose Up
-- The operator's invitations to register, of which the hash of the secret is stored.
CREATE TABLE server_invitations (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    uses_left BIGINT, -- NULL is without a limit
    only_email TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX server_invitations_expire ON server_invitations (expires_at);

-- Users who registered by an invitation that asks for a verified address: they join as soon as theirs is.
CREATE TABLE awaited_joins (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    invitation_id TEXT NOT NULL REFERENCES circle_invitations (id) ON DELETE CASCADE
);
CREATE INDEX awaited_joins_invitation ON awaited_joins (invitation_id);

-- +goose Down
DROP TABLE awaited_joins;
DROP TABLE server_invitations;
