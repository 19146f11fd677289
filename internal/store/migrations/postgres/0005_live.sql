-- What has changed, for those who listen: a row for every transaction that
-- changed something, its changes one a line (see store/events.go). Transactions end in
-- another order than they begin, so a row's place is the transaction's own
-- number, and a reader remembers which transactions it saw: a snapshot.

-- +goose Up
CREATE TABLE events (
    place XID8 PRIMARY KEY DEFAULT pg_current_xact_id(),
    changes TEXT NOT NULL,
    created_at BIGINT NOT NULL DEFAULT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT
);

-- One row. epoch tells this history from any other; floor is the last place
-- that was removed.
CREATE TABLE event_log (
    id BIGINT PRIMARY KEY,
    epoch TEXT NOT NULL,
    floor XID8 NOT NULL DEFAULT '0'
);

-- +goose Down
DROP TABLE event_log;
DROP TABLE events;
