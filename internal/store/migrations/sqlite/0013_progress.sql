-- Where people stand: what they have taken, and the figures of their dashboards. Both
-- follow from submissions and assignments alone, and triggers see to that, whoever
-- writes: see decision 30. Percents are in millionths (studycircle.PercentUnit).

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

-- Views into which triggers insert stand for procedures, which SQLite has not.

-- What somebody has taken of an assignment, from all their attempts.
CREATE VIEW taken_anew AS SELECT '' AS user_id, '' AS assignment_id;
-- +goose StatementBegin
CREATE TRIGGER taken_made_anew INSTEAD OF INSERT ON taken_anew BEGIN
    DELETE FROM taken WHERE user_id = NEW.user_id AND seq = (SELECT a.seq FROM assignments a WHERE a.id = NEW.assignment_id);
    INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT NEW.user_id, a.seq, a.level, a.due_at, CASE last.status WHEN 'pending' THEN 'pending' ELSE 'graded' END,
        (SELECT COUNT(*) FROM submissions s WHERE s.assignment_id = a.id AND s.submitter_id = NEW.user_id), last.id, best.given_mark, best.marks
    FROM assignments a
    JOIN submissions last ON last.seq = (
        SELECT s.seq FROM submissions s WHERE s.assignment_id = a.id AND s.submitter_id = NEW.user_id ORDER BY s.submitter_no DESC LIMIT 1)
    LEFT JOIN submissions best ON best.seq = (
        SELECT s.seq FROM submissions s WHERE s.assignment_id = a.id AND s.submitter_id = NEW.user_id AND s.status = 'completed'
        ORDER BY CAST(s.given_mark AS REAL) / MAX(s.marks, 1) DESC, s.submitter_no LIMIT 1)
    WHERE a.id = NEW.assignment_id AND a.deleted_at IS NULL;
END;
-- +goose StatementEnd

-- n more graded submissions like this one. creator_id is NULL where the assignment is
-- deleted or nobody's.
CREATE VIEW grades_counted AS SELECT 0 AS n, '' AS creator_id, '' AS submitter_id, '' AS grader_id, '' AS level,
    0 AS tenths, 0 AS percent, 0 AS waited;
-- +goose StatementBegin
CREATE TRIGGER grades_count INSTEAD OF INSERT ON grades_counted BEGIN
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || NEW.creator_id || '/graded', 0, 0, NEW.n WHERE NEW.creator_id IS NOT NULL
    UNION ALL SELECT 'of/' || NEW.creator_id || '/percent', 0, 0, NEW.n * NEW.percent WHERE NEW.creator_id IS NOT NULL
    UNION ALL SELECT 'got/' || NEW.submitter_id || '/' || NEW.level, 0, NEW.tenths, NEW.n WHERE NEW.submitter_id IS NOT NULL
    UNION ALL SELECT 'got/' || NEW.submitter_id || '/' || NEW.level || '/percent', 0, 0, NEW.n * NEW.percent WHERE NEW.submitter_id IS NOT NULL
    UNION ALL SELECT 'gave/' || NEW.grader_id, 0, NEW.waited, NEW.n WHERE NEW.grader_id IS NOT NULL
    UNION ALL SELECT 'gave/' || NEW.grader_id || '/percent', 0, 0, NEW.n * NEW.percent WHERE NEW.grader_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_added AFTER INSERT ON submissions WHEN NEW.assignment_id IS NOT NULL BEGIN
    INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT NEW.submitter_id, a.seq, a.level, a.due_at, CASE NEW.status WHEN 'pending' THEN 'pending' ELSE 'graded' END, 1, NEW.id,
        NEW.given_mark, CASE WHEN NEW.given_mark IS NOT NULL THEN NEW.marks END
    FROM assignments a WHERE a.id = NEW.assignment_id AND a.deleted_at IS NULL AND NEW.submitter_id IS NOT NULL
    ON CONFLICT (user_id, seq) DO UPDATE SET state = excluded.state, attempts = attempts + 1, submission_id = excluded.submission_id,
        best_total = CASE WHEN best_mark IS NULL OR excluded.best_mark * best_total > best_mark * excluded.best_total THEN excluded.best_total ELSE best_total END,
        best_mark = CASE WHEN best_mark IS NULL OR excluded.best_mark * best_total > best_mark * excluded.best_total THEN excluded.best_mark ELSE best_mark END;
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || a.creator_id || '/pending', 0, 0, 1 FROM assignments a
    WHERE NEW.status = 'pending' AND a.id = NEW.assignment_id AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_added_graded AFTER INSERT ON submissions WHEN NEW.status = 'completed' BEGIN
    INSERT INTO grades_counted (n, creator_id, submitter_id, grader_id, level, tenths, percent, waited)
    SELECT 1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, NEW.submitter_id, NEW.grader_id, COALESCE(a.level, 'none'),
        (NEW.given_mark * 2000 + NEW.marks) / (2 * MAX(NEW.marks, 1)), (NEW.given_mark * 200000000 + NEW.marks) / (2 * MAX(NEW.marks, 1)),
        (MAX(NEW.marked_at - NEW.submitted_at, 0) + 18000000) / 36000000
    FROM (SELECT 1) LEFT JOIN assignments a ON a.id = NEW.assignment_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_moved AFTER UPDATE OF status ON submissions WHEN OLD.status <> NEW.status AND NEW.assignment_id IS NOT NULL BEGIN
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || a.creator_id || '/pending', 0, 0, (NEW.status = 'pending') - (OLD.status = 'pending') FROM assignments a
    WHERE a.id = NEW.assignment_id AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_graded AFTER UPDATE OF status, given_mark ON submissions WHEN NEW.status = 'completed' BEGIN
    INSERT INTO grades_counted (n, creator_id, submitter_id, grader_id, level, tenths, percent, waited)
    SELECT 1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, NEW.submitter_id, NEW.grader_id, COALESCE(a.level, 'none'),
        (NEW.given_mark * 2000 + NEW.marks) / (2 * MAX(NEW.marks, 1)), (NEW.given_mark * 200000000 + NEW.marks) / (2 * MAX(NEW.marks, 1)),
        (MAX(NEW.marked_at - NEW.submitted_at, 0) + 18000000) / 36000000
    FROM (SELECT 1) LEFT JOIN assignments a ON a.id = NEW.assignment_id;
END;
-- +goose StatementEnd

-- The first grade of an attempt, when all others have been graded.
-- +goose StatementBegin
CREATE TRIGGER submissions_graded_first AFTER UPDATE OF status ON submissions WHEN OLD.status = 'pending' AND NEW.status = 'completed' BEGIN
    UPDATE taken SET state = 'graded',
        best_total = CASE WHEN best_mark IS NULL OR NEW.given_mark * best_total > best_mark * NEW.marks THEN NEW.marks ELSE best_total END,
        best_mark = CASE WHEN best_mark IS NULL OR NEW.given_mark * best_total > best_mark * NEW.marks THEN NEW.given_mark ELSE best_mark END
    WHERE user_id = NEW.submitter_id AND seq = (SELECT a.seq FROM assignments a WHERE a.id = NEW.assignment_id);
END;
-- +goose StatementEnd

-- A mark that changes.
-- +goose StatementBegin
CREATE TRIGGER submissions_graded_anew AFTER UPDATE OF status, given_mark ON submissions WHEN OLD.status = 'completed' BEGIN
    INSERT INTO grades_counted (n, creator_id, submitter_id, grader_id, level, tenths, percent, waited)
    SELECT -1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, OLD.submitter_id, OLD.grader_id, COALESCE(a.level, 'none'),
        (OLD.given_mark * 2000 + OLD.marks) / (2 * MAX(OLD.marks, 1)), (OLD.given_mark * 200000000 + OLD.marks) / (2 * MAX(OLD.marks, 1)),
        (MAX(OLD.marked_at - OLD.submitted_at, 0) + 18000000) / 36000000
    FROM (SELECT 1) LEFT JOIN assignments a ON a.id = OLD.assignment_id;
    INSERT INTO taken_anew (user_id, assignment_id) VALUES (NEW.submitter_id, NEW.assignment_id);
END;
-- +goose StatementEnd

-- Pending ones are withdrawn; graded ones stay for ever.
-- +goose StatementBegin
CREATE TRIGGER submissions_removed AFTER DELETE ON submissions WHEN OLD.assignment_id IS NOT NULL BEGIN
    INSERT INTO taken_anew (user_id, assignment_id) VALUES (OLD.submitter_id, OLD.assignment_id);
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || a.creator_id || '/pending', 0, 0, -1 FROM assignments a
    WHERE OLD.status = 'pending' AND a.id = OLD.assignment_id AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER assignments_hidden AFTER UPDATE OF deleted_at ON assignments WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM taken WHERE seq = NEW.seq AND user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || NEW.creator_id || '/pending', 0, 0, -COUNT(*) FROM submissions s
    WHERE NEW.creator_id IS NOT NULL AND s.assignment_id = NEW.id AND s.status = 'pending' HAVING COUNT(*) > 0
    UNION ALL SELECT 'of/' || NEW.creator_id || '/graded', 0, 0, -COUNT(*) FROM submissions s
    WHERE NEW.creator_id IS NOT NULL AND s.assignment_id = NEW.id AND s.status = 'completed' HAVING COUNT(*) > 0
    UNION ALL SELECT 'of/' || NEW.creator_id || '/percent', 0, 0, -SUM((s.given_mark * 200000000 + s.marks) / (2 * MAX(s.marks, 1))) FROM submissions s
    WHERE NEW.creator_id IS NOT NULL AND s.assignment_id = NEW.id AND s.status = 'completed' HAVING COUNT(*) > 0
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER assignments_changed AFTER UPDATE OF level, due_at ON assignments WHEN OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at BEGIN
    UPDATE taken SET level = NEW.level, due_at = NEW.due_at
    WHERE seq = NEW.seq AND user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    INSERT INTO grades_counted (n, creator_id, submitter_id, grader_id, level, tenths, percent, waited)
    SELECT side.n, NULL, s.submitter_id, NULL, side.level, (s.given_mark * 2000 + s.marks) / (2 * MAX(s.marks, 1)), (s.given_mark * 200000000 + s.marks) / (2 * MAX(s.marks, 1)), 0
    FROM submissions s, (SELECT -1 AS n, OLD.level AS level UNION ALL SELECT 1, NEW.level) AS side
    WHERE OLD.level <> NEW.level AND s.assignment_id = NEW.id AND s.status = 'completed';
END;
-- +goose StatementEnd

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

-- What there is already, in the order of the assignments, beside which what was handed
-- in for them lies (CROSS JOIN keeps to that). Beside MAX SQLite gives the other columns
-- of the greatest's row.
INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
SELECT l.submitter_id, l.seq, l.level, l.due_at, CASE l.status WHEN 'pending' THEN 'pending' ELSE 'graded' END, l.attempts, l.id,
    CASE WHEN l.attempts = 1 THEN l.given_mark END, CASE WHEN l.attempts = 1 AND l.given_mark IS NOT NULL THEN l.marks END
FROM (
    SELECT s.submitter_id, a.seq, a.level, a.due_at, s.status, s.id, s.given_mark, s.marks, COUNT(*) AS attempts, MAX(s.submitter_no)
    FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
    WHERE s.submitter_id IS NOT NULL AND a.deleted_at IS NULL GROUP BY s.submitter_id, a.seq
) AS l;
UPDATE taken SET (best_mark, best_total) = (
    SELECT s.given_mark, s.marks FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
    WHERE a.seq = taken.seq AND s.submitter_id = taken.user_id AND s.status = 'completed'
    ORDER BY CAST(s.given_mark AS REAL) / MAX(s.marks, 1) DESC, s.submitter_no LIMIT 1
) WHERE attempts > 1;

INSERT INTO page_counts (scope, tier, block, n)
SELECT 'of/' || a.creator_id || CASE s.status WHEN 'pending' THEN '/pending' ELSE '/graded' END, 0, 0, COUNT(*)
FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
WHERE a.deleted_at IS NULL AND a.creator_id IS NOT NULL GROUP BY a.creator_id, s.status;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'of/' || a.creator_id || '/percent', 0, 0, SUM((s.given_mark * 200000000 + s.marks) / (2 * MAX(s.marks, 1)))
FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
WHERE s.status = 'completed' AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL GROUP BY a.creator_id;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'got/' || s.submitter_id || '/' || a.level, 0, (s.given_mark * 2000 + s.marks) / (2 * MAX(s.marks, 1)), COUNT(*)
FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
WHERE s.status = 'completed' AND s.submitter_id IS NOT NULL GROUP BY s.submitter_id, a.level, 3;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'got/' || s.submitter_id || '/' || a.level || '/percent', 0, 0, SUM((s.given_mark * 200000000 + s.marks) / (2 * MAX(s.marks, 1)))
FROM assignments a CROSS JOIN submissions s ON s.assignment_id = a.id
WHERE s.status = 'completed' AND s.submitter_id IS NOT NULL GROUP BY s.submitter_id, a.level;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'got/' || submitter_id || '/none', 0, (given_mark * 2000 + marks) / (2 * MAX(marks, 1)), COUNT(*)
FROM submissions WHERE assignment_id IS NULL AND status = 'completed' AND submitter_id IS NOT NULL GROUP BY submitter_id, 3;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'got/' || submitter_id || '/none/percent', 0, 0, SUM((given_mark * 200000000 + marks) / (2 * MAX(marks, 1)))
FROM submissions WHERE assignment_id IS NULL AND status = 'completed' AND submitter_id IS NOT NULL GROUP BY submitter_id;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'gave/' || grader_id, 0, (MAX(marked_at - submitted_at, 0) + 18000000) / 36000000, COUNT(*)
FROM submissions WHERE status = 'completed' AND grader_id IS NOT NULL GROUP BY 1, 3;
INSERT INTO page_counts (scope, tier, block, n)
SELECT 'gave/' || grader_id || '/percent', 0, 0, SUM((given_mark * 200000000 + marks) / (2 * MAX(marks, 1)))
FROM submissions WHERE status = 'completed' AND grader_id IS NOT NULL GROUP BY 1;

INSERT INTO page_counts (scope, tier, block, n)
SELECT 'due/' || level, 0, due_at / 15360000000, COUNT(*) FROM assignments WHERE deleted_at IS NULL GROUP BY 1, 3;

-- +goose Down
DROP TRIGGER assignments_left;
DROP TRIGGER users_renamed;
DROP TABLE search_stale;
DROP TRIGGER assignments_due_changed;
DROP TRIGGER assignments_due_added;
DROP TRIGGER assignments_changed;
DROP TRIGGER assignments_hidden;
DROP TRIGGER submissions_removed;
DROP TRIGGER submissions_graded_anew;
DROP TRIGGER submissions_graded_first;
DROP TRIGGER submissions_graded;
DROP TRIGGER submissions_moved;
DROP TRIGGER submissions_added_graded;
DROP TRIGGER submissions_added;
DROP VIEW grades_counted;
DROP VIEW taken_anew;
DROP INDEX assignments_live_due;
DROP INDEX assignments_live_creator;
DROP INDEX submissions_marked;
DROP INDEX submissions_results;
DROP TABLE taken;
DROP TABLE reminders;
DELETE FROM page_counts WHERE scope LIKE 'of/%' OR scope LIKE 'got/%' OR scope LIKE 'gave/%' OR scope LIKE 'due/%';
