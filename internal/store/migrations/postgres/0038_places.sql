-- What belongs to an assignment carries the assignment's circle, which never changes, so that every list and every
-- look-up covers one place: the hall, '', or a circle. Indexes of lists begin with the place.
-- Indexes are built beside writers, and so outside a transaction: if that is interrupted, the next start repeats the
-- steps.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE submissions ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE fanouts ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE taken ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_states ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_assignments ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_queue ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE notices ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS circle_id TEXT NOT NULL DEFAULT '';

CREATE OR REPLACE VIEW taken_expected AS
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

DROP INDEX CONCURRENTLY IF EXISTS assignments_in;
CREATE INDEX CONCURRENTLY assignments_in ON assignments (circle_id, seq) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live;
DROP INDEX CONCURRENTLY IF EXISTS assignments_in_level;
CREATE INDEX CONCURRENTLY assignments_in_level ON assignments (circle_id, level, seq) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_live_level;
DROP INDEX CONCURRENTLY IF EXISTS submissions_to_grade_in;
CREATE INDEX CONCURRENTLY submissions_to_grade_in ON submissions (circle_id, seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX CONCURRENTLY IF EXISTS submissions_to_grade;
DROP INDEX CONCURRENTLY IF EXISTS review_assignments_in;
CREATE INDEX CONCURRENTLY review_assignments_in ON review_assignments (circle_id, seq) WHERE listed;
DROP INDEX CONCURRENTLY IF EXISTS review_states_unattended_in;
CREATE INDEX CONCURRENTLY review_states_unattended_in ON review_states (circle_id, seq) WHERE phase = 'unattended';
DROP INDEX CONCURRENTLY IF EXISTS review_queue_short_in;
CREATE INDEX CONCURRENTLY review_queue_short_in ON review_queue (circle_id, attempt, filled, ungiven, seq) WHERE filled < wanted;
DROP INDEX CONCURRENTLY IF EXISTS review_queue_wide_in;
CREATE INDEX CONCURRENTLY review_queue_wide_in ON review_queue (circle_id, certain, seq) WHERE filled >= wanted AND filled < most;
DROP INDEX CONCURRENTLY IF EXISTS notices_circle;
CREATE INDEX CONCURRENTLY notices_circle ON notices (circle_id, user_id) WHERE circle_id <> '';
DROP INDEX CONCURRENTLY IF EXISTS notifications_circle;
CREATE INDEX CONCURRENTLY notifications_circle ON notifications (circle_id, user_id) WHERE circle_id <> '';

-- The words of the live assignments of circles, as in assignment_search; a marker of its own names the circle.
CREATE TABLE IF NOT EXISTS circle_search (
    seq BIGINT PRIMARY KEY,
    title TSVECTOR NOT NULL,
    words TSVECTOR NOT NULL
);
CREATE INDEX IF NOT EXISTS circle_search_title ON circle_search USING GIN (title);
CREATE INDEX IF NOT EXISTS circle_search_words ON circle_search USING GIN (words);

-- +goose Down
DROP TABLE IF EXISTS circle_search;
DROP INDEX CONCURRENTLY IF EXISTS notifications_circle;
DROP INDEX CONCURRENTLY IF EXISTS notices_circle;
DROP INDEX CONCURRENTLY IF EXISTS review_queue_wide_in;
DROP INDEX CONCURRENTLY IF EXISTS review_queue_short_in;
DROP INDEX CONCURRENTLY IF EXISTS review_states_unattended_in;
DROP INDEX CONCURRENTLY IF EXISTS review_assignments_in;
CREATE INDEX CONCURRENTLY IF NOT EXISTS submissions_to_grade ON submissions (seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX CONCURRENTLY IF EXISTS submissions_to_grade_in;
CREATE INDEX CONCURRENTLY IF NOT EXISTS assignments_live_level ON assignments (level, seq) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_in_level;
CREATE INDEX CONCURRENTLY IF NOT EXISTS assignments_live ON assignments (seq) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assignments_in;
DROP VIEW IF EXISTS taken_expected;
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
ALTER TABLE notifications DROP COLUMN IF EXISTS circle_id;
ALTER TABLE notices DROP COLUMN IF EXISTS circle_id;
ALTER TABLE reviews DROP COLUMN IF EXISTS circle_id;
ALTER TABLE review_queue DROP COLUMN IF EXISTS circle_id;
ALTER TABLE review_assignments DROP COLUMN IF EXISTS circle_id;
ALTER TABLE review_states DROP COLUMN IF EXISTS circle_id;
ALTER TABLE taken DROP COLUMN IF EXISTS circle_id;
ALTER TABLE fanouts DROP COLUMN IF EXISTS circle_id;
ALTER TABLE comments DROP COLUMN IF EXISTS circle_id;
ALTER TABLE submissions DROP COLUMN IF EXISTS circle_id;
