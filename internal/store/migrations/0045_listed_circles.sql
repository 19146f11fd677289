-- The circles that every user may find, in the order in which they were listed: neither deleted nor archived.

-- +goose Up
CREATE TABLE circle_listings (
    seq BIGSERIAL PRIMARY KEY,
    circle_id TEXT NOT NULL UNIQUE REFERENCES circles (id) ON DELETE CASCADE
);
INSERT INTO circle_listings (circle_id) SELECT c.id FROM circles c WHERE c.listed AND c.deleted_at IS NULL AND c.archived_at IS NULL ORDER BY c.created_at, c.id;
INSERT INTO page_counts (scope, tier, block, n) SELECT 'circles/listed', 0, l.seq / 256, COUNT(*) FROM circle_listings l GROUP BY l.seq / 256;
INSERT INTO page_counts (scope, tier, block, n) SELECT 'circles/listed', 1, l.seq / 65536, COUNT(*) FROM circle_listings l GROUP BY l.seq / 65536;
CREATE VIEW listed_circles AS
SELECT l.seq, c.id, c.name, c.description, c.html, c.joining, c.members FROM circle_listings l JOIN circles c ON c.id = l.circle_id;
DROP INDEX circles_listed;

-- +goose Down
CREATE INDEX circles_listed ON circles (sort_key, id) WHERE listed AND deleted_at IS NULL AND archived_at IS NULL;
DROP VIEW listed_circles;
DELETE FROM page_counts WHERE scope = 'circles/listed';
DROP TABLE circle_listings;
