-- Reports of one subject are one line: its first open report counts the others.

-- +goose Up
ALTER TABLE reports ADD COLUMN first BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE reports ADD COLUMN n BIGINT NOT NULL DEFAULT 1;
UPDATE reports SET first = FALSE WHERE closed_at IS NULL
AND EXISTS (SELECT 1 FROM reports earlier WHERE earlier.kind = reports.kind AND earlier.subject_id = reports.subject_id AND earlier.closed_at IS NULL AND earlier.seq < reports.seq);
UPDATE reports SET n = (SELECT COUNT(*) FROM reports other WHERE other.kind = reports.kind AND other.subject_id = reports.subject_id AND other.closed_at IS NULL)
WHERE closed_at IS NULL AND first;
DROP INDEX reports_open;
CREATE INDEX reports_open ON reports (seq) WHERE closed_at IS NULL AND first;
DELETE FROM page_deltas WHERE scope = 'reports';
DELETE FROM page_counts WHERE scope = 'reports';
INSERT INTO page_counts (scope, tier, block, n) SELECT 'reports', 0, seq / 256, COUNT(*) FROM reports WHERE closed_at IS NULL AND first GROUP BY seq / 256;
INSERT INTO page_counts (scope, tier, block, n) SELECT 'reports', 1, seq / 65536, COUNT(*) FROM reports WHERE closed_at IS NULL AND first GROUP BY seq / 65536;

-- +goose Down
DROP INDEX reports_open;
CREATE INDEX reports_open ON reports (seq) WHERE closed_at IS NULL;
ALTER TABLE reports DROP COLUMN n;
ALTER TABLE reports DROP COLUMN first;
