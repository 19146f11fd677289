-- The version of the grade model that settles an assignment's reviews, and the way from them to a mark.
-- Assignments of before keep SC1. The sums that κ needs, in units of 2⁻³²: see grademodel.Totals.

-- +goose Up
ALTER TABLE assignments ADD COLUMN grade_model TEXT NOT NULL DEFAULT 'SC1';
ALTER TABLE assignments ADD COLUMN mark_by TEXT NOT NULL DEFAULT 'model';
ALTER TABLE review_totals ADD COLUMN unsaid BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_totals ADD COLUMN said BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_totals ADD COLUMN said_squares BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE review_totals DROP COLUMN said_squares;
ALTER TABLE review_totals DROP COLUMN said;
ALTER TABLE review_totals DROP COLUMN unsaid;
ALTER TABLE assignments DROP COLUMN mark_by;
ALTER TABLE assignments DROP COLUMN grade_model;
