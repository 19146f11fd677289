package service

import (
	"context"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// questionLimit bounds questions and answers together.
var questionLimit = limit.Window{
	Name: "question", Max: 60, Per: time.Hour,
	Message: "You have asked and answered a lot within the hour. Please try again in %s.",
}

func rendered(in studycircle.QuestionText) (studycircle.QuestionText, error) {
	in, err := in.Clean()
	if err == nil {
		in.HTML = markdown.Render(in.Text, feedbackHeadings).HTML
	}
	return in, err
}

// askerFacts returns the facts that MayAskSubmitter decides by. For an exemplar they are those of any other submission.
func askerFacts(c studycircle.ReviewCase, until time.Time, asked bool) studycircle.AskerFacts {
	f := studycircle.AskerFacts{ReviewerFacts: c.Facts(), LeasedUntil: until, Asked: asked}
	if !c.Reviewed() {
		f.SubmitterID, f.CircleID, f.Phase = c.Submission.Submitter.UserID, c.Submission.CircleID, studycircle.ReviewOpen
		if c.Submission.Status == studycircle.Completed {
			f.Phase = studycircle.ReviewSettled
		}
	}
	return f
}

// AskSubmitter asks the submitter of a submission that viewer has leased a question. CodeInvalid, ErrNotFound,
// CodeRateLimited and the errors of MayAskSubmitter.
func (s *Service) AskSubmitter(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.QuestionText,
) error {
	in, err := rendered(in)
	if err != nil {
		return err
	}
	q := studycircle.Question{
		ID: studycircle.NewBlindID(), SubmissionID: id, Reviewer: viewer.ID, QuestionText: in, AskedAt: s.clock(),
	}
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, place, err := caseIn(ctx, tx, id, viewer.ID)
		if err != nil {
			return err
		}
		_, until, err := tx.TurnOn(ctx, viewer.ID, id)
		if err != nil {
			return err
		}
		// Ask finds out whether viewer has asked.
		if err := studycircle.MayAskSubmitter(viewer.ID, place, askerFacts(c, until, false), q.AskedAt); err != nil {
			return err
		}
		if err := tx.Ask(ctx, q, c.Submission.Submitter.UserID, studycircle.Lease{
			SubmissionID: id, Until: until,
		}); err != nil {
			return err
		}
		tx.Notify(studycircle.AskedNotice(c.Submission, q.AskedAt))
		if to := c.Submission.Submitter.UserID; to != "" {
			tx.Announce(studycircle.Event{Kind: studycircle.OwnSubmission, ID: id, Audience: studycircle.Audience(to)})
		}
		return s.use(ctx, tx, limit.Use{Window: questionLimit, Subject: viewer.ID, At: q.AskedAt})
	})
}

// AnswerReviewer answers a question about viewer's submission: the one with questionID, or for "" the one asked first
// of those that wait. CodeInvalid, ErrNotFound, CodeAlreadyAnswered, CodeRateLimited and the errors of MayAnswer.
func (s *Service) AnswerReviewer(
	ctx context.Context, viewer studycircle.User, id, questionID string, in studycircle.QuestionText,
) error {
	in, err := rendered(in)
	if err != nil {
		return err
	}
	now := s.clock()
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, place, err := caseIn(ctx, tx, id, "")
		if err != nil {
			return err
		}
		if err := studycircle.MayAnswer(viewer.ID, place, c.Submission, c.Reviewing); err != nil {
			return err
		}
		all, err := tx.QuestionsOn(ctx, id)
		if err != nil {
			return err
		}
		q, err := studycircle.QuestionToAnswer(all, questionID)
		if err != nil {
			return err
		}
		if err := s.use(ctx, tx, limit.Use{Window: questionLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
		q.Answer, q.AnsweredAt = in, now
		waited, err := tx.AnswerQuestion(ctx, q)
		if err == nil && !waited { // withdrawn: other answers wait for this case
			err = studycircle.ErrNotFound
		}
		if err != nil {
			return err
		}
		turn, _, err := tx.TurnOn(ctx, q.Reviewer, id)
		if notice := studycircle.AnsweredNotice(q, turn, c.Submission); err == nil && notice.Wanted() {
			tx.Notify(notice)
			tx.Announce(studycircle.Event{
				Kind: studycircle.QuestionAnswered, ID: id, Audience: studycircle.Audience(q.Reviewer).In(c.Submission.CircleID),
			})
		}
		return err
	})
}

// OwnQuestion is a reviewer's question about a submission.
type OwnQuestion struct {
	Asked  *studycircle.Question // nil for none
	MayAsk bool
}

// QuestionOf returns viewer's question about a submission that they review. ErrNotFound.
func (s *Service) QuestionOf(ctx context.Context, viewer studycircle.User, id string) (out OwnQuestion, err error) {
	c := studycircle.ReviewCase{}
	if c.Submission, err = s.submission(ctx, s.as(viewer), id); err != nil {
		return out, err
	}
	var until time.Time
	if c.Turn, until, err = s.store.TurnOn(ctx, viewer.ID, id); err != nil {
		return out, err
	}
	if err := studycircle.MayReadQuestion(c.Turn); err != nil {
		return out, err
	}
	if c.Reviewing, err = s.store.Reviewing(ctx, s.as(viewer), id); studycircle.CodeOf(err) == studycircle.CodeNotFound {
		err = nil // an exemplar
	}
	if err != nil {
		return out, err
	}
	q, err := s.store.QuestionBy(ctx, viewer.ID, id)
	switch {
	case err == nil:
		q = q.ForReviewer()
		out.Asked = &q
	case studycircle.CodeOf(err) != studycircle.CodeNotFound:
		return out, err
	}
	in, err := s.circleOf(ctx, viewer, c.Submission.CircleID)
	out.MayAsk = studycircle.MayAskSubmitter(viewer.ID, in, askerFacts(c, until, out.Asked != nil), s.clock()) == nil
	return out, err
}

// asked reports of which submissions of viewer a question waits for an answer, by their ids.
func (s *Service) asked(
	ctx context.Context, viewer studycircle.User, subs []studycircle.Submission,
) (map[string]bool, error) {
	out := map[string]bool{}
	open := slices.ContainsFunc(subs, func(sub studycircle.Submission) bool {
		return sub.Reviewing != nil && sub.Reviewing.Phase.TakesReviews()
	})
	if !open {
		return out, nil
	}
	ids, err := s.store.WaitingQuestions(ctx, viewer.ID)
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

// questionsOn returns the questions about a submission, to its submitter if mine is true.
func (s *Service) questionsOn(ctx context.Context, id string, mine bool) ([]studycircle.Question, error) {
	found, err := s.store.QuestionsOn(ctx, id)
	for i, q := range found {
		if mine {
			found[i] = q.ForSubmitter()
		}
	}
	return found, err
}

func byReviewer(all []studycircle.Question) map[string]studycircle.Question {
	out := make(map[string]studycircle.Question, len(all))
	for _, q := range all {
		out[q.Reviewer] = q
	}
	return out
}
