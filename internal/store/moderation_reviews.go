package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// hideReview replaces a review's feedback, for its receiver and in the submission's stored feedback. Its mark stays.
func (tx *Tx) hideReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func() (int64, error) {
		return tx.Queries.HideFeedback(ctx, db.HideFeedbackParams{ID: id, Shown: studycircle.HiddenTitle})
	})
}

// restoreReview restores a review's feedback.
func (tx *Tx) restoreReview(ctx context.Context, id string) (bool, error) {
	return tx.changeFeedback(ctx, id, func() (int64, error) { return tx.Queries.ShowFeedback(ctx, id) })
}

func (tx *Tx) changeFeedback(ctx context.Context, id string, change func() (int64, error)) (bool, error) {
	given, err := tx.Review(ctx, id)
	if err != nil {
		return false, err
	}
	// A concurrent settlement would store the feedback of before.
	r, err := tx.lockReviewing(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	n, err := change()
	if err != nil || n == 0 {
		return false, tx.Classify(err)
	}
	reviews, err := tx.reviews(ctx, given.SubmissionID)
	if err != nil {
		return false, err
	}
	said := studycircle.FeedbackOf(reviews)
	if err := tx.Queries.SetFeedback(ctx, db.SetFeedbackParams{ID: given.SubmissionID, Feedback: said.Text, Html: said.HTML}); err != nil {
		return false, tx.Classify(err)
	}
	of, err := tables.FindBasis(ctx, tx.Tx, r.AssignmentID)
	announceReviewing(tx, r, of.CreatorID)
	return true, tx.Classify(err)
}

// lockReviews locks the reviews for an assignment, in the order in which reviewing locks them.
func (tx *Tx) lockReviews(ctx context.Context, assignmentID string) error {
	if err := tx.lock(ctx, tables.ReviewStatesFor, assignmentID); err != nil {
		return err
	}
	return tx.lock(ctx, tables.QueueFor, assignmentID)
}

// unqueueAll removes the submissions of a hidden assignment from the queue, ends their leases, and remembers the
// queue. It holds the row that lists the assignment: a concurrent submission is either in the queue by then, or sees
// that the assignment is hidden.
func (tx *Tx) unqueueAll(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.ReviewStatesFor, assignmentID); err != nil { // in the order of ids, as leases do
		return err
	}
	if err := tx.Queries.RememberQueue(ctx, assignmentID); err != nil {
		return tx.Classify(err)
	}
	if err := tx.Queries.UnqueueReviewsOf(ctx, assignmentID); err != nil {
		return tx.Classify(err)
	}
	if err := tx.Queries.EndLeasesUnder(ctx, assignmentID); err != nil {
		return tx.Classify(err)
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
		return tx.Classify(err)
	}
	for _, s := range open {
		r := studycircle.Reviewing{SubmissionID: s.ID, Seq: s.Seq, AssignmentID: assignmentID, CircleID: s.CircleID, Reviews: s.Reviews, Needed: s.Needed, Wanted: s.Wanted}
		// A submission outside the queue was appealed against or reopened meanwhile: how far its mark may move is
		// unknown.
		if err := tx.queue(ctx, r, s.HiddenCertain.Int64); err != nil {
			return err
		}
	}
	return tx.listLocked(ctx, assignmentID)
}
