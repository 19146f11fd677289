-- One index of own submissions in place of two. A grade moves a row, and so adds to
-- every index: the two lay in another order each, at pages that nobody else wrote.
-- Who looks for one status passes the other in the index alone.
--
-- Made beside those who write, and so outside a transaction: killed in the middle,
-- it begins anew, and finds some of its steps taken.

-- +goose NO TRANSACTION
-- +goose Up
-- +goose StatementBegin
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('submissions_of') AND NOT indisvalid) THEN
        DROP INDEX submissions_of; -- half made
    END IF;
END $$;
-- +goose StatementEnd
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS submissions_of ON submissions (submitter_id, submitter_no) INCLUDE (status);
DROP INDEX CONCURRENTLY IF EXISTS submissions_own_status;
DROP INDEX CONCURRENTLY IF EXISTS submissions_own;

-- +goose Down
CREATE UNIQUE INDEX IF NOT EXISTS submissions_own ON submissions (submitter_id, submitter_no);
CREATE INDEX IF NOT EXISTS submissions_own_status ON submissions (submitter_id, status, submitter_no);
DROP INDEX IF EXISTS submissions_of;
