-- The orders of a circle's members, see 0081. The indexes are built beside writers, and so outside a transaction: if that
-- is interrupted, the next start drops what is left and builds them again.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_name;
CREATE INDEX CONCURRENTLY circle_members_by_name ON circle_members (circle_id, name_key, seq);
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_family;
CREATE INDEX CONCURRENTLY circle_members_by_family ON circle_members (circle_id, family_key, seq);
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_roster_name;
CREATE INDEX CONCURRENTLY circle_members_by_roster_name ON circle_members (circle_id, roster_name_key, seq);
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_roster_family;
CREATE INDEX CONCURRENTLY circle_members_by_roster_family ON circle_members (circle_id, roster_family_key, seq);
DROP INDEX CONCURRENTLY IF EXISTS circle_members_unsorted;
CREATE INDEX CONCURRENTLY circle_members_unsorted ON circle_members (seq) WHERE name_key = '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS circle_members_unsorted;
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_roster_family;
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_roster_name;
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_family;
DROP INDEX CONCURRENTLY IF EXISTS circle_members_by_name;
