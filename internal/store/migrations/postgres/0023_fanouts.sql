-- Notices for all who wrote in a thread, in one row: they are written out by and by.
-- Times are microseconds since 1970, UTC.
--
-- The index is made beside those who write, and so outside a transaction: killed in
-- the middle, it begins anew, and finds some of its steps taken.

-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS fanouts (
    id BIGSERIAL PRIMARY KEY,
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
CREATE TABLE IF NOT EXISTS fanouts_apart (
    fanout_id BIGINT NOT NULL REFERENCES fanouts (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    PRIMARY KEY (fanout_id, user_id)
);
-- +goose StatementBegin
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('comments_writers') AND NOT indisvalid) THEN
        DROP INDEX comments_writers; -- half made
    END IF;
END $$;
-- +goose StatementEnd
CREATE INDEX CONCURRENTLY IF NOT EXISTS comments_writers ON comments (thread_id, author_id) WHERE thread_id IS NOT NULL;

-- +goose Down
DROP INDEX IF EXISTS comments_writers;
DROP TABLE IF EXISTS fanouts_apart;
DROP TABLE IF EXISTS fanouts;
