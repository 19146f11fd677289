package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
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

// lockReviews takes all that is reviewed of an assignment, in the order in which those
// who review take it.
func (tx *Tx) lockReviews(ctx context.Context, assignmentID string) error {
	for _, table := range []string{"review_states", "review_queue"} {
		if err := tx.Engine.LockRows(ctx, tx.Tx, table, "assignment_id = $1", assignmentID); err != nil {
			return tx.Classify(err)
		}
	}
	return nil
}

// unqueueAll offers nothing of a hidden assignment to reviewers, ends all leases of it,
// and remembers the queue. It holds the row that lists the assignment: what is being
// handed in is in the queue by then, or sees that it is hidden.
func (tx *Tx) unqueueAll(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
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

// requeueAll offers again what is open to review of an assignment that was hidden.
func (tx *Tx) requeueAll(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	open, err := tx.Queries.RememberedQueue(ctx, assignmentID)
	if err != nil {
		return tx.Classify(err)
	}
	for _, s := range open {
		r := studycircle.Reviewing{SubmissionID: s.ID, Seq: s.Seq, AssignmentID: assignmentID, Reviews: s.Reviews, Needed: s.Needed, Wanted: s.Wanted}
		// What was not in the queue came under appeal, or was reopened, meanwhile: nobody
		// knows yet how far its mark may move.
		if err := tx.queue(ctx, r, s.HiddenCertain.Int64); err != nil {
			return err
		}
	}
	return tx.listLocked(ctx, assignmentID)
}
