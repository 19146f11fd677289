-- FTS5 merges the segments of the search indexes by itself, as many as by default.

-- +goose Up
INSERT INTO assignment_search (assignment_search, rank) VALUES ('automerge', 4);
INSERT INTO circle_search (circle_search, rank) VALUES ('automerge', 4);
INSERT INTO listing_search (listing_search, rank) VALUES ('automerge', 4);

-- +goose Down
INSERT INTO assignment_search (assignment_search, rank) VALUES ('automerge', 0);
INSERT INTO circle_search (circle_search, rank) VALUES ('automerge', 0);
INSERT INTO listing_search (listing_search, rank) VALUES ('automerge', 0);
