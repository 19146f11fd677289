-- Where a submission stood in the queue of reviews (review_queue.certain) while its
-- assignment is hidden; NULL where it was not in it.

-- +goose Up
ALTER TABLE review_states ADD COLUMN hidden_certain BIGINT;

-- +goose Down
ALTER TABLE review_states DROP COLUMN hidden_certain;
