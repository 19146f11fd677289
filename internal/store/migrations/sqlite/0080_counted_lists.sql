-- Pages of replies and of a user's reviews are counted by an index each.

-- +goose Up
CREATE INDEX comments_listed ON comments (thread_id, seq) WHERE thread_id IS NOT NULL AND listed;
CREATE INDEX reviews_given ON reviews (reviewer, seq) WHERE NOT exemplar;

-- +goose Down
DROP INDEX reviews_given;
DROP INDEX comments_listed;
