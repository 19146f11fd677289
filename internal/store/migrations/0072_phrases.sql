-- The sentences that users keep for feedback.

-- +goose Up
CREATE TABLE phrases (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    phrases TEXT NOT NULL -- JSON, a list
);

-- +goose Down
DROP TABLE phrases;
