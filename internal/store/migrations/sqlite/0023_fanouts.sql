-- Notices for all who wrote in a thread, in one row: they are written out by and by.
-- Times are microseconds since 1970, UTC.

-- +goose Up
CREATE TABLE fanouts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id TEXT NOT NULL,
    until BIGINT NOT NULL, -- the reply's seq: who wrote before it is told
    assignment_id TEXT NOT NULL, -- of which title and url are
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    told_to TEXT NOT NULL DEFAULT '' -- users are told in the order of their ids, up to this one so far
);
-- Who is told apart from that: by a mention, or because they looked before it was their turn.
CREATE TABLE fanouts_apart (
    fanout_id BIGINT NOT NULL REFERENCES fanouts (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    PRIMARY KEY (fanout_id, user_id)
);
CREATE INDEX comments_writers ON comments (thread_id, author_id) WHERE thread_id IS NOT NULL;

-- +goose Down
DROP INDEX comments_writers;
DROP TABLE fanouts_apart;
DROP TABLE fanouts;
