-- Users whom a roster does not put into a circle: kind is left for those who have left it by themselves, blocked for
-- those who want no more invitations to it. An invitation that its user has declined has declined_at, in microseconds
-- since 1970, UTC.

-- +goose Up
CREATE TABLE circle_refusals (
    circle_id TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    PRIMARY KEY (circle_id, user_id)
);
CREATE INDEX circle_refusals_user ON circle_refusals (user_id);
ALTER TABLE circle_invitations ADD COLUMN declined_at BIGINT;

-- +goose Down
ALTER TABLE circle_invitations DROP COLUMN declined_at;
DROP TABLE circle_refusals;
