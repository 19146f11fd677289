-- FTS5 merges no more by itself: sqlite/search.go tells it how much, and when.

-- +goose Up
INSERT INTO assignment_search (assignment_search, rank) VALUES ('automerge', 0);

-- +goose Down
INSERT INTO assignment_search (assignment_search, rank) VALUES ('automerge', 4);
