-- The words of the names of listed circles, as in assignment_search.

-- +goose Up
CREATE TABLE listing_search (
    seq BIGINT PRIMARY KEY,
    title TSVECTOR NOT NULL,
    words TSVECTOR NOT NULL
);
INSERT INTO listing_search (seq, title, words)
SELECT l.seq, array_to_tsvector(w.words), array_to_tsvector(w.words) FROM circle_listings l JOIN circles c ON c.id = l.circle_id
CROSS JOIN LATERAL (SELECT array_remove(string_to_array(c.sort_key, ' '), '') AS words) w;
CREATE INDEX listing_search_title ON listing_search USING GIN (title);
CREATE INDEX listing_search_words ON listing_search USING GIN (words);

-- +goose Down
DROP TABLE listing_search;
