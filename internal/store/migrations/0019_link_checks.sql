-- What was found at the document links of submissions. Rows are the queue of what is to
-- be looked at, too.

-- +goose Up
CREATE TABLE link_checks (
    id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
    look_at BIGINT, -- when, or until when a node is looking; NULL for never
    result TEXT NOT NULL DEFAULT '', -- '' while nobody has looked
    checked_at BIGINT,
    names BOOLEAN NOT NULL DEFAULT FALSE -- the page has the submitter's name in it
);
CREATE INDEX link_checks_look ON link_checks (look_at) WHERE look_at IS NOT NULL;

-- +goose Down
DROP TABLE link_checks;
