-- Where people stand: what they have taken, which 0020 keeps, what they want to be reminded
-- of, and when assignments are due.

-- +goose Up
-- What people asked to be reminded of.
CREATE TABLE reminders (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, assignment_id)
);
CREATE INDEX reminders_assignment ON reminders (assignment_id);

-- Assignments whose words are to be cut anew, as their creator's name has changed. Who
-- cuts them deletes the row before they read the name: who puts it here once more waits
-- for that, or that for them. All take them in the order of their ids.
CREATE TABLE search_stale (id BIGINT PRIMARY KEY); -- the seq
-- +goose StatementBegin
CREATE FUNCTION users_renamed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_stale SELECT a.seq FROM assignments a WHERE a.creator_id = NEW.id AND a.deleted_at IS NULL ORDER BY a.seq
    ON CONFLICT (id) DO UPDATE SET id = excluded.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_renamed AFTER UPDATE OF display_name ON users FOR EACH ROW
    WHEN (OLD.display_name <> NEW.display_name) EXECUTE FUNCTION users_renamed();
-- +goose StatementBegin
CREATE FUNCTION assignments_left() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_stale VALUES (NEW.seq) ON CONFLICT (id) DO UPDATE SET id = excluded.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER assignments_left AFTER UPDATE OF creator_id ON assignments FOR EACH ROW
    WHEN (OLD.creator_id IS DISTINCT FROM NEW.creator_id AND NEW.deleted_at IS NULL) EXECUTE FUNCTION assignments_left();

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
    PRIMARY KEY (user_id, seq) INCLUDE (level, state)
);

-- Nobody writes from here on until all is counted.
LOCK TABLE submissions, assignments IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO search_stale SELECT seq FROM assignments WHERE deleted_at IS NULL AND creator_id IS NOT NULL;

CREATE INDEX taken_due ON taken (user_id, due_at) WHERE state = 'pending';

CREATE INDEX submissions_results ON submissions (assignment_id, seq) INCLUDE (status);
CREATE INDEX submissions_marked ON submissions (submitter_id, marked_at) WHERE marked_at IS NOT NULL;
CREATE INDEX assignments_live_creator ON assignments (creator_id, seq) INCLUDE (level) WHERE deleted_at IS NULL;
CREATE INDEX assignments_live_due ON assignments (due_at, seq) INCLUDE (level) WHERE deleted_at IS NULL;

-- Those who count what was handed in for an assignment share it; who changes how it
-- is counted has it alone.
-- +goose StatementBegin
CREATE FUNCTION assignments_taken_alone() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM assignments a WHERE a.seq = OLD.seq FOR UPDATE;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER assignments_changing BEFORE UPDATE ON assignments FOR EACH ROW
    WHEN (OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
    EXECUTE FUNCTION assignments_taken_alone();

-- When live assignments are due, by blocks of 256 minutes.
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'due/' || level, 0, due_at / 15360000000, COUNT(*) FROM assignments WHERE deleted_at IS NULL GROUP BY 1, 3;
-- +goose StatementBegin
CREATE FUNCTION assignments_due_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO page_deltas (scope, block, n)
        SELECT 'due/' || a.level, a.due_at / 15360000000, COUNT(*) FROM after a WHERE a.deleted_at IS NULL GROUP BY 1, 2;
    ELSIF EXISTS (SELECT FROM before b JOIN after a ON a.seq = b.seq
        WHERE a.level <> b.level OR a.due_at <> b.due_at OR a.deleted_at IS DISTINCT FROM b.deleted_at) THEN
        INSERT INTO page_deltas (scope, block, n)
        SELECT c.scope, c.block, SUM(c.n) FROM (
            SELECT 'due/' || b.level AS scope, b.due_at / 15360000000 AS block, -1 AS n FROM before b WHERE b.deleted_at IS NULL
            UNION ALL SELECT 'due/' || a.level, a.due_at / 15360000000, 1 FROM after a WHERE a.deleted_at IS NULL
        ) c GROUP BY 1, 2 HAVING SUM(c.n) <> 0;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER assignments_due_added AFTER INSERT ON assignments REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION assignments_due_changed();
CREATE TRIGGER assignments_due_changed AFTER UPDATE ON assignments REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION assignments_due_changed();

-- +goose Down
DROP TRIGGER assignments_left ON assignments;
DROP TRIGGER users_renamed ON users;
DROP FUNCTION assignments_left;
DROP FUNCTION users_renamed;
DROP TABLE search_stale;
DROP TRIGGER assignments_due_changed ON assignments;
DROP TRIGGER assignments_due_added ON assignments;
DROP FUNCTION assignments_due_changed;
DROP TRIGGER assignments_changing ON assignments;
DROP FUNCTION assignments_taken_alone;
DROP INDEX assignments_live_due;
DROP INDEX assignments_live_creator;
DROP INDEX submissions_marked;
DROP INDEX submissions_results;
DROP TABLE taken;
DROP TABLE reminders;
DELETE FROM page_counts WHERE scope LIKE 'due/%';
DELETE FROM page_deltas WHERE scope LIKE 'due/%';
