-- What the members of a circle are to be notified of: an assignment that is new, or whose due date has changed. Members
-- who joined before are notified in the order of their seq, up to told_to so far.

-- +goose Up
CREATE TABLE circle_fanouts (
    assignment_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    told_to BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (assignment_id, kind)
);

-- +goose Down
DROP TABLE circle_fanouts;
