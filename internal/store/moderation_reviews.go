package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// hideReview replaces a review's feedback, for its receiver and in the submission's stored feedback, and its reviewer's
// question. Its mark stays.
func (tx *Tx) hideReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func(of studycircle.Review) (int64, error) {
		n, err := tx.Queries.HideFeedback(ctx, db.HideFeedbackParams{ID: id, Shown: tables.Stored(studycircle.HiddenTitle)})
		if err != nil || n == 0 {
			return n, err
		}
		return n, tx.Queries.HideQuestion(ctx, db.HideQuestionParams{
			SubmissionID: of.SubmissionID, Reviewer: of.Reviewer, Shown: tables.Stored(studycircle.HiddenTitle),
		})
	})
}

// restoreReview restores a review's feedback and its reviewer's question.
func (tx *Tx) restoreReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func(of studycircle.Review) (int64, error) {
		n, err := tx.Queries.ShowFeedback(ctx, id)
		if err != nil || n == 0 {
			return n, err
		}
		return n, tx.Queries.ShowQuestion(ctx, db.ShowQuestionParams{SubmissionID: of.SubmissionID, Reviewer: of.Reviewer})
	})
}

// changeFeedback lets change hide or show a review. It locks the state of the submission's reviews first.
func (tx *Tx) changeFeedback(
	ctx context.Context, id string, change func(studycircle.Review) (int64, error),
) (bool, error) {
	given, err := tx.Review(ctx, id)
	if err != nil {
		return false, err
	}
	// A concurrent settlement would store the feedback of before.
	r, err := tx.lockReviewing(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	n, err := change(given)
	if err != nil || n == 0 {
		return false, err
	}
	reviews, err := tx.reviews(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	said := studycircle.FeedbackOf(reviews)
	if err := tx.Queries.SetFeedback(ctx, db.SetFeedbackParams{
		ID: given.SubmissionID, Feedback: tables.Stored(said.Text), Html: tables.Stored(said.HTML),
	}); err != nil {
		return false, err
	}
	of, err := tables.FindBasis(ctx, tx.Tx, r.AssignmentID)
	announceReviewing(tx, r, of.CreatorID)
	return true, err
}

// hideAnswers replaces the answers to questions about a submission.
func (tx *Tx) hideAnswers(ctx context.Context, submissionID string) (bool, error) {
	return tx.changeAnswers(ctx, submissionID, func() ([]string, error) {
		return tx.Queries.HideAnswers(ctx, db.HideAnswersParams{
			SubmissionID: submissionID, Shown: tables.Stored(studycircle.HiddenTitle),
		})
	})
}

// restoreAnswers restores the answers to questions about a submission.
func (tx *Tx) restoreAnswers(ctx context.Context, submissionID string) (bool, error) {
	return tx.changeAnswers(
		ctx, submissionID, func() ([]string, error) { return tx.Queries.ShowAnswers(ctx, submissionID) },
	)
}

// changeAnswers lets change hide or show answers. change returns the reviewers who read them. Submissions without
// several reviewers, and exemplars, have no answers.
func (tx *Tx) changeAnswers(ctx context.Context, submissionID string, change func() ([]string, error)) (bool, error) {
	r, err := tx.lockReviewing(ctx, submissionID)
	if isMissing(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	reviewers, err := change()
	if err != nil || len(reviewers) == 0 {
		return false, err
	}
	for _, id := range reviewers {
		tx.Announce(studycircle.Event{
			Kind: studycircle.QuestionAnswered, ID: submissionID, Audience: studycircle.Audience(id).In(r.CircleID),
		})
	}
	of, err := tables.FindBasis(ctx, tx.Tx, r.AssignmentID)
	announceReviewing(tx, r, of.CreatorID)
	return true, err
}

// unqueueAll removes the submissions of a hidden assignment, after sealWork, from the queue, ends their leases, and
// remembers the queue.
func (tx *Tx) unqueueAll(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Queries.RememberQueue(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Queries.UnqueueReviewsOf(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Queries.EndLeasesUnder(ctx, assignmentID); err != nil {
		return err
	}
	return tx.listLocked(ctx, assignmentID)
}

// requeueAll queues again the open submissions of an assignment that was hidden.
func (tx *Tx) requeueAll(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	open, err := tx.Queries.RememberedQueue(ctx, assignmentID)
	if err != nil {
		return err
	}
	for _, s := range open {
		r := studycircle.Reviewing{
			SubmissionID: s.ID, Seq: s.Seq, AssignmentID: assignmentID, CircleID: s.CircleID, Reviews: s.Reviews,
			Needed: s.Needed, Wanted: s.Wanted,
		}
		// A submission outside the queue was appealed against or reopened meanwhile: how far its mark may move is
		// unknown.
		if err := tx.queue(ctx, r, s.HiddenCertain.Int64, 0); err != nil {
			return err
		}
	}
	return tx.listLocked(ctx, assignmentID)
}
