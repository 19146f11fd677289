-- name: ClaimRequest :execrows
-- Changes nothing if the request was sent before and has not expired.
INSERT INTO sent_requests (id, user_id, asked, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET asked = excluded.asked, sent_at = excluded.sent_at, expires_at = excluded.expires_at, answer = ''
WHERE sent_requests.expires_at <= excluded.sent_at;

-- name: GetSentRequest :one
SELECT asked, sent_at, answer FROM sent_requests WHERE id = $1 AND expires_at > CAST(sqlc.arg(now) AS BIGINT);

-- name: AnswerRequest :exec
UPDATE sent_requests SET answer = $2 WHERE id = $1;

-- name: DeleteExpiredRequests :exec
-- Like those of sessions.sql, it leaves locked rows to the next call.
DELETE FROM sent_requests WHERE id IN (SELECT t.id FROM sent_requests t WHERE t.expires_at < $1 FOR NO KEY UPDATE OF t SKIP LOCKED);
