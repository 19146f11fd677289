-- name: InsertCircle :one
INSERT INTO circles (id, name, sort_key, description, html, listed, joining, publishing, grading, accuracy_since, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, sqlc.narg(accuracy_since), $10, $10) RETURNING *;

-- name: UpdateCircle :one
UPDATE circles SET name = $2, sort_key = $3, description = $4, html = $5, listed = $6, joining = $7, publishing = $8, grading = $9, accuracy_since = sqlc.narg(accuracy_since), notice = '', succession = '', updated_at = $10
WHERE id = $1 RETURNING *;

-- name: SetCircleDeleted :one
UPDATE circles SET deleted_at = $2 WHERE id = $1 RETURNING *;

-- name: ListingOf :many
SELECT seq FROM circle_listings WHERE circle_id = $1;

-- name: InsertListing :one
INSERT INTO circle_listings (circle_id) VALUES ($1) RETURNING seq;

-- name: DeleteListing :exec
DELETE FROM circle_listings WHERE seq = $1;

-- name: GetCircle :one
SELECT * FROM circles WHERE id = $1;

-- name: CircleFor :one
-- A circle as one of its members.
SELECT sqlc.embed(c), sqlc.embed(m) FROM circles c JOIN circle_members m ON m.circle_id = c.id WHERE c.id = $1 AND m.user_id = $2 AND c.deleted_at IS NULL;

-- name: CirclesToRemove :many
-- One that was deleted before a time.
SELECT id FROM circles WHERE deleted_at < $1 ORDER BY deleted_at LIMIT 1;

-- name: DeleteCircle :exec
DELETE FROM circles WHERE id = $1;

-- name: LiveAssignmentsIn :many
SELECT id FROM assignments WHERE circle_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: SomeMembers :many
SELECT * FROM circle_members WHERE circle_id = $1 ORDER BY user_id LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: ImportedWith :many
-- Those who are shown as imported in one circle. It reads all users, once for a circle that is removed.
SELECT id FROM users WHERE SUBSTR(email, 1, LENGTH(CAST(sqlc.arg(prefix) AS TEXT))) = CAST(sqlc.arg(prefix) AS TEXT) ORDER BY id;

-- name: CirclesOf :many
SELECT sqlc.embed(c), sqlc.embed(m) FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE m.user_id = $1 AND c.deleted_at IS NULL
ORDER BY c.sort_key, c.id LIMIT CAST(sqlc.arg(room) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountCirclesOf :one
SELECT COUNT(*) FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE m.user_id = $1 AND c.deleted_at IS NULL;

-- name: DeletedCirclesOf :many
-- Those that a user owns and that were deleted at a time or later.
SELECT c.* FROM circle_members m JOIN circles c ON c.id = m.circle_id
WHERE m.user_id = $1 AND m.role = 'owner' AND c.deleted_at IS NOT NULL AND c.deleted_at >= CAST(sqlc.arg(since) AS BIGINT)
ORDER BY c.sort_key, c.id LIMIT CAST(sqlc.arg(room) AS BIGINT) OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: CountDeletedCirclesOf :one
SELECT COUNT(*) FROM circle_members m JOIN circles c ON c.id = m.circle_id
WHERE m.user_id = $1 AND m.role = 'owner' AND c.deleted_at IS NOT NULL AND c.deleted_at >= CAST(sqlc.arg(since) AS BIGINT);

-- name: AllMembershipsOf :many
-- Those in deleted circles too.
SELECT * FROM circle_members WHERE user_id = $1 ORDER BY circle_id;

-- name: GetMembership :one
SELECT * FROM circle_members WHERE circle_id = $1 AND user_id = $2;

-- name: Holdings :one
SELECT COUNT(*) AS n, CAST(COALESCE(SUM(CASE WHEN role = 'owner' THEN 1 ELSE 0 END), 0) AS BIGINT) AS owned FROM circle_members WHERE user_id = $1;

-- name: DeleteMember :exec
DELETE FROM circle_members WHERE seq = $1;

-- name: CountMember :exec
UPDATE circles SET members = members + CAST(sqlc.arg(n) AS BIGINT) WHERE id = $1;

-- name: PlainMembers :many
SELECT * FROM circle_members WHERE circle_id = $1 AND role = 'member' ORDER BY seq;

-- name: KeepsFamilyNames :one
SELECT EXISTS (SELECT 1 FROM circle_members WHERE circle_id = $1 AND (family_name <> '' OR source_id <> ''));

-- name: CountOwners :one
SELECT COUNT(*) FROM circle_members WHERE circle_id = $1 AND role = 'owner';

-- name: OldestOrganizer :many
SELECT * FROM circle_members WHERE circle_id = $1 AND role = 'organizer' ORDER BY seq LIMIT 1;

-- name: OldestMember :many
SELECT * FROM circle_members WHERE circle_id = $1 ORDER BY seq LIMIT 1;

-- name: SetCircleNotice :one
UPDATE circles SET notice = $2, succession = $3, archived_at = $4 WHERE id = $1 RETURNING *;

-- name: OldestMembers :many
SELECT user_id FROM circle_members WHERE circle_id = $1 ORDER BY seq LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: OldestOrganizers :many
SELECT user_id FROM circle_members WHERE circle_id = $1 AND role <> 'member' ORDER BY seq LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: SetCircleArchived :one
UPDATE circles SET archived_at = $2 WHERE id = $1 RETURNING *;

-- name: SetHeir :exec
UPDATE circles SET heir_id = $2, heir_of = $3 WHERE id = $1;

-- name: ForgetHeir :exec
-- A user who leaves is neither asked to become an owner nor asks.
UPDATE circles SET heir_id = NULL, heir_of = NULL WHERE id = $1 AND (heir_id = $2 OR heir_of = $2);

-- name: InsertRemoval :exec
INSERT INTO circle_removals (circle_id, user_id, removed_at) VALUES ($1, $2, $3) ON CONFLICT (circle_id, user_id) DO UPDATE SET removed_at = excluded.removed_at;

-- name: RemovedAt :many
SELECT removed_at FROM circle_removals WHERE circle_id = $1 AND user_id = $2;

-- name: RemovedFrom :many
SELECT circle_id FROM circle_removals WHERE user_id = $1;

-- name: PutRefusal :exec
INSERT INTO circle_refusals (circle_id, user_id, kind) VALUES ($1, $2, $3) ON CONFLICT (circle_id, user_id) DO UPDATE SET kind = excluded.kind;

-- name: RefusalOf :one
SELECT CAST(COALESCE((SELECT f.kind FROM circle_refusals f WHERE f.circle_id = $1 AND f.user_id = $2), '') AS TEXT);

-- name: InvitedTo :many
-- The invitations by rosters that wait for a user's answer, newest first.
SELECT i.id, c.name AS circle_name, i.role, i.created_at, i.expires_at, CAST(COALESCE(o.display_name, '') AS TEXT) AS organizer
FROM users u JOIN circle_invitations i ON i.roster_email = u.email JOIN circles c ON c.id = i.circle_id LEFT JOIN users o ON o.id = i.created_by
WHERE u.id = sqlc.arg(user_id) AND u.email_verified_at IS NOT NULL AND i.revoked_at IS NULL AND i.declined_at IS NULL AND i.uses_left > 0
    AND i.expires_at > CAST(sqlc.arg(now) AS BIGINT) AND c.deleted_at IS NULL AND c.archived_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM circle_members m WHERE m.circle_id = i.circle_id AND m.user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM circle_refusals f WHERE f.circle_id = i.circle_id AND f.user_id = u.id AND f.kind = 'blocked')
    AND NOT EXISTS (SELECT 1 FROM circle_removals r WHERE r.circle_id = i.circle_id AND r.user_id = u.id AND r.removed_at >= i.created_at)
ORDER BY i.created_at DESC, i.seq DESC LIMIT CAST(sqlc.arg(room) AS BIGINT);

-- name: DeclineInvitation :exec
UPDATE circle_invitations SET declined_at = $2 WHERE id = $1;

-- name: UsersInvitedBy :many
-- The user with the address of a roster's invitation.
SELECT u.id FROM circle_invitations i JOIN users u ON u.email = i.roster_email WHERE i.id = $1;

-- name: InsertInvitation :exec
INSERT INTO circle_invitations (id, circle_id, secret_hash, role, label, uses_left, only_email, only_domain, created_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: EndRosterInvitation :exec
-- A user who leaves is not admitted again by the roster.
UPDATE circle_invitations SET uses_left = 0 WHERE circle_id = $1 AND roster_email = (SELECT u.email FROM users u WHERE u.id = sqlc.arg(user_id));

-- name: InvitationsOnceVerified :many
-- The invitations that a user's verified address makes good, in the order of the circles' ids: the one by which the user
-- registered and, if the user may be enrolled, valid ones of rosters for the address.
SELECT v.id, v.circle_id FROM (
    SELECT i.id, i.circle_id FROM users u JOIN circle_invitations i ON i.roster_email = u.email
    WHERE u.id = sqlc.arg(user_id) AND u.email_verified_at IS NOT NULL AND i.revoked_at IS NULL AND i.declined_at IS NULL AND i.uses_left > 0 AND i.expires_at > CAST(sqlc.arg(now) AS BIGINT)
        AND CAST(sqlc.arg(direct) AS BOOLEAN) AND NOT EXISTS (SELECT 1 FROM circle_refusals f WHERE f.circle_id = i.circle_id AND f.user_id = u.id)
    UNION ALL
    SELECT i.id, i.circle_id FROM users u JOIN awaited_joins a ON a.user_id = u.id JOIN circle_invitations i ON i.id = a.invitation_id
    WHERE u.id = sqlc.arg(user_id) AND u.email_verified_at IS NOT NULL AND i.revoked_at IS NULL
) v ORDER BY v.circle_id;

-- name: QueueInvitations :many
-- See QueueMails.
WITH mine AS MATERIALIZED (
    SELECT t.seq FROM circle_invitations t WHERE t.mail_at <= $1 ORDER BY t.mail_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE circle_invitations SET mail_at = NULL WHERE seq IN (SELECT m.seq FROM mine m) RETURNING id;

-- name: SetRosterSecret :one
-- Stores the secret of a valid invitation of a roster, to a circle that it can join, and returns its address. Its user
-- has not declined.
UPDATE circle_invitations SET secret_hash = sqlc.arg(secret_hash)
WHERE circle_invitations.id = sqlc.arg(id) AND roster_email IS NOT NULL AND revoked_at IS NULL AND declined_at IS NULL AND uses_left > 0 AND expires_at > CAST(sqlc.arg(now) AS BIGINT)
    AND circle_id IN (SELECT c.id FROM circles c WHERE c.deleted_at IS NULL AND c.archived_at IS NULL)
    AND NOT EXISTS (
        SELECT 1 FROM circle_refusals f JOIN users u ON u.id = f.user_id
        WHERE f.circle_id = circle_invitations.circle_id AND u.email = circle_invitations.roster_email AND f.kind = 'blocked')
RETURNING roster_email;

-- name: InvitationBySecret :one
SELECT id, circle_id FROM circle_invitations WHERE secret_hash = $1;

-- name: RevokeInvitation :execrows
UPDATE circle_invitations SET revoked_at = $3 WHERE id = $1 AND circle_id = $2 AND revoked_at IS NULL;

-- name: UseInvitation :exec
UPDATE circle_invitations SET uses_left = uses_left - 1 WHERE id = $1;

-- name: InsertJoin :exec
INSERT INTO circle_joins (invitation_id, user_id, joined_at) VALUES ($1, $2, $3) ON CONFLICT (invitation_id, user_id) DO UPDATE SET joined_at = excluded.joined_at;

-- name: InsertRequest :execrows
INSERT INTO circle_requests (circle_id, user_id, asked_at) VALUES ($1, $2, $3) ON CONFLICT (circle_id, user_id) DO NOTHING;

-- name: DeleteRequest :execrows
DELETE FROM circle_requests WHERE circle_id = $1 AND user_id = $2;

-- name: RequestsBy :many
SELECT * FROM circle_requests WHERE user_id = $1 ORDER BY seq;
