-- When an invitation of a roster is emailed; NULL for others, and once it is queued. Microseconds since 1970, UTC.

-- +goose Up
ALTER TABLE circle_invitations ADD COLUMN mail_at BIGINT;
CREATE INDEX circle_invitations_mail ON circle_invitations (mail_at) WHERE mail_at IS NOT NULL;

-- +goose Down
DROP INDEX circle_invitations_mail;
ALTER TABLE circle_invitations DROP COLUMN mail_at;
