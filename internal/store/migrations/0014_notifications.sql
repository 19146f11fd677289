-- Times are microseconds since 1970, UTC.

-- +goose Up
-- What people are to be told of and is not in their inbox yet, written by the
-- transaction that it tells of. Inserting waits for nobody: no number is given out,
-- nothing is gathered, and no row is referred to.
CREATE TABLE notices (
    id BIGSERIAL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    assignment_id TEXT, -- of which title and url are
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    actor_id TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX notices_user ON notices (user_id);

-- One row a user, whose id it has. Whoever changes a user's notifications locks it first.
CREATE TABLE inboxes (
    id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    last_no BIGINT NOT NULL DEFAULT 0, -- numbers the user's notifications
    time_zone TEXT NOT NULL DEFAULT '', -- '' while none was told
    preferences TEXT NOT NULL DEFAULT '', -- JSON; '' is as it comes
    digest_at BIGINT, -- when the next digest goes out; NULL where nothing waits for one
    mail_day BIGINT NOT NULL DEFAULT 0, -- the user's day, in days since 1970, of
    mail_count BIGINT NOT NULL DEFAULT 0, -- so many mails
    refused_at BIGINT -- since when the address takes no mails
);
CREATE INDEX inboxes_digest ON inboxes (digest_at) WHERE digest_at IS NOT NULL;

CREATE TABLE notifications (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    no BIGINT, -- its place among the user's; NULL where it is for a mail only
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    assignment_id TEXT,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    actor_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    notices BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    read_at BIGINT,
    mail TEXT NOT NULL DEFAULT '', -- what is still to be done: see store/mailing.go
    mail_at BIGINT -- when its mail is due
);
CREATE UNIQUE INDEX notifications_own ON notifications (user_id, no);
CREATE INDEX notifications_unread ON notifications (user_id, no) WHERE read_at IS NULL;
-- Those that are not read are gathered by what they are about.
CREATE UNIQUE INDEX notifications_gather ON notifications (user_id, kind, subject) WHERE read_at IS NULL;
CREATE INDEX notifications_assignment ON notifications (assignment_id) WHERE assignment_id IS NOT NULL;
CREATE INDEX notifications_actor ON notifications (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX notifications_mail ON notifications (mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX notifications_to_mail ON notifications (user_id) WHERE mail <> '';

-- What is due to whom and when: lists, reminders, mails and calendars go by it. The
-- row is looked at when next_at has come, and as soon as what it is made from changes;
-- 0 is now, NULL is never.
ALTER TABLE reminders ADD COLUMN next_at BIGINT DEFAULT 0;
ALTER TABLE reminders ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0; -- when it was last looked at
ALTER TABLE reminders ADD COLUMN done TEXT NOT NULL DEFAULT ''; -- the days before of what went out or was dropped
ALTER TABLE reminders ADD COLUMN revision BIGINT NOT NULL DEFAULT 0; -- of the due date, for calendars,
ALTER TABLE reminders ADD COLUMN revised_at BIGINT NOT NULL DEFAULT 0; -- and when it changed
CREATE INDEX reminders_next ON reminders (next_at) WHERE next_at IS NOT NULL;

-- Private calendars: hashes of their secrets.
CREATE TABLE calendars (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE calendars;
DROP INDEX reminders_next;
ALTER TABLE reminders DROP COLUMN revised_at;
ALTER TABLE reminders DROP COLUMN revision;
ALTER TABLE reminders DROP COLUMN done;
ALTER TABLE reminders DROP COLUMN seen_at;
ALTER TABLE reminders DROP COLUMN next_at;
DROP TABLE notifications;
DROP TABLE inboxes;
DROP TABLE notices;
