-- Extra time: a user's own due date for an assignment, given for it or by the extra days of a membership. due_at is the
-- one that applies, own_at the one that was given for the assignment, NULL if none was. assignments.extended says that
-- some user has a row. Also whether and when a submission's link was changed after the due date that applies.

-- +goose Up
CREATE TABLE extensions (
    assignment_id TEXT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    circle_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    due_offset BIGINT NOT NULL,
    own_at BIGINT,
    own_offset BIGINT,
    PRIMARY KEY (assignment_id, user_id)
);
CREATE INDEX extensions_of ON extensions (user_id, circle_id);
ALTER TABLE assignments ADD COLUMN extended BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE assignments ADD COLUMN late_links BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE circle_members ADD COLUMN extra_days BIGINT NOT NULL DEFAULT 0;
CREATE INDEX circle_members_extra ON circle_members (circle_id) WHERE extra_days > 0;
ALTER TABLE submissions ADD COLUMN link_changed_at BIGINT;
ALTER TABLE submissions ADD COLUMN link_late BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE submissions DROP COLUMN link_late;
ALTER TABLE submissions DROP COLUMN link_changed_at;
DROP INDEX circle_members_extra;
ALTER TABLE circle_members DROP COLUMN extra_days;
ALTER TABLE assignments DROP COLUMN late_links;
ALTER TABLE assignments DROP COLUMN extended;
DROP TABLE extensions;
