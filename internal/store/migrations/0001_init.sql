-- Times are microseconds since 1970, UTC. Ids are opaque text. The words
-- BIGSERIAL PRIMARY KEY become INTEGER PRIMARY KEY AUTOINCREMENT on SQLite:
-- see Numbered in migrate.go.

-- +goose Up
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    photo_url TEXT NOT NULL,
    password_hash TEXT NOT NULL, -- '' where there is none to sign in with
    created_at BIGINT NOT NULL,
    email_verified_at BIGINT,
    suspended_at BIGINT,
    -- Numbers the user's own submissions, so that pages of them are found by number.
    submission_count BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE assignments (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    creator_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    thumbnail TEXT NOT NULL,
    marks BIGINT NOT NULL,
    level TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    due_offset BIGINT NOT NULL, -- minutes east of UTC
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE INDEX assignments_creator ON assignments (creator_id);
-- Pages walk live rows only, however many deleted ones lie between them.
CREATE INDEX assignments_live ON assignments (seq) WHERE deleted_at IS NULL;
CREATE INDEX assignments_live_level ON assignments (level, seq) WHERE deleted_at IS NULL;

CREATE TABLE submissions (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    assignment_id TEXT REFERENCES assignments (id), -- NULL only for imported work on an assignment that is gone
    assignment_title TEXT NOT NULL,
    marks BIGINT NOT NULL,
    submitter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    submitter_no BIGINT NOT NULL, -- from users.submission_count
    docs_link TEXT NOT NULL,
    note TEXT NOT NULL,
    status TEXT NOT NULL,
    submitted_at BIGINT NOT NULL,
    late BOOLEAN NOT NULL,
    given_mark BIGINT,
    feedback TEXT,
    marked_at BIGINT,
    grader_id TEXT REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX submissions_pending ON submissions (seq) WHERE status = 'pending';
CREATE UNIQUE INDEX submissions_one_pending ON submissions (assignment_id, submitter_id) WHERE status = 'pending';
CREATE UNIQUE INDEX submissions_own ON submissions (submitter_id, submitter_no);
CREATE INDEX submissions_own_status ON submissions (submitter_id, status, submitter_no);
CREATE INDEX submissions_grader ON submissions (grader_id);

-- How many rows of a scope lie in each block of positions: see package pages.
CREATE TABLE page_counts (
    scope TEXT NOT NULL,
    tier BIGINT NOT NULL,
    block BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (scope, tier, block)
);
-- Changes of page_counts not folded in yet. On PostgreSQL many writers add rows
-- here at once, where they would wait for each other on one row of page_counts.
CREATE TABLE page_deltas (
    id BIGSERIAL PRIMARY KEY,
    scope TEXT NOT NULL,
    block BIGINT NOT NULL,
    n BIGINT NOT NULL
);

-- +goose Down
DROP TABLE page_deltas;
DROP TABLE page_counts;
DROP TABLE submissions;
DROP TABLE assignments;
DROP TABLE sessions;
DROP TABLE users;
DROP TABLE settings;
