-- The organizers of a circle decide on reports to them; circle_id is '' for the server's moderators.

-- +goose Up
ALTER TABLE reports ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
ALTER TABLE moderation_log ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';
DROP INDEX reports_open;
CREATE INDEX reports_open ON reports (circle_id, seq) WHERE closed_at IS NULL AND first;
CREATE INDEX moderation_log_circle ON moderation_log (circle_id, seq);

-- +goose Down
DROP INDEX moderation_log_circle;
DROP INDEX reports_open;
CREATE INDEX reports_open ON reports (seq) WHERE closed_at IS NULL AND first;
ALTER TABLE moderation_log DROP COLUMN circle_id;
ALTER TABLE reports DROP COLUMN circle_id;
