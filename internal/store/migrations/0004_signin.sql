-- +goose Up
-- When a provider showed an account's address to be somebody's, after somebody
-- else had registered it: until that somebody has said whether the data is
-- theirs, it is not given to them. Means nothing once the address is verified.
ALTER TABLE users ADD COLUMN contested_at BIGINT;

-- People at OpenID providers, known by issuer and subject.
CREATE TABLE provider_links (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL, -- its id in the settings when it was last used
    email TEXT NOT NULL,    -- as the provider last said
    linked_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX provider_links_user ON provider_links (user_id, issuer);

CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    credential TEXT NOT NULL, -- public key, counter and flags, as JSON
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- Signed tickets that have done their work: hashes. Tickets not yet used leave
-- no trace here, so that asking for one writes nothing.
CREATE TABLE used_tickets (
    ticket_hash TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tickets_expiry ON used_tickets (expires_at);

-- +goose Down
DROP TABLE used_tickets;
DROP TABLE passkeys;
DROP TABLE provider_links;
ALTER TABLE users DROP COLUMN contested_at;
