-- How a circle got its present owner after the last one left, as a code: see studycircle.Succession. The notice, a
-- sentence, is for the release before this one; the next may drop it.

-- +goose Up
ALTER TABLE circles ADD COLUMN succession TEXT NOT NULL DEFAULT '';
UPDATE circles SET succession = CASE
    WHEN notice LIKE '%The organizer who%' THEN 'organizer'
    WHEN notice LIKE '%The member who%' THEN 'member'
    ELSE 'none' END
WHERE notice <> '';

-- +goose Down
ALTER TABLE circles DROP COLUMN succession;
