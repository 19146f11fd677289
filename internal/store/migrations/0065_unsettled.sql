-- Assignments with a submission that is not settled.

-- +goose Up
CREATE INDEX review_states_unsettled ON review_states (assignment_id) WHERE phase <> 'settled';

-- +goose Down
DROP INDEX review_states_unsettled;
