-- The pending list has submissions that one grade marks; those that several people
-- review are listed by their assignments.
--
-- Made beside those who write, and so outside a transaction: killed in the middle,
-- it begins anew, and finds some of its steps taken.

-- +goose NO TRANSACTION
-- +goose Up
-- +goose StatementBegin
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('submissions_to_grade') AND NOT indisvalid) THEN
        DROP INDEX submissions_to_grade; -- half made
    END IF;
END $$;
-- +goose StatementEnd
CREATE INDEX CONCURRENTLY IF NOT EXISTS submissions_to_grade ON submissions (seq) WHERE status = 'pending' AND reviews_needed = 0;
DROP INDEX CONCURRENTLY IF EXISTS submissions_pending;

-- +goose Down
CREATE INDEX IF NOT EXISTS submissions_pending ON submissions (seq) WHERE status = 'pending';
DROP INDEX IF EXISTS submissions_to_grade;
