-- Each write states what it changes of the figures and of taken: see decision 30. What nodes
-- of the release before write beside that is repaired by Store.RepairFigures. The triggers
-- come back on the way down.

-- +goose Up
DROP TRIGGER assignments_changed ON assignments;
DROP TRIGGER submissions_removed ON submissions;
DROP TRIGGER submissions_updated ON submissions;
DROP TRIGGER submissions_added ON submissions;
DROP TRIGGER assignments_due_changed ON assignments;
DROP TRIGGER assignments_due_added ON assignments;
DROP FUNCTION assignments_changed;
DROP FUNCTION submissions_removed;
DROP FUNCTION submissions_updated;
DROP FUNCTION submissions_added;
DROP FUNCTION take_anew;
DROP FUNCTION grade_figures;
DROP FUNCTION assignments_due_changed;

-- +goose Down
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

-- What a grade is for the figures, so many times: of the creator, who is NULL where the
-- assignment is deleted or nobody's, of the submitter and of the grader. PostgreSQL
-- makes it a part of the query that calls it.
-- +goose StatementBegin
CREATE FUNCTION grade_figures(times BIGINT, creator TEXT, submitter TEXT, level TEXT, grader TEXT, mark BIGINT, marks BIGINT, waited BIGINT)
RETURNS TABLE (scope TEXT, block BIGINT, n BIGINT, total BIGINT) LANGUAGE SQL IMMUTABLE AS $$
    SELECT f.scope, f.block, times, times * ((mark * 200000000 + marks) / (2 * GREATEST(marks, 1))) FROM (VALUES
        ('of/' || creator, CAST(1 AS BIGINT)),
        ('got/' || submitter || '/' || level, (mark * 2000 + marks) / (2 * GREATEST(marks, 1))),
        ('gave/' || grader, (GREATEST(waited, 0) + 18000000) / 36000000)
    ) f (scope, block) WHERE f.scope IS NOT NULL
$$;
-- +goose StatementEnd

-- What somebody has taken of assignments, from all their attempts.
-- +goose StatementBegin
CREATE FUNCTION take_anew(users TEXT[], works TEXT[]) RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM taken t USING unnest(users, works) AS p (user_id, assignment_id) JOIN assignments a ON a.id = p.assignment_id
    WHERE t.user_id = p.user_id AND t.seq = a.seq;
    INSERT INTO taken (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT s.submitter_id, a.seq, a.level, a.due_at, CASE (array_agg(s.status ORDER BY s.submitter_no DESC))[1] WHEN 'pending' THEN 'pending' ELSE 'graded' END,
        COUNT(*), (array_agg(s.id ORDER BY s.submitter_no DESC))[1],
        (array_agg(s.given_mark ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1],
        (array_agg(s.marks ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1]
    FROM (SELECT DISTINCT * FROM unnest(users, works) AS u (user_id, assignment_id)) p
    JOIN assignments a ON a.id = p.assignment_id JOIN submissions s ON s.assignment_id = a.id AND s.submitter_id = p.user_id
    WHERE a.deleted_at IS NULL GROUP BY s.submitter_id, a.seq;
END $$;
-- +goose StatementEnd

-- Each looks for every assignment by its id: LIMIT has PostgreSQL do so, which begins
-- with an empty database, finds that looking at all is as quick, and keeps to that. For
-- the same reason rows of taken that are there are met by ON CONFLICT.

-- The foreign key has locked the assignments, FOR KEY SHARE: see assignments_changing.
-- +goose StatementBegin
CREATE FUNCTION submissions_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (SELECT FROM after s WHERE s.status <> 'pending') THEN
        -- Of one submitter and assignment one is pending.
        WITH c AS MATERIALIZED (
            SELECT s.id, s.submitter_id, a.* FROM after s CROSS JOIN LATERAL (
                SELECT x.seq, x.level, x.due_at, x.creator_id, x.deleted_at FROM assignments x WHERE x.id = s.assignment_id LIMIT 1
            ) a WHERE a.deleted_at IS NULL
        ), counted AS (
            INSERT INTO page_deltas (scope, block, n) SELECT 'of/' || c.creator_id, 0, COUNT(*) FROM c WHERE c.creator_id IS NOT NULL GROUP BY c.creator_id
        )
        INSERT INTO taken AS t (user_id, seq, level, due_at, state, attempts, submission_id)
        SELECT c.submitter_id, c.seq, c.level, c.due_at, 'pending', 1, c.id FROM c WHERE c.submitter_id IS NOT NULL ORDER BY 1, 2
        ON CONFLICT (user_id, seq) DO UPDATE SET state = excluded.state, attempts = t.attempts + 1, submission_id = excluded.submission_id;
        RETURN NULL;
    END IF;
    INSERT INTO page_deltas (scope, block, n)
    SELECT 'of/' || a.creator_id, 0, COUNT(*)
    FROM after s CROSS JOIN LATERAL (SELECT x.creator_id, x.deleted_at FROM assignments x WHERE x.id = s.assignment_id LIMIT 1) a
    WHERE a.deleted_at IS NULL AND a.creator_id IS NOT NULL GROUP BY a.creator_id;
    INSERT INTO taken AS t (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT s.submitter_id, a.seq, a.level, a.due_at, CASE (array_agg(s.status ORDER BY s.submitter_no DESC))[1] WHEN 'pending' THEN 'pending' ELSE 'graded' END,
        COUNT(*), (array_agg(s.id ORDER BY s.submitter_no DESC))[1],
        (array_agg(s.given_mark ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1],
        (array_agg(s.marks ORDER BY CAST(s.given_mark AS DOUBLE PRECISION) / GREATEST(s.marks, 1) DESC, s.submitter_no) FILTER (WHERE s.given_mark IS NOT NULL))[1]
    FROM after s CROSS JOIN LATERAL (SELECT x.seq, x.level, x.due_at, x.deleted_at FROM assignments x WHERE x.id = s.assignment_id LIMIT 1) a
    WHERE s.submitter_id IS NOT NULL AND a.deleted_at IS NULL GROUP BY s.submitter_id, a.seq, a.level, a.due_at ORDER BY 1, 2
    ON CONFLICT (user_id, seq) DO UPDATE SET state = excluded.state, attempts = t.attempts + excluded.attempts, submission_id = excluded.submission_id,
        best_mark = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_mark ELSE t.best_mark END,
        best_total = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_total ELSE t.best_total END;
    INSERT INTO page_deltas (scope, block, n, total)
    SELECT f.scope, f.block, SUM(f.n), SUM(f.total)
    FROM after s LEFT JOIN LATERAL (SELECT x.creator_id, x.level, x.deleted_at FROM assignments x WHERE x.id = s.assignment_id LIMIT 1) a ON TRUE
    CROSS JOIN LATERAL grade_figures(1, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, s.submitter_id, COALESCE(a.level, 'none'), s.grader_id,
        s.given_mark, s.marks, s.marked_at - s.submitted_at) f
    WHERE s.status = 'completed' GROUP BY 1, 2;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER submissions_added AFTER INSERT ON submissions REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_added();

-- +goose StatementBegin
CREATE FUNCTION submissions_updated() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    again BOOLEAN; -- some had a mark before
BEGIN
    SELECT bool_or(b.status <> 'pending') INTO again FROM before b JOIN after s ON s.seq = b.seq
    WHERE b.status <> s.status OR b.given_mark IS DISTINCT FROM s.given_mark;
    IF again IS NULL THEN
        RETURN NULL;
    END IF;
    -- Whoever changes what is counted of an assignment waits for this transaction, or
    -- this one for them.
    WITH c AS MATERIALIZED (
        SELECT s.id, s.submitter_id, s.status, s.grader_id, s.given_mark, s.marks, s.marked_at - s.submitted_at AS waited,
            b.status AS status_before, b.grader_id AS grader_before, b.given_mark AS mark_before, b.marks AS marks_before, b.marked_at - b.submitted_at AS waited_before,
            a.seq, COALESCE(a.level, 'none') AS level, a.due_at, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END AS creator_id, a.deleted_at IS NULL AND a.seq IS NOT NULL AS live
        FROM before b JOIN after s ON s.seq = b.seq LEFT JOIN LATERAL (
            SELECT x.seq, x.level, x.due_at, x.creator_id, x.deleted_at FROM assignments x WHERE x.id = s.assignment_id LIMIT 1 FOR KEY SHARE
        ) a ON TRUE WHERE b.status <> s.status OR b.given_mark IS DISTINCT FROM s.given_mark
    ), counted AS (
        INSERT INTO page_deltas (scope, block, n, total)
        SELECT f.scope, f.block, SUM(f.n), SUM(f.total) FROM (
            SELECT f.* FROM c CROSS JOIN LATERAL grade_figures(1, c.creator_id, c.submitter_id, c.level, c.grader_id, c.given_mark, c.marks, c.waited) f
            WHERE c.status = 'completed'
            UNION ALL
            SELECT f.* FROM c CROSS JOIN LATERAL grade_figures(-1, c.creator_id, c.submitter_id, c.level, c.grader_before, c.mark_before, c.marks_before, c.waited_before) f
            WHERE c.status_before = 'completed'
        ) f GROUP BY 1, 2 HAVING SUM(f.n) <> 0 OR SUM(f.total) <> 0
    )
    -- The first grade of an attempt, when all others have been graded.
    INSERT INTO taken AS t (user_id, seq, level, due_at, state, attempts, submission_id, best_mark, best_total)
    SELECT c.submitter_id, c.seq, c.level, c.due_at, 'graded', 1, c.id, c.given_mark, c.marks FROM c
    WHERE c.status_before = 'pending' AND c.status = 'completed' AND c.submitter_id IS NOT NULL AND c.live ORDER BY 1, 2
    ON CONFLICT (user_id, seq) DO UPDATE SET state = 'graded',
        best_mark = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_mark ELSE t.best_mark END,
        best_total = CASE WHEN t.best_mark IS NULL OR excluded.best_mark * t.best_total > t.best_mark * excluded.best_total THEN excluded.best_total ELSE t.best_total END;
    IF again THEN
        PERFORM take_anew(array_agg(s.submitter_id), array_agg(s.assignment_id)) FROM before b JOIN after s ON s.seq = b.seq
        WHERE b.status <> 'pending' AND (b.status <> s.status OR b.given_mark IS DISTINCT FROM s.given_mark);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER submissions_updated AFTER UPDATE ON submissions REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_updated();

-- Pending ones are withdrawn; graded ones stay for ever.
-- +goose StatementBegin
CREATE FUNCTION submissions_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    users TEXT[];
    works TEXT[];
BEGIN
    SELECT array_agg(b.submitter_id ORDER BY b.assignment_id), array_agg(b.assignment_id ORDER BY b.assignment_id) INTO users, works FROM before b;
    PERFORM 1 FROM unnest(works) w (id) CROSS JOIN LATERAL (SELECT x.id FROM assignments x WHERE x.id = w.id LIMIT 1 FOR KEY SHARE) a;
    INSERT INTO page_deltas (scope, block, n)
    SELECT 'of/' || a.creator_id, 0, -COUNT(*)
    FROM before b CROSS JOIN LATERAL (SELECT x.creator_id, x.deleted_at FROM assignments x WHERE x.id = b.assignment_id LIMIT 1) a
    WHERE a.deleted_at IS NULL AND a.creator_id IS NOT NULL GROUP BY a.creator_id;
    PERFORM take_anew(users, works);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER submissions_removed AFTER DELETE ON submissions REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION submissions_removed();

-- +goose StatementBegin
CREATE FUNCTION assignments_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN
        DELETE FROM taken t WHERE t.seq = NEW.seq AND t.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    ELSIF OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL THEN
        PERFORM take_anew(array_agg(s.submitter_id), array_agg(s.assignment_id)) FROM submissions s WHERE s.assignment_id = NEW.id;
    ELSE
        UPDATE taken t SET level = NEW.level, due_at = NEW.due_at
        WHERE t.seq = NEW.seq AND t.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = NEW.id);
    END IF;
    INSERT INTO page_deltas (scope, block, n, total)
    SELECT f.scope, f.block, SUM(f.n), SUM(f.total)
    FROM (VALUES (-1, OLD.creator_id, OLD.level, OLD.deleted_at), (1, NEW.creator_id, NEW.level, NEW.deleted_at)) a (times, creator_id, level, deleted_at)
    CROSS JOIN submissions s
    CROSS JOIN LATERAL (
        SELECT g.* FROM grade_figures(a.times, CASE WHEN a.deleted_at IS NULL THEN a.creator_id END, s.submitter_id, a.level, NULL, s.given_mark, s.marks, 0) g
        WHERE s.status = 'completed'
        UNION ALL SELECT 'of/' || a.creator_id, 0, a.times, 0 WHERE a.deleted_at IS NULL AND a.creator_id IS NOT NULL
    ) f WHERE s.assignment_id = NEW.id AND (OLD.level <> NEW.level OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
    GROUP BY 1, 2 HAVING SUM(f.n) <> 0 OR SUM(f.total) <> 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER assignments_changed AFTER UPDATE ON assignments FOR EACH ROW
    WHEN (OLD.level <> NEW.level OR OLD.due_at <> NEW.due_at OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
    EXECUTE FUNCTION assignments_changed();
