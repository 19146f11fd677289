-- Markdown, and discussions under assignments. A comment keeps its place: seq orders all of them.

-- +goose Up
-- What a text shows as where it is Markdown; '' and NULL where it is plain, as all
-- that was there before is.
ALTER TABLE assignments ADD COLUMN html TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN feedback_html TEXT;

ALTER TABLE assignments ADD COLUMN discussion_closed BOOLEAN NOT NULL DEFAULT FALSE;
-- Why a moderator hid it; it is deleted then, until that is taken back.
ALTER TABLE assignments ADD COLUMN hidden_reason TEXT;
-- The title that a submission was made under, while the assignment is hidden.
ALTER TABLE submissions ADD COLUMN hidden_title TEXT;

CREATE TABLE comments (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    -- NULL where it begins a thread. Checked when a transaction ends: a copy comes in
    -- no order.
    thread_id TEXT REFERENCES comments (id) DEFERRABLE INITIALLY DEFERRED,
    author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    text TEXT NOT NULL, -- '' where it was deleted and its replies are left
    html TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    edited_at BIGINT,
    deleted_at BIGINT,
    hidden_at BIGINT,
    hidden_reason TEXT,
    -- Whether it has a place in its list: it shows, or replies to it do.
    listed BOOLEAN NOT NULL,
    replies BIGINT NOT NULL, -- those that are listed
    likes BIGINT NOT NULL,
    thanks BIGINT NOT NULL,
    insightful BIGINT NOT NULL,
    questions BIGINT NOT NULL
);
CREATE INDEX comments_threads ON comments (assignment_id, seq) WHERE thread_id IS NULL AND listed;
CREATE INDEX comments_replies ON comments (thread_id, seq) WHERE thread_id IS NOT NULL;
CREATE INDEX comments_people ON comments (assignment_id, author_id);
CREATE INDEX comments_author ON comments (author_id, seq);

-- What people reported; closed once a moderator has decided.
CREATE TABLE reports (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL, -- comment, assignment
    subject_id TEXT NOT NULL,
    reporter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    reason TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    closed_at BIGINT
);
CREATE UNIQUE INDEX reports_once ON reports (kind, subject_id, reporter_id);
CREATE INDEX reports_open ON reports (seq) WHERE closed_at IS NULL;
CREATE INDEX reports_reporter ON reports (reporter_id);

-- Everything that moderators did, for good.
CREATE TABLE moderation_log (
    seq BIGSERIAL PRIMARY KEY,
    moderator TEXT NOT NULL, -- an address, or 'shell'
    action TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    done_at BIGINT NOT NULL
);

-- Who chose what of a comment; the comment counts them.
CREATE TABLE reactions (
    comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    PRIMARY KEY (comment_id, user_id, kind)
);
CREATE INDEX reactions_user ON reactions (user_id, comment_id, kind);

-- +goose Down
DROP TABLE reactions;
DROP TABLE moderation_log;
DROP TABLE reports;
DROP TABLE comments;
ALTER TABLE submissions DROP COLUMN hidden_title;
ALTER TABLE assignments DROP COLUMN hidden_reason;
ALTER TABLE assignments DROP COLUMN discussion_closed;
ALTER TABLE submissions DROP COLUMN feedback_html;
ALTER TABLE assignments DROP COLUMN html;
