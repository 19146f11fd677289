-- What a review's feedback shows as, where that is Markdown; '' where it is plain, as
-- all that was there before is. While a moderator hides the feedback nobody is shown
-- it: see hidden_feedback.

-- +goose Up
ALTER TABLE reviews ADD COLUMN feedback_html TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE reviews DROP COLUMN feedback_html;
