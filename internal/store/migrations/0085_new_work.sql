-- Who hears of new work to review. The queue numbers what enters it, by assignment; changed says that something has
-- entered since users were last notified, and seen is the number up to which a submitter knows of work.

-- +goose Up
ALTER TABLE review_queue ADD COLUMN entered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_assignments ADD COLUMN entered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_assignments ADD COLUMN changed BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX review_assignments_changed ON review_assignments (seq) WHERE changed;
ALTER TABLE review_requests ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
CREATE INDEX review_requests_of ON review_requests (assignment_id);

-- +goose Down
DROP INDEX review_requests_of;
ALTER TABLE review_requests DROP COLUMN seen;
DROP INDEX review_assignments_changed;
ALTER TABLE review_assignments DROP COLUMN changed;
ALTER TABLE review_assignments DROP COLUMN entered;
ALTER TABLE review_queue DROP COLUMN entered;
