-- What a user has handed in that others review, by when the server settles it; and
-- submissions that wait for the creator to decide.

-- +goose Up
CREATE INDEX review_states_begun ON review_states (submitter_id, settle_at);
CREATE INDEX review_states_undecided ON review_states (assignment_id) WHERE phase = 'unattended' OR (phase = 'appealed' AND asked);

-- +goose Down
DROP INDEX review_states_undecided;
DROP INDEX review_states_begun;
