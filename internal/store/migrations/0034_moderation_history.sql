-- Decisions of moderators are read page by page, and those that hide something can be undone.

-- +goose Up
ALTER TABLE moderation_log ADD COLUMN hides BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX moderation_log_hides ON moderation_log (kind, subject_id) WHERE hides;
INSERT INTO page_counts (scope, tier, block, n) SELECT 'decisions', 0, seq / 256, COUNT(*) FROM moderation_log GROUP BY seq / 256;
INSERT INTO page_counts (scope, tier, block, n) SELECT 'decisions', 1, seq / 65536, COUNT(*) FROM moderation_log GROUP BY seq / 65536;

-- +goose Down
DELETE FROM page_counts WHERE scope = 'decisions';
DROP INDEX moderation_log_hides;
ALTER TABLE moderation_log DROP COLUMN hides;
