-- name: PutSettingIfAbsent :exec
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: GetSetting :one
SELECT value FROM settings WHERE name = $1;

-- name: LockSetting :one
-- The lock of the row serializes changes.
UPDATE settings SET value = value WHERE name = $1 RETURNING value;

-- name: PutSetting :exec
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: DeleteSetting :exec
DELETE FROM settings WHERE name = $1;

-- name: DeleteSettings :exec
DELETE FROM settings;
