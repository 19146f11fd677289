-- Where people stand: what they have taken, which 0020 keeps, what they want to be reminded
-- of, and when assignments are due.

-- +goose Up
-- Counts lie where they are looked up, those of one person side by side.
ALTER TABLE page_counts RENAME TO page_counts_before;
CREATE TABLE page_counts (
    scope TEXT NOT NULL,
    tier BIGINT NOT NULL,
    block BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (scope, tier, block)
) WITHOUT ROWID;
INSERT INTO page_counts SELECT scope, tier, block, n FROM page_counts_before ORDER BY scope, tier, block;
DROP TABLE page_counts_before;

-- What people asked to be reminded of.
CREATE TABLE reminders (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, assignment_id)
);
CREATE INDEX reminders_assignment ON reminders (assignment_id);

-- Assignments whose words are to be cut anew, as their creator's name has changed.
CREATE TABLE search_stale (id INTEGER PRIMARY KEY); -- the seq
INSERT INTO search_stale SELECT seq FROM assignments WHERE deleted_at IS NULL AND creator_id IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER users_renamed AFTER UPDATE OF display_name ON users WHEN OLD.display_name <> NEW.display_name BEGIN
    UPDATE search_gone SET n = n + (SELECT COUNT(*) FROM assignments WHERE creator_id = NEW.id AND deleted_at IS NULL);
    INSERT INTO search_stale SELECT seq FROM assignments WHERE creator_id = NEW.id AND deleted_at IS NULL ON CONFLICT (id) DO NOTHING;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER assignments_left AFTER UPDATE OF creator_id ON assignments WHEN OLD.creator_id IS NOT NEW.creator_id AND NEW.deleted_at IS NULL BEGIN
    UPDATE search_gone SET n = n + 1;
    INSERT INTO search_stale VALUES (NEW.seq) ON CONFLICT (id) DO NOTHING;
END;
-- +goose StatementEnd

-- A row for each live assignment that somebody has handed in for, beside what is asked
-- for with it: level and due date are the assignment's.
CREATE TABLE taken (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL, -- the assignment's
    level TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    state TEXT NOT NULL, -- the latest attempt's: pending or graded
    attempts BIGINT NOT NULL,
    submission_id TEXT NOT NULL, -- the latest attempt
    best_mark BIGINT, -- of the best graded attempt
    best_total BIGINT,
    PRIMARY KEY (user_id, seq)
) WITHOUT ROWID;
CREATE INDEX taken_due ON taken (user_id, due_at) WHERE state = 'pending';

CREATE INDEX submissions_results ON submissions (assignment_id, seq, status);
CREATE INDEX submissions_marked ON submissions (submitter_id, marked_at) WHERE marked_at IS NOT NULL;
-- With deleted_at, though it is NULL in all of them: without it SQLite looks at the rows.
CREATE INDEX assignments_live_creator ON assignments (creator_id, seq, level, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX assignments_live_due ON assignments (due_at, seq, level, deleted_at) WHERE deleted_at IS NULL;

-- When live assignments are due, by blocks of 256 minutes.
-- +goose StatementBegin
CREATE TRIGGER assignments_due_added AFTER INSERT ON assignments WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO page_counts (scope, tier, block, n) VALUES ('due/' || NEW.level, 0, NEW.due_at / 15360000000, 1)
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER assignments_due_changed AFTER UPDATE OF level, due_at, deleted_at ON assignments
WHEN OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO page_counts (scope, tier, block, n) SELECT 'due/' || OLD.level, 0, OLD.due_at / 15360000000, -1 WHERE OLD.deleted_at IS NULL
    UNION ALL SELECT 'due/' || NEW.level, 0, NEW.due_at / 15360000000, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

INSERT INTO page_counts (scope, tier, block, n)
SELECT 'due/' || level, 0, due_at / 15360000000, COUNT(*) FROM assignments WHERE deleted_at IS NULL GROUP BY 1, 3;

-- +goose Down
DROP TRIGGER assignments_left;
DROP TRIGGER users_renamed;
DROP TABLE search_stale;
DROP TRIGGER assignments_due_changed;
DROP TRIGGER assignments_due_added;
DROP INDEX assignments_live_due;
DROP INDEX assignments_live_creator;
DROP INDEX submissions_marked;
DROP INDEX submissions_results;
DROP TABLE taken;
DROP TABLE reminders;
DELETE FROM page_counts WHERE scope LIKE 'due/%';
