-- How many assignments ever lost words: a search that knows how many there were
-- with a word, and how many of all have lost some since, need not count again.

-- +goose Up
CREATE TABLE search_gone (n INTEGER NOT NULL);
INSERT INTO search_gone VALUES (0);

-- +goose StatementBegin
CREATE TRIGGER search_gone_changed AFTER UPDATE OF title, description, level, deleted_at ON assignments BEGIN
    UPDATE search_gone SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_gone_removed AFTER DELETE ON assignments BEGIN
    UPDATE search_gone SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER search_gone_removed;
DROP TRIGGER search_gone_changed;
DROP TABLE search_gone;
