-- Requests with an id of their client, for a day: a repeated one is answered as the first was. id and asked are hashes,
-- and the answer is encrypted: only the client's id opens it. The answer is '' until the first request is answered.

-- +goose Up
CREATE TABLE sent_requests (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    asked TEXT NOT NULL,
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    answer TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sent_requests_of ON sent_requests (user_id);
CREATE INDEX sent_requests_expiry ON sent_requests (expires_at);

-- +goose Down
DROP TABLE sent_requests;
