-- +goose Up
-- One-time codes that were mailed to their user: the hash of a secret, never the
-- secret.
CREATE TABLE action_codes (
    code_hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX action_codes_user ON action_codes (user_id);
CREATE INDEX action_codes_expiry ON action_codes (expires_at);

-- Mails still to be sent. A row says what is wanted, not what the mail says:
-- text, address and secret are made when it is sent.
CREATE TABLE mails (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Nobody touches it before: the next try after a failed one, or the end of
    -- the time for which the node that is sending it has it to itself.
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL
);
CREATE INDEX mails_due ON mails (due_at);
CREATE INDEX mails_user ON mails (user_id);

-- What counts against a limit of an account, on all nodes: see package limit.
-- Names hold hashes and ids, no addresses.
CREATE TABLE rate_limits (
    name TEXT PRIMARY KEY,
    stamps TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX rate_limits_expiry ON rate_limits (expires_at);

-- +goose Down
DROP TABLE rate_limits;
DROP TABLE mails;
DROP TABLE action_codes;
