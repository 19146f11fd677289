-- name: PutExtension :exec
INSERT INTO extensions (assignment_id, user_id, circle_id, due_at, due_offset, own_at, own_offset) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (assignment_id, user_id) DO UPDATE SET due_at = excluded.due_at, due_offset = excluded.due_offset, own_at = excluded.own_at, own_offset = excluded.own_offset;

-- name: DeleteExtension :exec
DELETE FROM extensions WHERE assignment_id = $1 AND user_id = $2;

-- name: DeleteExtensionsIn :exec
DELETE FROM extensions WHERE user_id = $1 AND circle_id = $2;

-- name: MarkExtended :exec
UPDATE assignments SET extended = TRUE WHERE id = $1 AND NOT extended;

-- name: GetExtension :many
SELECT * FROM extensions WHERE assignment_id = $1 AND user_id = $2;

-- name: ExtendedUsers :many
-- Those with extra time for an assignment: given for it, or by their membership.
SELECT x.user_id, x.own_at, x.own_offset, CAST(COALESCE(m.extra_days, 0) AS BIGINT) AS extra_days
FROM extensions x LEFT JOIN circle_members m ON m.circle_id = x.circle_id AND m.user_id = x.user_id WHERE x.assignment_id = $1
UNION
SELECT m.user_id, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), m.extra_days FROM circle_members m
WHERE m.circle_id = CAST(sqlc.arg(circle_id) AS TEXT) AND m.extra_days > 0 AND NOT EXISTS (SELECT 1 FROM extensions x WHERE x.assignment_id = $1 AND x.user_id = m.user_id)
ORDER BY 1;

-- name: ListExtensions :many
SELECT x.user_id, x.due_at, x.due_offset, x.own_at, u.display_name, u.photo_url, COALESCE(m.name, '') AS name, CAST(COALESCE(m.extra_days, 0) AS BIGINT) AS extra_days
FROM extensions x JOIN users u ON u.id = x.user_id LEFT JOIN circle_members m ON m.circle_id = x.circle_id AND m.user_id = x.user_id
WHERE x.assignment_id = $1 ORDER BY x.due_at, x.user_id LIMIT CAST(sqlc.arg(room) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountExtensions :one
SELECT COUNT(*) FROM extensions WHERE assignment_id = $1;

-- name: LiveAssignmentsOf :many
-- Of a circle, to give a member extra time.
SELECT a.id, COALESCE(a.creator_id, '') AS creator_id, a.due_at, a.due_offset, COALESCE(i.time_zone, '') AS time_zone
FROM assignments a LEFT JOIN inboxes i ON i.id = a.creator_id WHERE a.circle_id = $1 ORDER BY a.id;

-- name: ZoneOf :many
SELECT time_zone FROM inboxes WHERE id = $1;

-- name: SetExtraDays :exec
UPDATE circle_members SET extra_days = $2 WHERE seq = $1;

-- name: JudgeLate :many
-- Compares the submissions for an assignment, of one user or of all for '', with the due dates that apply, and returns those that became or are no longer late.
UPDATE submissions SET late = j.late, link_late = j.link_late
FROM (
    SELECT d.id, (d.submitted_at > d.due_at OR (d.late_links AND d.changed_at > d.due_at)) AS late, d.changed_at > d.due_at AS link_late
    FROM (
        SELECT s.id, s.submitted_at, COALESCE(s.link_changed_at, 0) AS changed_at, a.late_links, COALESCE(x.due_at, a.due_at) AS due_at
        FROM submissions s JOIN assignments a ON a.id = s.assignment_id LEFT JOIN extensions x ON x.assignment_id = a.id AND x.user_id = s.submitter_id
        WHERE s.assignment_id = $1 AND (CAST(sqlc.arg(user_id) AS TEXT) = '' OR s.submitter_id = CAST(sqlc.arg(user_id) AS TEXT))
    ) d
) j
WHERE submissions.id = j.id AND (submissions.late <> j.late OR submissions.link_late <> j.link_late)
RETURNING submissions.id, submissions.submitter_id, submissions.circle_id, submissions.reviews_needed;

-- name: ChangeLink :exec
UPDATE submissions SET link_changed_at = $2 WHERE id = $1;

-- name: ReviseReminder :exec
-- The user's due date has changed.
UPDATE reminders SET next_at = 0, revision = revision + 1, revised_at = CAST(sqlc.arg(revised_at) AS BIGINT) WHERE user_id = $1 AND assignment_id = $2;

-- name: WorksFor :one
SELECT CAST((EXISTS (SELECT 1 FROM submissions s WHERE s.submitter_id = CAST(sqlc.arg(user_id) AS TEXT) AND s.assignment_id = sqlc.arg(assignment_id))
    OR EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = CAST(sqlc.arg(user_id) AS TEXT) AND r.assignment_id = CAST(sqlc.arg(id) AS TEXT))) AS BOOLEAN) AS works;

-- name: EarlierAttempts :many
-- Those of a submitter for an assignment that ended without a mark, oldest first, with the number of their reviews.
SELECT s.status, s.submitted_at, CAST(COALESCE(s.ended_at, 0) AS BIGINT) AS ended_at, s.end_reason, (SELECT COUNT(*) FROM reviews r WHERE r.submission_id = s.id) AS reviews
FROM submissions s WHERE s.past_of = CAST(sqlc.arg(assignment_id) AS TEXT) AND s.submitter_id = CAST(sqlc.arg(submitter_id) AS TEXT) ORDER BY s.seq;
