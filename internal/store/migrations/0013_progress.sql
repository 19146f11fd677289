-- What people asked to be reminded of.

-- +goose Up
CREATE TABLE reminders (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, assignment_id)
);
CREATE INDEX reminders_assignment ON reminders (assignment_id);

-- +goose Down
DROP TABLE reminders;
