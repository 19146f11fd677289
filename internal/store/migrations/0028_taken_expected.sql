-- What taken should hold, from all submissions: the plain query beside it, by which rows are
-- made anew and checked. Query it by assignment_id or user_id, by which submissions are found.

-- +goose Up
CREATE VIEW taken_expected AS
SELECT l.submitter_id AS user_id, l.assignment_id, a.seq, a.level, a.due_at, CASE s.status WHEN 'pending' THEN 'pending' ELSE 'graded' END AS state,
    l.attempts, s.id AS submission_id, best.given_mark AS best_mark, best.marks AS best_total
FROM (
    SELECT submitter_id, assignment_id, MAX(submitter_no) AS latest, COUNT(*) AS attempts FROM submissions
    WHERE submitter_id IS NOT NULL AND assignment_id IS NOT NULL GROUP BY submitter_id, assignment_id
) l
JOIN assignments a ON a.id = l.assignment_id AND a.deleted_at IS NULL
JOIN submissions s ON s.submitter_id = l.submitter_id AND s.submitter_no = l.latest
LEFT JOIN submissions best ON best.seq = (
    SELECT b.seq FROM submissions b WHERE b.assignment_id = l.assignment_id AND b.submitter_id = l.submitter_id AND b.status = 'completed'
    ORDER BY CAST(b.given_mark AS DOUBLE PRECISION) / b.marks DESC, b.submitter_no LIMIT 1);

-- +goose Down
DROP VIEW taken_expected;
