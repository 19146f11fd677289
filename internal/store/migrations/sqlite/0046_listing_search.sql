-- The words of the names of listed circles, as in assignment_search.

-- +goose Up
CREATE VIRTUAL TABLE listing_search USING fts5 (
    words,
    content = '', contentless_delete = 1, detail = none, prefix = '2 3 4',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO listing_search (listing_search, rank) VALUES ('automerge', 0);
INSERT INTO listing_search (rowid, words)
SELECT l.seq, replace(c.sort_key, ' ', ' t') || replace(c.sort_key, ' ', ' w') FROM circle_listings l JOIN circles c ON c.id = l.circle_id;
INSERT OR IGNORE INTO search_words (word)
WITH RECURSIVE cut (word, rest) AS (
    SELECT '', substr(c.sort_key, 2) || ' ' FROM circle_listings l JOIN circles c ON c.id = l.circle_id
    UNION ALL
    SELECT substr(cut.rest, 1, instr(cut.rest, ' ') - 1), substr(cut.rest, instr(cut.rest, ' ') + 1) FROM cut WHERE cut.rest <> ''
)
SELECT DISTINCT cut.word FROM cut WHERE length(cut.word) > 3;

-- +goose Down
DROP TABLE listing_search;
