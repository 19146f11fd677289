-- What has changed, for those who listen: a row for every commit that changed
-- something, its changes one a line (see store/events.go). Commits come one after the
-- other here, so the row's number is its place.

-- +goose Up
CREATE TABLE events (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    changes TEXT NOT NULL,
    created_at BIGINT NOT NULL DEFAULT (unixepoch() * 1000000)
);

-- One row. epoch tells this history from any other; floor is the last place
-- that was removed.
CREATE TABLE event_log (
    id BIGINT PRIMARY KEY,
    epoch TEXT NOT NULL,
    floor BIGINT NOT NULL DEFAULT 0
);

-- +goose Down
DROP TABLE event_log;
DROP TABLE events;
