package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// Ask stores a question of the holder of a lease to a submitter, "" if the account is gone, and prolongs the lease.
// CodeAlreadyAsked; CodeNotLeased if the lease has ended since it was read.
func (tx *Tx) Ask(ctx context.Context, q studycircle.Question, submitterID string, l studycircle.Lease) (err error) {
	defer tx.operation(&err, "Tx.Ask", q.SubmissionID)
	if err := tx.lock(ctx, tables.QueueRow, q.SubmissionID); err != nil {
		return err
	}
	n, err := tx.Queries.AskQuestion(ctx, db.AskQuestionParams{
		ID: q.ID, SubmissionID: q.SubmissionID, SubmitterID: optionalText(submitterID), Reviewer: q.Reviewer, Text: q.Text,
		Html: q.HTML, AskedAt: micros(q.AskedAt),
	})
	if err == nil && n == 0 {
		err = studycircle.ErrAlreadyAsked
	}
	if err != nil {
		return err
	}
	n, err = tx.Queries.ProlongLease(ctx, db.ProlongLeaseParams{
		ReviewerID: q.Reviewer, ID: q.SubmissionID, FromUntil: micros(l.Until), ToUntil: micros(l.UntilAfterQuestion()),
	})
	if err == nil && n == 0 {
		err = studycircle.ErrNotLeased
	}
	return err
}

// LapseLease ends a lease whose time is over, frees its slot and reports whether there was one.
func (tx *Tx) LapseLease(ctx context.Context, userID, submissionID string, now time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.LapseLease", userID, submissionID)
	return tx.endLease(ctx, submissionID, func() (int64, error) {
		return tx.Queries.LapseLease(ctx, db.LapseLeaseParams{ReviewerID: userID, ID: submissionID, Now: micros(now)})
	})
}

// AnswerQuestion stores the answer to a question, and reports whether the question was still without one.
func (tx *Tx) AnswerQuestion(ctx context.Context, q studycircle.Question) (_ bool, err error) {
	defer tx.operation(&err, "Tx.AnswerQuestion", q.ID)
	n, err := tx.Queries.AnswerQuestion(ctx, db.AnswerQuestionParams{
		ID: q.ID, Answer: q.Answer.Text, AnswerHtml: q.Answer.HTML, AnsweredAt: optionalMicros(q.AnsweredAt),
	})
	return n > 0, err
}

// WithdrawQuestion removes a reviewer's question about a submission, unless it is answered.
func (tx *Tx) WithdrawQuestion(ctx context.Context, userID, submissionID string) (err error) {
	defer tx.operation(&err, "Tx.WithdrawQuestion", userID, submissionID)
	return tx.Queries.WithdrawQuestion(ctx, db.WithdrawQuestionParams{SubmissionID: submissionID, Reviewer: userID})
}

// TurnOn returns the outcome of a user's lease of a submission, and the time of its end.
func (r *reads) TurnOn(ctx context.Context, userID, submissionID string) (_ studycircle.Turn, _ time.Time, err error) {
	defer r.operation(&err, "reads.TurnOn", userID, submissionID)
	row, err := r.query.TurnOn(ctx, db.TurnOnParams{ReviewerID: userID, ID: submissionID})
	if isMissing(err) {
		return studycircle.NoTurn, time.Time{}, nil
	}
	return studycircle.Turn(row.Turn), instant(row.Until), err
}

func toQuestion(row db.ReviewQuestion) studycircle.Question {
	q := studycircle.Question{
		ID: row.ID, SubmissionID: row.SubmissionID, Reviewer: row.Reviewer,
		QuestionText: studycircle.QuestionText{Text: tables.Shown(row.Text), HTML: row.Html},
		AskedAt:      instant(row.AskedAt),
		Answer:       studycircle.QuestionText{Text: tables.Shown(row.Answer), HTML: row.AnswerHtml},
	}
	if row.AnsweredAt.Valid {
		q.AnsweredAt = instant(row.AnsweredAt.Int64)
	}
	if row.HiddenText.Valid {
		q.Hidden, q.HTML = studycircle.QuestionText{Text: row.HiddenText.String, HTML: row.Html}, ""
	}
	if row.HiddenAnswer.Valid {
		q.HiddenAnswer, q.Answer.HTML = studycircle.QuestionText{Text: row.HiddenAnswer.String, HTML: row.AnswerHtml}, ""
	}
	return q
}

// QuestionBy returns a reviewer's question about a submission; ErrNotFound.
func (s *Store) QuestionBy(ctx context.Context, userID, submissionID string) (_ studycircle.Question, err error) {
	defer s.operation(&err, "Store.QuestionBy", userID, submissionID)
	row, err := s.engine.Queries().QuestionBy(ctx, db.QuestionByParams{SubmissionID: submissionID, Reviewer: userID})
	return toQuestion(row), err
}

// QuestionsOn returns the questions about a submission, in an order that reveals nothing.
func (r *reads) QuestionsOn(ctx context.Context, submissionID string) (_ []studycircle.Question, err error) {
	defer r.operation(&err, "reads.QuestionsOn", submissionID)
	rows, err := r.query.QuestionsOn(ctx, submissionID)
	return toQuestions(rows), err
}

func toQuestions(rows []db.ReviewQuestion) []studycircle.Question {
	out := make([]studycircle.Question, len(rows))
	for i, row := range rows {
		out[i] = toQuestion(row)
	}
	return out
}

// WaitingQuestions returns a user's submissions about which questions wait for an answer; also those that are settled.
func (s *Store) WaitingQuestions(ctx context.Context, userID string) (_ []string, err error) {
	defer s.operation(&err, "Store.WaitingQuestions", userID)
	return s.engine.Queries().WaitingQuestions(ctx, optionalText(userID))
}

// EachQuestionBy calls f with every question that a user asked and still has, in the order of their ids.
func (s *Store) EachQuestionBy(ctx context.Context, userID string, f func(studycircle.Question) error) (err error) {
	defer s.operation(&err, "Store.EachQuestionBy", userID)
	return eachAfter(func(last db.ReviewQuestion) ([]db.ReviewQuestion, error) {
		return s.engine.Queries().QuestionsBy(ctx, db.QuestionsByParams{Reviewer: userID, After: last.ID})
	}, func(row db.ReviewQuestion) error { return f(toQuestion(row).ForReviewer()) })
}

// EachAnswerBy calls f with every question that a user answered, in the order of their ids.
func (s *Store) EachAnswerBy(ctx context.Context, userID string, f func(studycircle.Question) error) (err error) {
	defer s.operation(&err, "Store.EachAnswerBy", userID)
	return eachAfter(func(last db.ReviewQuestion) ([]db.ReviewQuestion, error) {
		return s.engine.Queries().AnswersBy(ctx, db.AnswersByParams{SubmitterID: optionalText(userID), After: last.ID})
	}, func(row db.ReviewQuestion) error { return f(toQuestion(row).ForSubmitter()) })
}
