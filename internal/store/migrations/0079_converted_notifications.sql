-- The references in notifications become rows. In the column comments each is a mark, the comment's id, a point and a
-- time; a notification without references links to its one known comment. The marks: + for a comment whose email is
-- planned, - for one hidden after it was read, ~ for one hidden before it was read, and = for one hidden before it was
-- read or mailed. The last two become notices that wait for the comment to be shown again.

-- +goose Up
CREATE TABLE converted (notification_id TEXT NOT NULL, comment_id TEXT NOT NULL);
INSERT INTO converted (notification_id, comment_id)
SELECT n.id, c.id FROM notifications n JOIN comments c ON c.id = n.subject WHERE n.kind = 'mention'
UNION ALL SELECT n.id, c.id FROM notifications n JOIN comments c ON c.thread_id = n.subject
WHERE n.kind = 'reply' AND (n.comments LIKE '%' || c.id || '.%' OR n.comments = '' AND n.url = '/assignment/' || c.assignment_id || '#comment-' || c.id)
UNION ALL SELECT n.id, c.id FROM notifications n JOIN comments c ON c.assignment_id = n.subject AND c.thread_id IS NULL
WHERE n.kind = 'comment' AND (n.comments LIKE '%' || c.id || '.%' OR n.comments = '' AND n.url = '/assignment/' || c.assignment_id || '#comment-' || c.id);

INSERT INTO notices (user_id, kind, subject, assignment_id, circle_id, title, url, actor_id, created_at, parked, mailed, no)
SELECT n.user_id, n.kind, n.subject, n.assignment_id, n.circle_id, n.title, '/assignment/' || c.assignment_id || '#comment-' || c.id, c.author_id,
    c.created_at, TRUE, n.comments NOT LIKE '%=' || c.id || '.%', COALESCE(n.no, n.kept_no)
FROM converted f JOIN notifications n ON n.id = f.notification_id JOIN comments c ON c.id = f.comment_id
WHERE n.comments LIKE '%~' || c.id || '.%' OR n.comments LIKE '%=' || c.id || '.%';

INSERT INTO notification_comments (notification_id, comment_id, mail)
SELECT n.id, f.comment_id, n.mail IN ('due', 'queued', 'digest') AND (n.comments = '' OR n.comments LIKE '%+' || f.comment_id || '.%')
FROM converted f JOIN notifications n ON n.id = f.notification_id
WHERE n.comments NOT LIKE '%~' || f.comment_id || '.%' AND n.comments NOT LIKE '%=' || f.comment_id || '.%';

DELETE FROM notifications WHERE notices = 0 AND NOT EXISTS (SELECT 1 FROM notification_comments k WHERE k.notification_id = notifications.id);
DROP TABLE converted;

-- +goose Down
SELECT 1;
