-- What is told of a comment leaves while a moderator hides it, and comes back.

-- +goose Up
ALTER TABLE notices ADD COLUMN parked BOOLEAN NOT NULL DEFAULT FALSE; -- its comment is hidden
ALTER TABLE fanouts ADD COLUMN parked BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE notifications ADD COLUMN comments TEXT NOT NULL DEFAULT ''; -- which it stands for: see store/notices_comments.go
ALTER TABLE notifications ADD COLUMN kept_no BIGINT; -- its place while all its comments are hidden and no is NULL

-- +goose Down
ALTER TABLE notifications DROP COLUMN kept_no;
ALTER TABLE notifications DROP COLUMN comments;
ALTER TABLE fanouts DROP COLUMN parked;
ALTER TABLE notices DROP COLUMN parked;
