-- What a roster keeps apart: the family name, by which lists are sorted, and the person's id in the system that made the
-- roster. The keys sort the members of a circle: hexadecimal forms of the words of names, which every collation sorts
-- alike, '' until a background job has made them. Organizers see, and sort by, names as in the roster.

-- +goose Up
ALTER TABLE circle_members ADD COLUMN family_name TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_members ADD COLUMN source_id TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_members ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_members ADD COLUMN family_key TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_members ADD COLUMN roster_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_members ADD COLUMN roster_family_key TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_invitations ADD COLUMN family_name TEXT NOT NULL DEFAULT '';
ALTER TABLE circle_invitations ADD COLUMN source_id TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE circle_invitations DROP COLUMN source_id;
ALTER TABLE circle_invitations DROP COLUMN family_name;
ALTER TABLE circle_members DROP COLUMN roster_family_key;
ALTER TABLE circle_members DROP COLUMN roster_name_key;
ALTER TABLE circle_members DROP COLUMN family_key;
ALTER TABLE circle_members DROP COLUMN name_key;
ALTER TABLE circle_members DROP COLUMN source_id;
ALTER TABLE circle_members DROP COLUMN family_name;
