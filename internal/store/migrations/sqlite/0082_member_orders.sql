-- The orders of a circle's members, see 0081.

-- +goose Up
CREATE INDEX circle_members_by_name ON circle_members (circle_id, name_key, seq);
CREATE INDEX circle_members_by_family ON circle_members (circle_id, family_key, seq);
CREATE INDEX circle_members_by_roster_name ON circle_members (circle_id, roster_name_key, seq);
CREATE INDEX circle_members_by_roster_family ON circle_members (circle_id, roster_family_key, seq);
CREATE INDEX circle_members_unsorted ON circle_members (seq) WHERE name_key = '';

-- +goose Down
DROP INDEX circle_members_unsorted;
DROP INDEX circle_members_by_roster_family;
DROP INDEX circle_members_by_roster_name;
DROP INDEX circle_members_by_family;
DROP INDEX circle_members_by_name;
