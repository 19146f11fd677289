-- What belongs to an assignment carries the assignment's circle, which never changes, so that every list and every
-- look-up covers one place: the hall, '', or a circle. Indexes of lists begin with the place.

-- +goose Up
ALTER TABLE submissions ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE fanouts ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE taken ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_states ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_assignments ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_queue ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE reviews ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE notices ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';

DROP VIEW taken_expected;
CREATE VIEW taken_expected AS
SELECT l.submitter_id AS user_id, l.assignment_id, a.seq, a.level, a.due_at, CASE s.status WHEN 'pending' THEN 'pending' ELSE 'graded' END AS state,
    l.attempts, s.id AS submission_id, best.given_mark AS best_mark, best.marks AS best_total, a.circle_id
FROM (
    SELECT submitter_id, assignment_id, MAX(submitter_no) AS latest, COUNT(*) AS attempts FROM submissions
    WHERE submitter_id IS NOT NULL AND assignment_id IS NOT NULL GROUP BY submitter_id, assignment_id
) l
JOIN assignments a ON a.id = l.assignment_id AND a.deleted_at IS NULL
JOIN submissions s ON s.submitter_id = l.submitter_id AND s.submitter_no = l.latest
LEFT JOIN submissions best ON best.seq = (
    SELECT b.seq FROM submissions b WHERE b.assignment_id = l.assignment_id AND b.submitter_id = l.submitter_id AND b.status = 'completed'
    ORDER BY CAST(b.given_mark AS DOUBLE PRECISION) / b.marks DESC, b.submitter_no LIMIT 1);

CREATE INDEX assignments_in ON assignments (circle_id, seq) WHERE deleted_at IS NULL;
DROP INDEX assignments_live;
CREATE INDEX assignments_in_level ON assignments (circle_id, level, seq) WHERE deleted_at IS NULL;
DROP INDEX assignments_live_level;
CREATE INDEX submissions_to_grade_in ON submissions (circle_id, seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX submissions_to_grade;
CREATE INDEX review_assignments_in ON review_assignments (circle_id, seq) WHERE listed;
CREATE INDEX review_states_unattended_in ON review_states (circle_id, seq) WHERE phase = 'unattended';
CREATE INDEX review_queue_short_in ON review_queue (circle_id, attempt, filled, ungiven, seq) WHERE filled < wanted;
CREATE INDEX review_queue_wide_in ON review_queue (circle_id, certain, seq) WHERE filled >= wanted AND filled < most;
CREATE INDEX notices_circle ON notices (circle_id, user_id) WHERE circle_id <> '';
CREATE INDEX notifications_circle ON notifications (circle_id, user_id) WHERE circle_id <> '';

-- The words of the live assignments of circles, as in assignment_search; a marker of its own names the circle.
CREATE VIRTUAL TABLE circle_search USING fts5 (
    words,
    content = '', contentless_delete = 1, detail = none, prefix = '2 3 4',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO circle_search (circle_search, rank) VALUES ('automerge', 0);

-- +goose Down
DROP TABLE circle_search;
DROP INDEX notifications_circle;
DROP INDEX notices_circle;
DROP INDEX review_queue_wide_in;
DROP INDEX review_queue_short_in;
DROP INDEX review_states_unattended_in;
DROP INDEX review_assignments_in;
CREATE INDEX submissions_to_grade ON submissions (seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX submissions_to_grade_in;
CREATE INDEX assignments_live_level ON assignments (level, seq) WHERE deleted_at IS NULL;
DROP INDEX assignments_in_level;
CREATE INDEX assignments_live ON assignments (seq) WHERE deleted_at IS NULL;
DROP INDEX assignments_in;
DROP VIEW taken_expected;
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
ALTER TABLE notifications DROP COLUMN circle_id;
ALTER TABLE notices DROP COLUMN circle_id;
ALTER TABLE reviews DROP COLUMN circle_id;
ALTER TABLE review_queue DROP COLUMN circle_id;
ALTER TABLE review_assignments DROP COLUMN circle_id;
ALTER TABLE review_states DROP COLUMN circle_id;
ALTER TABLE taken DROP COLUMN circle_id;
ALTER TABLE fanouts DROP COLUMN circle_id;
ALTER TABLE comments DROP COLUMN circle_id;
ALTER TABLE submissions DROP COLUMN circle_id;
