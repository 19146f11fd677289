-- The comments that a notification stands for are rows, instead of references in its column comments, which this
-- release no longer reads.

-- +goose Up
CREATE TABLE notification_comments (
    notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    comment_id TEXT NOT NULL,
    mail BOOLEAN NOT NULL, -- no email has contained it, and the next one does
    PRIMARY KEY (notification_id, comment_id)
);
CREATE INDEX notification_comments_comment ON notification_comments (comment_id);
ALTER TABLE notices ADD COLUMN mailed BOOLEAN NOT NULL DEFAULT FALSE; -- an email has told of it, or none is wanted
ALTER TABLE notices ADD COLUMN no BIGINT; -- the place of its notification before its comment was hidden

-- +goose Down
ALTER TABLE notices DROP COLUMN no;
ALTER TABLE notices DROP COLUMN mailed;
DROP TABLE notification_comments;
