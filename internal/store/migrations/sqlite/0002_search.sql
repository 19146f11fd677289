-- The words of live assignments, as search.go cuts them: rowid is the
-- assignment's seq. No text is kept twice (contentless), no positions are kept
-- (a search asks for words, not phrases).

-- +goose Up
CREATE VIRTUAL TABLE assignment_search USING fts5 (
    title, description, level,
    content = '', contentless_delete = 1, detail = column,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);

-- +goose Down
DROP TABLE assignment_search;
