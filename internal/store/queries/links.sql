-- name: LookAtLink :exec
-- For an existing submission. Earlier results were another link's.
INSERT INTO link_checks (id, look_at) SELECT s.id, CAST(sqlc.arg(at) AS BIGINT) FROM submissions s WHERE s.id = $1
ON CONFLICT (id) DO UPDATE SET look_at = excluded.look_at, result = '', checked_at = NULL, names = FALSE;

-- name: LinksWait :one
SELECT COUNT(*) FROM (SELECT 1 FROM link_checks WHERE look_at <= $1 LIMIT 1) AS n;

-- name: LeaseLink :exec
UPDATE link_checks SET look_at = $2 WHERE id = $1;

-- name: PutLinkCheck :execrows
-- Only under the lease: the link may have changed since.
UPDATE link_checks SET look_at = sqlc.narg(next), result = $3, checked_at = $4, names = $5 WHERE id = $1 AND look_at = $2;

-- name: PlanLinks :exec
-- After a change of the due date: plans the checks anew.
UPDATE link_checks SET look_at = CAST(sqlc.arg(now) AS BIGINT) WHERE checked_at IS NOT NULL
    AND id IN (SELECT s.id FROM submissions s WHERE s.assignment_id = $1 AND s.status = 'pending' UNION ALL SELECT e.id FROM exemplars e WHERE e.assignment_id = $1);

-- name: LinkFacts :one
SELECT COALESCE(s.submitter_id, '') AS submitter, COALESCE(a.creator_id, '') AS creator, s.circle_id, s.reviews_needed, COALESCE(t.until, 0) AS leased_until,
    COALESCE(l.result, '') AS result, l.checked_at, COALESCE(l.names, FALSE) AS names
FROM submissions s LEFT JOIN exemplars e ON e.id = s.id LEFT JOIN assignments a ON a.id = COALESCE(s.assignment_id, e.assignment_id)
    LEFT JOIN link_checks l ON l.id = s.id
    LEFT JOIN review_turns t ON t.id = s.id AND t.turn = 'leased' AND t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT)
WHERE s.id = $1;

-- name: LinksToCheck :many
SELECT t.id, s.docs_link, s.status, s.reviews_needed, COALESCE(u.display_name, '') AS name, COALESCE(u.email, '') AS email,
    COALESCE(s.submitter_id, '') AS submitter_id, a.due_at, t.result, t.checked_at, t.names
FROM link_checks t JOIN submissions s ON s.id = t.id LEFT JOIN users u ON u.id = s.submitter_id LEFT JOIN exemplars e ON e.id = s.id
LEFT JOIN assignments a ON a.id = COALESCE(s.assignment_id, e.assignment_id)
WHERE t.look_at <= $1 ORDER BY t.look_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED;
