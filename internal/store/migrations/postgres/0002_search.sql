-- The words of live assignments, as package words cuts them. The level is a lexeme
-- of its own ('=easy'), so that one index answers both at once.

-- +goose Up
CREATE TABLE assignment_search (
    seq BIGINT PRIMARY KEY,
    title TSVECTOR NOT NULL,
    words TSVECTOR NOT NULL
);
CREATE INDEX assignment_search_title ON assignment_search USING GIN (title);
CREATE INDEX assignment_search_words ON assignment_search USING GIN (words);

-- +goose Down
DROP TABLE assignment_search;
