-- name: PutSelfAssessment :exec
INSERT INTO self_assessments (submission_id, levels, at) VALUES ($1, $2, $3)
ON CONFLICT (submission_id) DO UPDATE SET levels = excluded.levels, at = excluded.at;

-- name: SelfAssessmentOf :one
SELECT * FROM self_assessments WHERE submission_id = $1;

-- name: SelfAssessmentsBy :many
-- Those of a user's submissions after an id.
SELECT a.* FROM submissions s JOIN self_assessments a ON a.submission_id = s.id
WHERE s.submitter_id = $1 AND a.submission_id > CAST(sqlc.arg(after) AS TEXT) ORDER BY a.submission_id LIMIT 1000;

-- name: DeleteSelfAssessmentsOf :exec
DELETE FROM self_assessments WHERE submission_id IN (SELECT s.id FROM submissions s WHERE s.submitter_id = $1);

-- name: AskQuestion :execrows
INSERT INTO review_questions (id, submission_id, submitter_id, reviewer, text, html, asked_at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (submission_id, reviewer) DO NOTHING;

-- name: ProlongLease :execrows
UPDATE review_turns SET until = CAST(sqlc.arg(to_until) AS BIGINT)
WHERE reviewer_id = $1 AND id = $2 AND turn = 'leased' AND until = CAST(sqlc.arg(from_until) AS BIGINT);

-- name: LapseLease :execrows
UPDATE review_turns SET turn = 'lapsed' WHERE reviewer_id = $1 AND id = $2 AND turn = 'leased' AND until <= CAST(sqlc.arg(now) AS BIGINT);

-- name: AnswerQuestion :execrows
UPDATE review_questions SET answer = $2, answer_html = $3, answered_at = $4 WHERE id = $1 AND answered_at IS NULL;

-- name: WithdrawQuestion :exec
-- An answered one stays.
DELETE FROM review_questions WHERE submission_id = $1 AND reviewer = $2 AND answered_at IS NULL;

-- name: QuestionBy :one
SELECT * FROM review_questions WHERE submission_id = $1 AND reviewer = $2;

-- name: TurnOn :one
SELECT turn, until FROM review_turns WHERE reviewer_id = $1 AND id = $2;

-- name: QuestionsBy :many
-- A user's questions after an id.
SELECT * FROM review_questions WHERE reviewer = $1 AND id > CAST(sqlc.arg(after) AS TEXT) ORDER BY id LIMIT 1000;

-- name: AnswersBy :many
-- A user's answers after a question's id.
SELECT * FROM review_questions WHERE submitter_id = $1 AND answered_at IS NOT NULL AND id > CAST(sqlc.arg(after) AS TEXT) ORDER BY id LIMIT 1000;

-- name: QuestionsOn :many
-- In an order that reveals nothing.
SELECT * FROM review_questions WHERE submission_id = $1 ORDER BY id;

-- name: WaitingQuestions :many
-- The submissions of a user about which questions wait for an answer; of settled ones too.
SELECT DISTINCT submission_id FROM review_questions WHERE submitter_id = $1 AND answered_at IS NULL;

-- name: ForgetQuestionsOf :exec
-- Those of reviewers who gave no review.
DELETE FROM review_questions WHERE review_questions.reviewer = $1
    AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.submission_id = review_questions.submission_id AND r.reviewer = $1);

-- name: RenameAsker :exec
UPDATE review_questions SET reviewer = CAST(sqlc.arg(pseudonym) AS TEXT) WHERE reviewer = $1;

-- name: InsertSavedRubric :exec
INSERT INTO saved_rubrics (id, maker_id, circle_id, name, rubric, saved_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: DeleteSavedRubric :execrows
DELETE FROM saved_rubrics WHERE id = $1;

-- name: GetSavedRubric :one
SELECT * FROM saved_rubrics WHERE id = $1;

-- name: OwnSavedRubrics :many
SELECT * FROM saved_rubrics WHERE maker_id = $1 AND circle_id IS NULL ORDER BY id;

-- name: SavedRubricsIn :many
SELECT * FROM saved_rubrics WHERE circle_id = $1 ORDER BY id;

-- name: SavedRubricsBy :many
-- Those that a user made, for circles too, after an id.
SELECT * FROM saved_rubrics WHERE maker_id = $1 AND id > CAST(sqlc.arg(after) AS TEXT) ORDER BY id LIMIT 1000;

-- name: CountOwnSavedRubrics :one
SELECT COUNT(*) FROM saved_rubrics WHERE maker_id = $1 AND circle_id IS NULL;

-- name: CountSavedRubricsIn :one
SELECT COUNT(*) FROM saved_rubrics WHERE circle_id = $1;

-- name: DeleteOwnSavedRubrics :exec
DELETE FROM saved_rubrics WHERE maker_id = $1 AND circle_id IS NULL;

-- name: PutPhrases :exec
INSERT INTO phrases (user_id, phrases) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET phrases = excluded.phrases;

-- name: PhrasesOf :one
SELECT phrases FROM phrases WHERE user_id = $1;
