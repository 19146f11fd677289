-- Where people stand: what they have taken, and the figures of their dashboards. Both
-- follow from submissions and assignments alone, and triggers see to that, whoever
-- writes: see decision 30. Percents are in millionths (studycircle.PercentUnit).

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
INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
SELECT s.submitter_id, a.seq, a.level, a.due_at, CASE (array_agg(s.status ORDER BY s.submitter_no DESC))[1] WHEN 'pending' THEN 'pending' ELSE 'graded' END,
    COUNT(*), (array_agg(s.id ORDER BY s.submitter_no DESC))[1],
    (array_agg(s.given_mark ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1],
    (array_agg(s.marks ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1]
FROM submissions s JOIN assignments a ON a.id = s.assignment_id
WHERE s.submitter_id IS NOT NULL AND a.deleted_at IS NULL GROUP BY s.submitter_id, a.seq;
CREATE INDEX taken_due ON taken (user_id, due_at) WHERE state = 'pending';

CREATE INDEX submissions_results ON submissions (assignment_id, seq) INCLUDE (status);
CREATE INDEX submissions_marked ON submissions (submitter_id, marked_at) WHERE marked_at IS NOT NULL;
CREATE INDEX assignments_live_creator ON assignments (creator_id, seq) INCLUDE (level) WHERE deleted_at IS NULL;
CREATE INDEX assignments_live_due ON assignments (due_at, seq) INCLUDE (level) WHERE deleted_at IS NULL;

-- n more submissions like this one. LIMIT has PostgreSQL look for each assignment by its
-- id: it begins with an empty database, of which it may find that looking at all
-- is as quick, and would keep to that.
CREATE TYPE submissions_change AS (
    n BIGINT, id TEXT, submitter_id TEXT, assignment_id TEXT, status TEXT, given_mark BIGINT, marks BIGINT,
    submitted_at BIGINT, marked_at BIGINT, grader_id TEXT, first BOOLEAN
);

-- What changes of submissions are for the figures: scopes, blocks and how many more.
-- +goose StatementBegin
CREATE FUNCTION figures_of(changes submissions_change[]) RETURNS TABLE (scope TEXT, block BIGINT, n BIGINT) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY -- plpgsql keeps the plan, which an SQL function makes anew each time
    WITH c AS (
        SELECT u.*, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END AS creator_id, COALESCE(a.level, 'none') AS level,
            u.n * ((u.given_mark * 200000000 + u.marks) / (2 * GREATEST(u.marks, 1))) AS percent
        FROM unnest(changes) u LEFT JOIN LATERAL (SELECT x.* FROM assignments x WHERE x.id = u.assignment_id LIMIT 1) a ON TRUE
    ), f (scope, block, n) AS (
        SELECT 'of/' || creator_id || '/pending', 0, n FROM c WHERE status = 'pending' AND creator_id IS NOT NULL
        UNION ALL SELECT 'of/' || creator_id || '/graded', 0, n FROM c WHERE status = 'completed' AND creator_id IS NOT NULL
        UNION ALL SELECT 'of/' || creator_id || '/percent', 0, percent FROM c WHERE status = 'completed' AND creator_id IS NOT NULL
        UNION ALL SELECT 'got/' || submitter_id || '/' || level, (given_mark * 2000 + marks) / (2 * GREATEST(marks, 1)), n FROM c WHERE status = 'completed' AND submitter_id IS NOT NULL
        UNION ALL SELECT 'got/' || submitter_id || '/' || level || '/percent', 0, percent FROM c WHERE status = 'completed' AND submitter_id IS NOT NULL
        UNION ALL SELECT 'gave/' || grader_id, (GREATEST(marked_at - submitted_at, 0) + 18000000) / 36000000, n FROM c WHERE status = 'completed' AND grader_id IS NOT NULL
        UNION ALL SELECT 'gave/' || grader_id || '/percent', 0, percent FROM c WHERE status = 'completed' AND grader_id IS NOT NULL
    )
    SELECT f.scope, CAST(f.block AS BIGINT), CAST(SUM(f.n) AS BIGINT) FROM f GROUP BY 1, 2 HAVING SUM(f.n) <> 0;
END $$;
-- +goose StatementEnd

-- What there is already.
INSERT INTO page_counts (scope, tier, block, n)
WITH c AS (
    SELECT s.*, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END AS creator_id, COALESCE(a.level, 'none') AS level,
        (s.given_mark * 200000000 + s.marks) / (2 * GREATEST(s.marks, 1)) AS percent
    FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id
)
SELECT 'of/' || creator_id || '/pending', 0, 0, COUNT(*) FROM c WHERE status = 'pending' AND creator_id IS NOT NULL GROUP BY creator_id
UNION ALL SELECT 'of/' || creator_id || '/graded', 0, 0, COUNT(*) FROM c WHERE status = 'completed' AND creator_id IS NOT NULL GROUP BY creator_id
UNION ALL SELECT 'of/' || creator_id || '/percent', 0, 0, CAST(SUM(percent) AS BIGINT) FROM c WHERE status = 'completed' AND creator_id IS NOT NULL GROUP BY creator_id
UNION ALL SELECT 'got/' || submitter_id || '/' || level, 0, (given_mark * 2000 + marks) / (2 * GREATEST(marks, 1)), COUNT(*) FROM c
    WHERE status = 'completed' AND submitter_id IS NOT NULL GROUP BY submitter_id, level, 3
UNION ALL SELECT 'got/' || submitter_id || '/' || level || '/percent', 0, 0, CAST(SUM(percent) AS BIGINT) FROM c
    WHERE status = 'completed' AND submitter_id IS NOT NULL GROUP BY submitter_id, level
UNION ALL SELECT 'gave/' || grader_id, 0, (GREATEST(marked_at - submitted_at, 0) + 18000000) / 36000000, COUNT(*) FROM c
    WHERE status = 'completed' AND grader_id IS NOT NULL GROUP BY grader_id, 3
UNION ALL SELECT 'gave/' || grader_id || '/percent', 0, 0, CAST(SUM(percent) AS BIGINT) FROM c
    WHERE status = 'completed' AND grader_id IS NOT NULL GROUP BY grader_id;

-- +goose StatementBegin
CREATE FUNCTION submissions_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    changes submissions_change[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        changes := ARRAY(SELECT CAST(ROW(1, s.id, s.submitter_id, s.assignment_id, s.status, s.given_mark, s.marks, s.submitted_at, s.marked_at, s.grader_id, FALSE)
            AS submissions_change) FROM after s);
    ELSIF TG_OP = 'DELETE' THEN
        changes := ARRAY(SELECT CAST(ROW(-1, s.id, s.submitter_id, s.assignment_id, s.status, s.given_mark, s.marks, s.submitted_at, s.marked_at, s.grader_id, FALSE)
            AS submissions_change) FROM before s);
    ELSE
        changes := ARRAY(
            SELECT CAST(ROW(-1, b.id, b.submitter_id, b.assignment_id, b.status, b.given_mark, b.marks, b.submitted_at, b.marked_at, b.grader_id, FALSE) AS submissions_change)
            FROM before b JOIN after s ON s.seq = b.seq WHERE b.status <> s.status OR b.given_mark IS DISTINCT FROM s.given_mark
            UNION ALL
            SELECT CAST(ROW(1, s.id, s.submitter_id, s.assignment_id, s.status, s.given_mark, s.marks, s.submitted_at, s.marked_at, s.grader_id, b.status = 'pending') AS submissions_change)
            FROM before b JOIN after s ON s.seq = b.seq WHERE b.status <> s.status OR b.given_mark IS DISTINCT FROM s.given_mark);
    END IF;
    IF cardinality(changes) = 0 THEN
        RETURN NULL;
    END IF;
    -- Whoever changes what is counted of an assignment waits for this transaction, or
    -- this one for them.
    PERFORM 1 FROM (SELECT DISTINCT c.assignment_id FROM unnest(changes) c ORDER BY 1) w
    CROSS JOIN LATERAL (SELECT x.id FROM assignments x WHERE x.id = w.assignment_id LIMIT 1 FOR KEY SHARE) a;
    INSERT INTO page_deltas (scope, block, n) SELECT f.scope, f.block, f.n FROM figures_of(changes) f;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO taken AS t (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
        SELECT c.submitter_id, a.seq, a.level, a.due_at, CASE (array_agg(c.status ORDER BY s.submitter_no DESC))[1] WHEN 'pending' THEN 'pending' ELSE 'graded' END,
            COUNT(*), (array_agg(c.id ORDER BY s.submitter_no DESC))[1],
            (array_agg(c.given_mark ORDER BY CAST(c.given_mark AS DOUBLE PRECISION) / GREATEST(c.marks, 1) DESC, s.submitter_no) FILTER (WHERE c.given_mark IS NOT NULL))[1],
            (array_agg(c.marks ORDER BY CAST(c.given_mark AS DOUBLE PRECISION) / GREATEST(c.marks, 1) DESC, s.submitter_no) FILTER (WHERE c.given_mark IS NOT NULL))[1]
        FROM unnest(changes) c JOIN after s ON s.id = c.id
        CROSS JOIN LATERAL (SELECT x.* FROM assignments x WHERE x.id = c.assignment_id LIMIT 1) a
        WHERE c.submitter_id IS NOT NULL AND a.deleted_at IS NULL GROUP BY c.submitter_id, a.seq, a.level, a.due_at
        ON CONFLICT (user_id, seq) DO UPDATE SET state = excluded.state, attempts = t.attempts + excluded.attempts, submission_id = excluded.submission_id,
            best_mark = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_mark ELSE t.best_mark END,
            best_total = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_total ELSE t.best_total END;
        RETURN NULL;
    END IF;
    -- The first grade of an attempt, when all others have been graded.
    UPDATE taken t SET state = 'graded',
        best_mark = CASE WHEN t.best_mark IS NULL OR c.given_mark * t.best_total > t.best_mark * c.marks THEN c.given_mark ELSE t.best_mark END,
        best_total = CASE WHEN t.best_mark IS NULL OR c.given_mark * t.best_total > t.best_mark * c.marks THEN c.marks ELSE t.best_total END
    FROM unnest(changes) c CROSS JOIN LATERAL (SELECT x.seq FROM assignments x WHERE x.id = c.assignment_id LIMIT 1) a
    WHERE c.n = 1 AND c.first AND c.status = 'completed' AND t.user_id = c.submitter_id AND t.seq = a.seq;
    -- A mark that changes, an attempt that is withdrawn.
    changes := ARRAY(SELECT c FROM unnest(changes) c WHERE c.n = -1 AND (TG_OP = 'DELETE' OR c.status <> 'pending'));
    IF cardinality(changes) = 0 THEN
        RETURN NULL;
    END IF;
    DELETE FROM taken t USING unnest(changes) c JOIN assignments a ON a.id = c.assignment_id WHERE t.user_id = c.submitter_id AND t.seq = a.seq;
    INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT s.submitter_id, a.seq, a.level, a.due_at, CASE (array_agg(s.status ORDER BY s.submitter_no DESC))[1] WHEN 'pending' THEN 'pending' ELSE 'graded' END,
        COUNT(*), (array_agg(s.id ORDER BY s.submitter_no DESC))[1],
        (array_agg(s.given_mark ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1],
        (array_agg(s.marks ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1]
    FROM (SELECT DISTINCT c.submitter_id, c.assignment_id FROM unnest(changes) c) p
    JOIN assignments a ON a.id = p.assignment_id JOIN submissions s ON s.assignment_id = a.id AND s.submitter_id = p.submitter_id
    WHERE a.deleted_at IS NULL GROUP BY s.submitter_id, a.seq;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER submissions_added AFTER INSERT ON submissions REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_changed();
CREATE TRIGGER submissions_updated AFTER UPDATE ON submissions REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_changed();
CREATE TRIGGER submissions_removed AFTER DELETE ON submissions REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_changed();

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

-- +goose StatementBegin
CREATE FUNCTION assignments_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN
        DELETE FROM taken t WHERE t.seq = NEW.seq AND t.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
        INSERT INTO page_deltas (scope, block, n)
        SELECT 'of/' || NEW.creator_id || '/' || f.name, 0, -f.n FROM (
            SELECT 'pending' AS name, COUNT(*) AS n FROM submissions s WHERE s.assignment_id = NEW.id AND s.status = 'pending'
            UNION ALL SELECT 'graded', COUNT(*) FROM submissions s WHERE s.assignment_id = NEW.id AND s.status = 'completed'
            UNION ALL SELECT 'percent', CAST(SUM((s.given_mark * 200000000 + s.marks) / (2 * GREATEST(s.marks, 1))) AS BIGINT) FROM submissions s
                WHERE s.assignment_id = NEW.id AND s.status = 'completed'
        ) f WHERE NEW.creator_id IS NOT NULL AND f.n <> 0;
        RETURN NULL;
    END IF;
    UPDATE taken t SET level = NEW.level, due_at = NEW.due_at
    WHERE t.seq = NEW.seq AND t.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    INSERT INTO page_deltas (scope, block, n)
    SELECT 'got/' || s.submitter_id || '/' || side.level, (s.given_mark * 2000 + s.marks) / (2 * GREATEST(s.marks, 1)), SUM(side.n)
    FROM submissions s CROSS JOIN (VALUES (-1, OLD.level), (1, NEW.level)) AS side (n, level)
    WHERE OLD.level <> NEW.level AND s.assignment_id = NEW.id AND s.status = 'completed' AND s.submitter_id IS NOT NULL GROUP BY 1, 2;
    INSERT INTO page_deltas (scope, block, n)
    SELECT 'got/' || s.submitter_id || '/' || side.level || '/percent', 0, SUM(side.n * ((s.given_mark * 200000000 + s.marks) / (2 * GREATEST(s.marks, 1))))
    FROM submissions s CROSS JOIN (VALUES (-1, OLD.level), (1, NEW.level)) AS side (n, level)
    WHERE OLD.level <> NEW.level AND s.assignment_id = NEW.id AND s.status = 'completed' AND s.submitter_id IS NOT NULL GROUP BY 1;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER assignments_changed AFTER UPDATE ON assignments FOR EACH ROW
    WHEN (OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at OR (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL))
    EXECUTE FUNCTION assignments_changed();

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
DROP TRIGGER assignments_changed ON assignments;
DROP TRIGGER assignments_changing ON assignments;
DROP TRIGGER submissions_removed ON submissions;
DROP TRIGGER submissions_updated ON submissions;
DROP TRIGGER submissions_added ON submissions;
DROP FUNCTION assignments_changed;
DROP FUNCTION assignments_taken_alone;
DROP FUNCTION submissions_changed;
DROP FUNCTION figures_of;
DROP TYPE submissions_change;
DROP INDEX assignments_live_due;
DROP INDEX assignments_live_creator;
DROP INDEX submissions_marked;
DROP INDEX submissions_results;
DROP TABLE taken;
DROP TABLE reminders;
DELETE FROM page_counts WHERE scope LIKE 'of/%' OR scope LIKE 'got/%' OR scope LIKE 'gave/%' OR scope LIKE 'due/%';
DELETE FROM page_deltas WHERE scope LIKE 'of/%' OR scope LIKE 'got/%' OR scope LIKE 'gave/%' OR scope LIKE 'due/%';
