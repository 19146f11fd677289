-- What a question or an answer said, while a moderator hides it.

-- +goose Up
ALTER TABLE review_questions ADD COLUMN hidden_text TEXT;
ALTER TABLE review_questions ADD COLUMN hidden_answer TEXT;

-- +goose Down
ALTER TABLE review_questions DROP COLUMN hidden_answer;
ALTER TABLE review_questions DROP COLUMN hidden_text;
