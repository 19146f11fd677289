-- The words of live assignments, as package words cuts them and sqlite/search.go
-- marks them: rowid is the assignment's seq. No text is kept twice (contentless),
-- no positions are kept (a search asks for words, not phrases), and words of up
-- to three letters are indexed as prefixes too (the mark is the fourth).

-- +goose Up
CREATE VIRTUAL TABLE assignment_search USING fts5 (
    words,
    content = '', contentless_delete = 1, detail = none, prefix = '2 3 4',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);

-- Every word that was ever indexed, so that a longer prefix can be asked for as
-- the few whole words that begin with it.
CREATE TABLE search_words (word TEXT PRIMARY KEY) WITHOUT ROWID;

-- +goose Down
DROP TABLE search_words;
DROP TABLE assignment_search;
