package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// hideReview shows other words where a review's feedback stood, to its receiver and in
// what the submission keeps of all reviews. Its mark stays.
func (tx *Tx) hideReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func() (int64, error) {
		return tx.Queries.HideFeedback(ctx, db.HideFeedbackParams{ID: id, Shown: studycircle.HiddenTitle})
	})
}

// restoreReview shows a review's own words again.
func (tx *Tx) restoreReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func() (int64, error) { return tx.Queries.ShowFeedback(ctx, id) })
}

func (tx *Tx) changeFeedback(ctx context.Context, id string, change func() (int64, error)) (bool, error) {
	given, err := tx.Review(ctx, id)
	if err != nil {
		return false, err
	}
	// A settlement at the same moment would write what the feedback was before.
	r, err := tx.LockReviewing(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	n, err := change()
	if err != nil || n == 0 {
		return false, tx.Classify(err)
	}
	reviews, err := tx.Reviews(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	said := studycircle.FeedbackOf(reviews)
	if err := tx.Queries.SetFeedback(ctx, db.SetFeedbackParams{ID: given.SubmissionID, Feedback: said.Text, Html: said.HTML}); err != nil {
		return false, tx.Classify(err)
	}
	return true, tx.AnnounceReviewing(ctx, r)
}
