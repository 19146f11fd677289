-- name: GetInbox :one
SELECT * FROM inboxes WHERE id = $1;

-- name: LockInbox :one
-- Creates it if it is missing.
INSERT INTO inboxes (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET last_no = inboxes.last_no RETURNING *;

-- name: PutPreferences :exec
UPDATE inboxes SET time_zone = $2, preferences = $3 WHERE id = $1;

-- name: TellTimeZone :execrows
INSERT INTO inboxes (id, time_zone) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET time_zone = excluded.time_zone WHERE inboxes.time_zone = '';

-- name: SetDigest :exec
-- Keeps an earlier one.
UPDATE inboxes SET digest_at = CASE WHEN digest_at < CAST(sqlc.arg(digest_at) AS BIGINT) THEN digest_at ELSE CAST(sqlc.arg(digest_at) AS BIGINT) END
WHERE id = $1;

-- name: CountMail :exec
UPDATE inboxes SET mail_day = $2, mail_count = $3 WHERE id = $1;

-- name: RefuseMails :exec
UPDATE inboxes SET refused_at = COALESCE(refused_at, CAST(sqlc.arg(refused_at) AS BIGINT)) WHERE id = $1;

-- name: AcceptMails :exec
UPDATE inboxes SET refused_at = NULL WHERE id = $1;

-- name: TakeNotices :many
-- Every statement that changes notices locks them first, in the order of their ids: one with a low id may be committed late.
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE NOT t.parked ORDER BY t.id LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m) RETURNING *;

-- name: TakeNoticesTo :many
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.user_id = $1 AND NOT t.parked ORDER BY t.id LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m) RETURNING *;

-- name: DeleteNoticesTo :exec
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.user_id = $1 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m);

-- name: DeleteNoticesIn :exec
-- Those of a circle to a user.
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.circle_id = $1 AND t.circle_id <> '' AND t.user_id = $2 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m);

-- name: DeleteNoticesAbout :exec
-- Those of one kind about one subject.
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.user_id = $1 AND t.kind = $2 AND t.subject = $3 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m);

-- name: DeleteNotificationsAbout :execrows
-- Under the lock of the user's inbox.
DELETE FROM notifications WHERE user_id = $1 AND kind = $2 AND subject = $3;

-- name: DeleteNotificationsIn :exec
-- Under the lock of the user's inbox.
DELETE FROM notifications WHERE circle_id = $1 AND circle_id <> '' AND user_id = $2;

-- name: DeleteNoticesOf :many
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.assignment_id = $1 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m) RETURNING user_id;

-- name: DeleteNoticesAt :exec
WITH mine AS MATERIALIZED (SELECT t.id FROM notices t WHERE t.assignment_id = $1 AND t.url = $2 AND t.kind IN ('comment', 'reply', 'mention') ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM notices WHERE id IN (SELECT m.id FROM mine m);

-- name: DeleteFanoutsAt :exec
WITH mine AS MATERIALIZED (SELECT t.id FROM fanouts t WHERE t.assignment_id = $1 AND t.url = $2 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM fanouts WHERE id IN (SELECT m.id FROM mine m);

-- name: DeleteNotificationsTo :exec
DELETE FROM notifications WHERE user_id = $1;

-- name: ParkNoticesAt :many
-- Parked ones are not delivered.
WITH mine AS MATERIALIZED (
    SELECT t.id FROM notices t WHERE t.assignment_id = $1 AND t.url = $2 AND t.kind IN ('comment', 'reply', 'mention') AND t.parked <> $3 ORDER BY t.id FOR NO KEY UPDATE OF t
)
UPDATE notices SET parked = $3 WHERE id IN (SELECT m.id FROM mine m) RETURNING user_id;

-- name: ParkFanoutsAt :exec
WITH mine AS MATERIALIZED (SELECT t.id FROM fanouts t WHERE t.assignment_id = $1 AND t.url = $2 AND t.parked <> $3 ORDER BY t.id FOR NO KEY UPDATE OF t)
UPDATE fanouts SET parked = $3 WHERE id IN (SELECT m.id FROM mine m);

-- name: AdoptComment :exec
-- The previous release names only the latest comment of a notification, in its URL.
INSERT INTO notification_comments (notification_id, comment_id, mail)
SELECT n.id, CAST(sqlc.arg(comment_id) AS TEXT), n.mail IN ('due', 'queued', 'digest') FROM notifications n
WHERE n.assignment_id = sqlc.arg(assignment_id) AND n.url = sqlc.arg(url) AND n.kind IN ('comment', 'reply', 'mention')
ON CONFLICT (notification_id, comment_id) DO NOTHING;

-- name: NotifiedOfComment :many
SELECT n.user_id FROM notification_comments k JOIN notifications n ON n.id = k.notification_id WHERE k.comment_id = $1 ORDER BY n.user_id;

-- name: ParkUnread :exec
-- A hidden comment that its recipients have not read becomes a notice again, which waits.
INSERT INTO notices (user_id, kind, subject, assignment_id, circle_id, title, url, actor_id, created_at, parked, mailed, no)
SELECT n.user_id, n.kind, n.subject, n.assignment_id, n.circle_id, n.title, CAST(sqlc.arg(url) AS TEXT), c.author_id, c.created_at, TRUE,
    NOT (k.mail AND n.mail IN ('due', 'queued', 'digest')), n.no
FROM notification_comments k JOIN notifications n ON n.id = k.notification_id JOIN comments c ON c.id = k.comment_id
WHERE k.comment_id = sqlc.arg(comment_id) AND n.read_at IS NULL ORDER BY n.user_id;

-- name: UncountComment :exec
-- A notification without a visible comment loses its position, and one without an unsent comment its email.
UPDATE notifications SET notices = notices - 1,
    kept_no = CASE WHEN notices = 1 THEN no ELSE kept_no END, no = CASE WHEN notices > 1 THEN no END,
    actor_id = CASE WHEN url <> sqlc.arg(url) THEN actor_id END,
    url = CASE WHEN url = sqlc.arg(url) THEN '/assignment/' || assignment_id ELSE url END,
    mail_at = CASE WHEN mail <> 'due' OR EXISTS (
        SELECT 1 FROM notification_comments o WHERE o.notification_id = notifications.id AND o.mail AND o.comment_id <> sqlc.arg(comment_id)) THEN mail_at END,
    mail = CASE WHEN mail NOT IN ('due', 'queued', 'digest') OR EXISTS (
        SELECT 1 FROM notification_comments o WHERE o.notification_id = notifications.id AND o.mail AND o.comment_id <> sqlc.arg(comment_id)) THEN mail ELSE '' END
WHERE notifications.id IN (SELECT k.notification_id FROM notification_comments k WHERE k.comment_id = sqlc.arg(comment_id));

-- name: CountComment :exec
UPDATE notifications SET notices = notices + 1, no = COALESCE(no, kept_no), kept_no = NULL
WHERE notifications.id IN (SELECT k.notification_id FROM notification_comments k WHERE k.comment_id = $1);

-- name: NameNewestComment :exec
-- Notifications of a comment name the newest visible one of theirs, apart from one.
UPDATE notifications SET url = '/assignment/' || c.assignment_id || '#comment-' || c.id, actor_id = c.author_id, created_at = c.created_at
FROM (
    SELECT k.notification_id, MAX(o.seq) AS seq FROM notification_comments m
    JOIN notification_comments k ON k.notification_id = m.notification_id JOIN comments o ON o.id = k.comment_id
    WHERE m.comment_id = sqlc.arg(comment_id) AND o.hidden_at IS NULL AND o.id <> CAST(sqlc.arg(apart) AS TEXT) GROUP BY k.notification_id
) AS newest JOIN comments c ON c.seq = newest.seq
WHERE notifications.id = newest.notification_id;

-- name: DeleteEmptied :exec
-- Notifications of which a comment was the only one.
DELETE FROM notifications WHERE notices = 0 AND (read_at IS NULL OR CAST(sqlc.arg(deleted) AS BOOLEAN))
    AND id IN (SELECT k.notification_id FROM notification_comments k WHERE k.comment_id = sqlc.arg(comment_id))
    AND NOT EXISTS (SELECT 1 FROM notification_comments o WHERE o.notification_id = notifications.id AND o.comment_id <> sqlc.arg(comment_id));

-- name: DetachComment :exec
DELETE FROM notification_comments WHERE comment_id = sqlc.arg(comment_id) AND (CAST(sqlc.arg(deleted) AS BOOLEAN)
    OR EXISTS (SELECT 1 FROM notifications n WHERE n.id = notification_comments.notification_id AND n.read_at IS NULL));

-- name: CommentsMailed :exec
UPDATE notification_comments SET mail = FALSE WHERE notification_id = $1 AND mail;

-- name: RetitleNotices :many
-- Notifications of submissions get their present title.
WITH mine AS MATERIALIZED (
    SELECT t.id FROM notices t
    WHERE t.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)
        AND t.subject IN (SELECT s.id FROM submissions s WHERE s.assignment_id = $1) ORDER BY t.id FOR NO KEY UPDATE OF t
)
UPDATE notices SET title = (SELECT s.assignment_title FROM submissions s WHERE s.id = notices.subject)
WHERE notices.id IN (SELECT m.id FROM mine m) RETURNING notices.user_id;

-- name: RetitleNotifications :many
-- Under the locks of the submitters' inboxes.
UPDATE notifications SET title = (SELECT s.assignment_title FROM submissions s WHERE s.id = notifications.subject)
WHERE notifications.user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)
    AND notifications.subject IN (SELECT s.id FROM submissions s WHERE s.assignment_id = $1) RETURNING notifications.user_id;

-- name: DeleteNotificationsOf :many
DELETE FROM notifications WHERE assignment_id = $1 RETURNING user_id;

-- name: NoticesWait :one
-- Whether a user has pending notices, and whether there are fan-outs, which may concern any user.
SELECT EXISTS (SELECT 1 FROM notices WHERE user_id = $1 AND NOT parked) AS own, EXISTS (SELECT 1 FROM fanouts WHERE NOT parked) AS fanouts;

-- name: AnyNoticesWait :one
SELECT CAST(EXISTS (SELECT 1 FROM notices n WHERE NOT n.parked) OR EXISTS (SELECT 1 FROM fanouts f WHERE NOT f.parked)
    OR EXISTS (SELECT 1 FROM circle_fanouts) AS BOOLEAN);

-- name: InsertFanout :one
INSERT INTO fanouts (thread_id, until, assignment_id, circle_id, title, url, actor_id, created_at)
SELECT CAST(sqlc.arg(thread_id) AS TEXT), c.seq, CAST(sqlc.arg(assignment_id) AS TEXT), c.circle_id, CAST(sqlc.arg(title) AS TEXT), CAST(sqlc.arg(url) AS TEXT),
    CAST(sqlc.arg(actor_id) AS TEXT), CAST(sqlc.arg(created_at) AS BIGINT)
FROM comments c WHERE c.id = CAST(sqlc.arg(reply_id) AS TEXT) RETURNING id;

-- name: TellApart :exec
INSERT INTO fanouts_apart (fanout_id, user_id) VALUES ($1, $2) ON CONFLICT (fanout_id, user_id) DO NOTHING;

-- name: FirstFanout :one
SELECT * FROM fanouts t WHERE NOT t.parked ORDER BY t.id LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED;

-- name: WritersAfter :many
-- The authors of visible comments in a thread before a position, in the order of their ids.
SELECT CAST(w.author_id AS TEXT) AS id,
    EXISTS (SELECT 1 FROM fanouts_apart a WHERE a.fanout_id = CAST(sqlc.arg(fanout_id) AS BIGINT) AND a.user_id = w.author_id) AS apart
FROM (
    SELECT r.author_id FROM (
        SELECT DISTINCT c.author_id FROM comments c
        WHERE c.thread_id = CAST(sqlc.arg(thread_id) AS TEXT) AND c.author_id > CAST(sqlc.arg(after) AS TEXT) AND c.seq < CAST(sqlc.arg(until) AS BIGINT)
            AND c.deleted_at IS NULL AND c.hidden_at IS NULL
        ORDER BY c.author_id LIMIT CAST(sqlc.arg(most) AS BIGINT)
    ) AS r
    UNION SELECT h.author_id FROM comments h
    WHERE h.id = CAST(sqlc.arg(thread_id) AS TEXT) AND h.author_id > CAST(sqlc.arg(after) AS TEXT) AND h.deleted_at IS NULL AND h.hidden_at IS NULL
) AS w ORDER BY 1 LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: FannedOut :exec
UPDATE fanouts SET told_to = $2 WHERE id = $1;

-- name: DeleteFanout :exec
DELETE FROM fanouts WHERE id = $1;

-- name: DeleteFanoutsOf :exec
WITH mine AS MATERIALIZED (SELECT t.id FROM fanouts t WHERE t.assignment_id = $1 ORDER BY t.id FOR NO KEY UPDATE OF t)
DELETE FROM fanouts WHERE id IN (SELECT m.id FROM mine m);

-- name: FanoutsFor :many
-- The fan-outs that concern a user and have not reached the user yet.
SELECT f.* FROM fanouts f
WHERE NOT f.parked AND f.told_to < CAST(sqlc.arg(user_id) AS TEXT) AND f.actor_id <> CAST(sqlc.arg(user_id) AS TEXT)
    AND NOT EXISTS (SELECT 1 FROM fanouts_apart a WHERE a.fanout_id = f.id AND a.user_id = CAST(sqlc.arg(user_id) AS TEXT))
    AND (EXISTS (
        SELECT 1 FROM comments h WHERE h.id = f.thread_id AND h.author_id = CAST(sqlc.arg(user_id) AS TEXT) AND h.deleted_at IS NULL AND h.hidden_at IS NULL
    ) OR EXISTS (
        SELECT 1 FROM comments c WHERE c.thread_id = f.thread_id AND c.author_id = CAST(sqlc.arg(user_id) AS TEXT) AND c.seq < f.until
            AND c.deleted_at IS NULL AND c.hidden_at IS NULL
    ))
ORDER BY f.id;

-- name: PutCircleFanout :exec
-- Begins again if the assignment has changed once more meanwhile.
INSERT INTO circle_fanouts (assignment_id, kind, created_at) VALUES ($1, $2, $3)
ON CONFLICT (assignment_id, kind) DO UPDATE SET created_at = excluded.created_at, told_to = 0;

-- name: FirstCircleFanout :one
SELECT * FROM circle_fanouts t ORDER BY t.created_at LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED;

-- name: MembersConcerned :many
-- The members of an assignment's circle behind a position who joined before a time, and whom the assignment concerns: not
-- its creator, those who have handed in, and those to whom a later due date of their own applies. No one if it is hidden
-- or deleted.
SELECT m.seq, m.user_id, a.circle_id, a.title, COALESCE(a.creator_id, '') AS creator_id
FROM assignments a JOIN circle_members m ON m.circle_id = a.circle_id
WHERE a.id = sqlc.arg(assignment_id) AND a.deleted_at IS NULL
    AND m.seq > CAST(sqlc.arg(after) AS BIGINT) AND m.joined_at <= CAST(sqlc.arg(joined_by) AS BIGINT) AND m.user_id <> COALESCE(a.creator_id, '')
    AND NOT EXISTS (SELECT 1 FROM taken k WHERE k.user_id = m.user_id AND k.seq = a.seq)
    AND NOT EXISTS (SELECT 1 FROM extensions x WHERE x.assignment_id = a.id AND x.user_id = m.user_id AND x.own_at = x.due_at)
ORDER BY m.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: CircleFannedOut :exec
UPDATE circle_fanouts SET told_to = $3 WHERE assignment_id = $1 AND kind = $2;

-- name: DeleteCircleFanout :exec
DELETE FROM circle_fanouts WHERE assignment_id = $1 AND kind = $2;

-- name: DeleteCircleFanoutsOf :exec
DELETE FROM circle_fanouts WHERE assignment_id = $1;

-- name: IsPlaceTaken :one
SELECT EXISTS (SELECT 1 FROM notifications WHERE user_id = $1 AND no = CAST(sqlc.arg(no) AS BIGINT));

-- name: NotificationPlace :one
SELECT no FROM notifications WHERE id = $1 AND user_id = $2;

-- name: ReadNotificationsUntil :many
-- Under the lock of the user's inbox.
UPDATE notifications SET read_at = CAST(sqlc.arg(read_at) AS BIGINT), mail = '', mail_at = NULL
WHERE id IN (
    SELECT n.id FROM notifications n WHERE n.user_id = $1 AND n.read_at IS NULL AND n.no <= CAST(sqlc.arg(until) AS BIGINT) ORDER BY n.no LIMIT 2000
) RETURNING no;

-- name: SetMailState :exec
UPDATE notifications SET mail = CAST(sqlc.arg(state) AS TEXT), mail_at = NULL WHERE id = $1;

-- name: MailDone :exec
UPDATE notifications SET mail = '' WHERE user_id = $1 AND id = $2 AND mail = 'counted';

-- name: ForgetMailsFromOutside :exec
-- Of circles that are archived or deleted, or that the user has left.
UPDATE notifications SET mail = '', mail_at = NULL WHERE notifications.user_id = $1 AND mail <> '' AND notifications.circle_id <> '' AND NOT EXISTS (
    SELECT 1 FROM circle_members m JOIN circles c ON c.id = m.circle_id
    WHERE m.circle_id = notifications.circle_id AND m.user_id = notifications.user_id AND c.deleted_at IS NULL AND c.archived_at IS NULL);

-- name: ForgetDigestOf :exec
-- Of a kind that is not emailed any more.
UPDATE notifications SET mail = '', mail_at = NULL WHERE user_id = $1 AND kind = $2 AND mail IN ('digest', 'digesting');

-- name: BeginDigest :exec
UPDATE notifications SET mail = 'digesting' WHERE user_id = $1 AND mail = 'digest' AND read_at IS NULL;

-- name: CountDigest :one
SELECT CAST(COUNT(*) AS BIGINT) FROM notifications WHERE user_id = $1 AND mail = 'digesting' AND read_at IS NULL AND notices > 0;

-- name: DigestDone :exec
UPDATE notifications SET mail = '' WHERE user_id = $1 AND mail = 'digesting';

-- name: ForgetMails :exec
UPDATE notifications SET mail = '', mail_at = NULL WHERE user_id = $1 AND mail <> '';

-- name: PutCalendar :exec
INSERT INTO calendars (user_id, secret_hash, created_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at;

-- name: GetCalendar :one
SELECT created_at FROM calendars WHERE user_id = $1;

-- name: CalendarOwner :one
-- A suspended account's calendar is closed.
SELECT c.user_id FROM calendars c JOIN users u ON u.id = c.user_id WHERE c.secret_hash = $1 AND u.suspended_at IS NULL;

-- name: DeleteCalendar :execrows
DELETE FROM calendars WHERE user_id = $1;

-- name: ReviseReminders :exec
-- The due date has changed.
UPDATE reminders SET next_at = 0, revision = revision + 1, revised_at = CAST(sqlc.arg(revised_at) AS BIGINT) WHERE assignment_id = $1;

-- name: ReplanReminders :exec
UPDATE reminders SET next_at = 0 WHERE user_id = $1;

-- name: ReplanRemindersOf :exec
-- The assignment is shown again, or asks for other reviews.
UPDATE reminders SET next_at = 0 WHERE assignment_id = $1;

-- name: MailsDue :one
SELECT EXISTS (SELECT 1 FROM notifications n WHERE n.mail_at <= $1) AS mails, EXISTS (SELECT 1 FROM inboxes i WHERE i.digest_at <= $1) AS digests,
    EXISTS (SELECT 1 FROM circle_invitations c WHERE c.mail_at <= $1) AS invitations;

-- name: QueueMails :many
-- Each row's mark and its job are written by one transaction.
WITH mine AS MATERIALIZED (
    SELECT t.id FROM notifications t WHERE t.mail_at <= $1 ORDER BY t.mail_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE notifications SET mail = 'queued', mail_at = NULL WHERE id IN (SELECT m.id FROM mine m) RETURNING id, user_id;

-- name: QueueDigests :many
WITH mine AS MATERIALIZED (
    SELECT t.id FROM inboxes t WHERE t.digest_at <= $1 ORDER BY t.digest_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE inboxes SET digest_at = NULL WHERE id IN (SELECT m.id FROM mine m) RETURNING id;
