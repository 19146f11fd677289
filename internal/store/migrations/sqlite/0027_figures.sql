-- Each write states what it changes of the figures and of taken: see decision 30. The
-- triggers that did so come back on the way down.

-- +goose Up
DROP TRIGGER assignments_changed;
DROP TRIGGER assignments_restored;
DROP TRIGGER assignments_hidden;
DROP TRIGGER submissions_removed;
DROP TRIGGER submissions_graded_anew;
DROP TRIGGER submissions_graded_first;
DROP TRIGGER submissions_graded;
DROP TRIGGER submissions_added_graded;
DROP TRIGGER submissions_added;
DROP TRIGGER assignments_due_changed;
DROP TRIGGER assignments_due_added;
DROP VIEW works_counted;
DROP VIEW grades_counted;
DROP VIEW taken_anew;

-- +goose Down
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

-- What a grade is for the figures, so many times: of the creator, who is NULL where the
-- assignment is deleted or nobody's, of the submitter and of the grader.
CREATE VIEW grades_counted AS SELECT 0 AS times, '' AS creator_id, '' AS submitter_id, '' AS level, '' AS grader_id,
    0 AS mark, 0 AS marks, 0 AS waited;
-- +goose StatementBegin
CREATE TRIGGER grades_count INSTEAD OF INSERT ON grades_counted BEGIN
    INSERT INTO page_counts (scope, tier, block, n, total)
    SELECT f.scope, 0, f.block, NEW.times, NEW.times * ((NEW.mark * 200000000 + NEW.marks) / (2 * MAX(NEW.marks, 1))) FROM (
        SELECT 'of/' || NEW.creator_id AS scope, 1 AS block
        UNION ALL SELECT 'got/' || NEW.submitter_id || '/' || NEW.level, (NEW.mark * 2000 + NEW.marks) / (2 * MAX(NEW.marks, 1))
        UNION ALL SELECT 'gave/' || NEW.grader_id, (MAX(NEW.waited, 0) + 18000000) / 36000000
    ) AS f WHERE f.scope IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n, total = total + excluded.total;
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
    SELECT 'of/' || a.creator_id, 0, 0, 1 FROM assignments a WHERE a.id = NEW.assignment_id AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_added_graded AFTER INSERT ON submissions WHEN NEW.status = 'completed' BEGIN
    INSERT INTO grades_counted (times, creator_id, submitter_id, level, grader_id, mark, marks, waited)
    SELECT 1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, NEW.submitter_id, COALESCE(a.level, 'none'), NEW.grader_id,
        NEW.given_mark, NEW.marks, NEW.marked_at - NEW.submitted_at
    FROM (SELECT 1) LEFT JOIN assignments a ON a.id = NEW.assignment_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submissions_graded AFTER UPDATE OF status, given_mark ON submissions WHEN NEW.status = 'completed' BEGIN
    INSERT INTO grades_counted (times, creator_id, submitter_id, level, grader_id, mark, marks, waited)
    SELECT 1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, NEW.submitter_id, COALESCE(a.level, 'none'), NEW.grader_id,
        NEW.given_mark, NEW.marks, NEW.marked_at - NEW.submitted_at
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
    INSERT INTO grades_counted (times, creator_id, submitter_id, level, grader_id, mark, marks, waited)
    SELECT -1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, OLD.submitter_id, COALESCE(a.level, 'none'), OLD.grader_id,
        OLD.given_mark, OLD.marks, OLD.marked_at - OLD.submitted_at
    FROM (SELECT 1) LEFT JOIN assignments a ON a.id = OLD.assignment_id;
    INSERT INTO taken_anew (user_id, assignment_id) VALUES (NEW.submitter_id, NEW.assignment_id);
END;
-- +goose StatementEnd

-- Pending ones are withdrawn; graded ones stay for ever.
-- +goose StatementBegin
CREATE TRIGGER submissions_removed AFTER DELETE ON submissions WHEN OLD.assignment_id IS NOT NULL BEGIN
    INSERT INTO taken_anew (user_id, assignment_id) VALUES (OLD.submitter_id, OLD.assignment_id);
    INSERT INTO page_counts (scope, tier, block, n)
    SELECT 'of/' || a.creator_id, 0, 0, -1 FROM assignments a WHERE a.id = OLD.assignment_id AND a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n - 1;
END;
-- +goose StatementEnd

-- What was handed in for an assignment, so many times, for its creator.
CREATE VIEW works_counted AS SELECT 0 AS times, '' AS assignment_id, '' AS creator_id;
-- +goose StatementBegin
CREATE TRIGGER works_count INSTEAD OF INSERT ON works_counted WHEN NEW.creator_id IS NOT NULL BEGIN
    INSERT INTO page_counts (scope, tier, block, n, total)
    SELECT 'of/' || NEW.creator_id, 0, 0, NEW.times * COUNT(*), 0 FROM submissions s WHERE s.assignment_id = NEW.assignment_id HAVING COUNT(*) > 0
    UNION ALL
    SELECT 'of/' || NEW.creator_id, 0, 1, NEW.times * COUNT(*), NEW.times * SUM((s.given_mark * 200000000 + s.marks) / (2 * MAX(s.marks, 1)))
    FROM submissions s WHERE s.assignment_id = NEW.assignment_id AND s.status = 'completed' HAVING COUNT(*) > 0
    ON CONFLICT (scope, tier, block) DO UPDATE SET n = n + excluded.n, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER assignments_hidden AFTER UPDATE OF deleted_at ON assignments WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM taken WHERE seq = NEW.seq AND user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    INSERT INTO works_counted (times, assignment_id, creator_id) VALUES (-1, NEW.id, OLD.creator_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER assignments_restored AFTER UPDATE OF deleted_at ON assignments WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO taken_anew (user_id, assignment_id)
    SELECT DISTINCT s.submitter_id, NEW.id FROM submissions s WHERE s.assignment_id = NEW.id AND s.submitter_id IS NOT NULL;
    INSERT INTO works_counted (times, assignment_id, creator_id) VALUES (1, NEW.id, NEW.creator_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER assignments_changed AFTER UPDATE OF level, due_at ON assignments WHEN OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at BEGIN
    UPDATE taken SET level = NEW.level, due_at = NEW.due_at
    WHERE seq = NEW.seq AND user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    INSERT INTO grades_counted (times, creator_id, submitter_id, level, grader_id, mark, marks, waited)
    SELECT side.times, NULL, s.submitter_id, side.level, NULL, s.given_mark, s.marks, 0
    FROM submissions s, (SELECT -1 AS times, OLD.level AS level UNION ALL SELECT 1, NEW.level) AS side
    WHERE OLD.level <> NEW.level AND s.assignment_id = NEW.id AND s.status = 'completed';
END;
-- +goose StatementEnd
