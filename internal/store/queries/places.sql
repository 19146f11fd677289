-- name: PlacesOf :many
-- The circles of which a user is a member.
SELECT c.id, c.name, c.publishing, c.grading, c.archived_at, m.role FROM circle_members m JOIN circles c ON c.id = m.circle_id
WHERE m.user_id = $1 AND c.deleted_at IS NULL;
