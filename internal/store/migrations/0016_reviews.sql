-- Several reviews for one submission: who has it to review, what they gave, and how
-- the mark was settled. An id is the submission's where the table has one row for
-- each. Sums of the grade model are whole numbers, in units of 2^-32: they add up
-- to the same in any order.

-- +goose Up
ALTER TABLE assignments ADD COLUMN reviews_needed BIGINT NOT NULL DEFAULT 0; -- 0 where one grade is the mark
ALTER TABLE assignments ADD COLUMN rubric TEXT NOT NULL DEFAULT ''; -- JSON, '' for none
ALTER TABLE submissions ADD COLUMN reviews_needed BIGINT NOT NULL DEFAULT 0;

-- Assignments of which submissions were ever open to review: each is one row of the
-- pending list while any is.
CREATE TABLE review_assignments (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE REFERENCES assignments (id),
    listed BOOLEAN NOT NULL
);
CREATE INDEX review_assignments_listed ON review_assignments (seq) WHERE listed;

-- Each submission that several people review, for good.
CREATE TABLE review_states (
    id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    submitter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    attempt BIGINT NOT NULL,
    label TEXT NOT NULL,
    phase TEXT NOT NULL,
    reviews BIGINT NOT NULL,
    needed BIGINT NOT NULL,
    wanted BIGINT NOT NULL,
    last_day BIGINT NOT NULL, -- of the last review, counted from 1970
    before_last_day BIGINT NOT NULL, -- reviews until then
    settle_at BIGINT NOT NULL,
    appeal TEXT NOT NULL DEFAULT '', -- why; '' where there was none
    asked BOOLEAN NOT NULL DEFAULT FALSE -- the creator, to decide the appeal
);
CREATE INDEX review_states_of ON review_states (assignment_id, submitter_id);
CREATE INDEX review_states_submitter ON review_states (submitter_id);
CREATE INDEX review_states_due ON review_states (settle_at) WHERE phase <> 'settled' AND phase <> 'unattended';
CREATE INDEX review_states_unattended ON review_states (seq) WHERE phase = 'unattended';

-- The queue: submissions that are open to review, in the order in which they are
-- given out.
CREATE TABLE review_queue (
    id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    submitter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    attempt BIGINT NOT NULL,
    filled BIGINT NOT NULL, -- reviews and leases
    wanted BIGINT NOT NULL,
    most BIGINT NOT NULL,
    ungiven BIGINT NOT NULL, -- minus the reviews that the submitter gave for the assignment
    certain BIGINT NOT NULL -- minus how far reviews may still move the mark, in millionths of the total
);
CREATE INDEX review_queue_short ON review_queue (attempt, filled, ungiven, seq) WHERE filled < wanted;
CREATE INDEX review_queue_short_of ON review_queue (assignment_id, attempt, filled, ungiven, seq) WHERE filled < wanted;
CREATE INDEX review_queue_wide ON review_queue (certain, seq) WHERE filled >= wanted AND filled < most;
CREATE INDEX review_queue_wide_of ON review_queue (assignment_id, certain, seq) WHERE filled >= wanted AND filled < most;
CREATE INDEX review_queue_submitter ON review_queue (submitter_id, assignment_id);
CREATE INDEX review_queue_of ON review_queue (assignment_id);

-- To whom a submission was given to review, and what came of it. One lease a person.
CREATE TABLE review_turns (
    reviewer_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    turn TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (reviewer_id, id)
);
CREATE INDEX review_turns_of ON review_turns (id);
CREATE UNIQUE INDEX review_turns_one ON review_turns (reviewer_id) WHERE turn = 'leased';
CREATE INDEX review_turns_until ON review_turns (until) WHERE turn = 'leased';

CREATE TABLE reviews (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    reviewer TEXT NOT NULL, -- a user's id, or a random word once the account is gone
    label TEXT NOT NULL, -- '' until it is released
    mark BIGINT NOT NULL,
    levels TEXT NOT NULL, -- JSON, '' without a rubric
    feedback TEXT NOT NULL,
    given_at BIGINT NOT NULL,
    helpful BOOLEAN,
    reply TEXT NOT NULL,
    -- What it says about its reviewer: a part of the grade model.
    part_p BIGINT NOT NULL,
    part_m BIGINT NOT NULL,
    part_xx BIGINT NOT NULL,
    part_xe BIGINT NOT NULL,
    part_xd BIGINT NOT NULL
);
CREATE UNIQUE INDEX reviews_of ON reviews (submission_id, reviewer);
CREATE INDEX reviews_by ON reviews (reviewer, seq);
CREATE INDEX reviews_for ON reviews (reviewer, assignment_id);

-- Sums of an assignment's spreads, in several rows so that few who review at once
-- wait for each other.
CREATE TABLE review_totals (
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    slot BIGINT NOT NULL,
    submissions BIGINT NOT NULL,
    means BIGINT NOT NULL,
    squares BIGINT NOT NULL,
    free BIGINT NOT NULL,
    PRIMARY KEY (assignment_id, slot)
);

CREATE TABLE settlements (
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    at BIGINT NOT NULL,
    decided_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    mark BIGINT NOT NULL,
    model TEXT NOT NULL, -- JSON, '' where somebody set the mark
    PRIMARY KEY (submission_id, n)
);

-- +goose Down
DROP TABLE settlements;
DROP TABLE review_totals;
DROP TABLE reviews;
DROP TABLE review_turns;
DROP TABLE review_queue;
DROP TABLE review_states;
DROP TABLE review_assignments;
ALTER TABLE submissions DROP COLUMN reviews_needed;
ALTER TABLE assignments DROP COLUMN rubric;
ALTER TABLE assignments DROP COLUMN reviews_needed;
