-- Statements that differ between the engines are in their packages.

-- name: InsertEvents :exec
INSERT INTO events (changes) VALUES ($1);

-- name: PutEventLogIfAbsent :exec
INSERT INTO event_log (id, epoch) VALUES (1, $1) ON CONFLICT (id) DO NOTHING;

-- name: GetEventEpoch :one
SELECT epoch FROM event_log WHERE id = 1;
