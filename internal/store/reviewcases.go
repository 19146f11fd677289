package store

import (
	"context"
	"slices"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// LoadReviewCase returns the case of a submission or an exemplar, for a viewer, "" for none. Until tx ends it shares
// the viewer's account and membership, the circle and the assignment, and locks what guards the mark: the state of the
// reviews, or the submission if a single grade is its mark. ErrNotFound.
func (tx *Tx) LoadReviewCase(ctx context.Context, id, viewerID string) (c studycircle.ReviewCase, err error) {
	defer tx.operation(&err, "Tx.LoadReviewCase", id, viewerID)
	if err := tx.holdCase(ctx, id, viewerID); err != nil {
		return c, err
	}
	row, err := findIn(ctx, tx, tx.viewer, tables.Submissions, tables.SubmissionByID, id)
	if err != nil {
		return c, err
	}
	c.Submission, c.Seq, c.No = row.Submission, row.Seq, row.No
	if row.AssignmentID != "" {
		if err := tx.loadAssignment(ctx, &c); err != nil {
			return c, err
		}
	}
	if row.Grade != nil {
		c.SettledAt = row.Grade.MarkedAt
	}
	if row.Reviews == 0 { // it has neither reviews nor settlements
		return c, nil
	}
	facts, err := tx.Queries.ReviewFacts(ctx, db.ReviewFactsParams{ID: id, ReviewerID: viewerID})
	if err != nil {
		return c, err
	}
	c.Turn, c.Room, c.Leases = studycircle.Turn(facts.Turn), facts.Slots > 0, facts.Leases
	if row.Grade != nil && facts.SettledAt != 0 {
		c.SettledAt = instant(facts.SettledAt)
	}
	if row.Status != studycircle.Sample {
		if c.Reviewing, err = tx.Reviewing(ctx, id); err != nil {
			return c, err
		}
	}
	c.Reviews, err = tx.reviews(ctx, id)
	return c, err
}

func (tx *Tx) holdCase(ctx context.Context, id, viewerID string) error {
	if viewerID != "" {
		if err := tx.share(ctx, tables.UserRow, viewerID); err != nil {
			return err
		}
		if err := tx.Engine.Ask(ctx, tx.Tx, &tables.Standing{}, tables.HeldAtSubmission, id, viewerID); err != nil {
			return err
		}
	}
	if err := tx.share(ctx, tables.AssignmentOfSubmission, id); err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.ReviewStateRow, id); err != nil {
		return err
	}
	return tx.lock(ctx, tables.SingleGradeRow, id)
}

func (tx *Tx) loadAssignment(ctx context.Context, c *studycircle.ReviewCase) (err error) {
	c.Assignment, err = tx.AssignmentAs(ctx, studycircle.Live(), c.Submission.AssignmentID)
	if c.Live = err == nil; isMissing(err) {
		c.Assignment, err = tx.AnyAssignment(ctx, c.Submission.AssignmentID)
	}
	return err
}

// CountFreeReviewers returns how many members of the submission's circle may review it and have not had it,
// studycircle.AppealReviews at most; as many in the hall, where all users may.
func (tx *Tx) CountFreeReviewers(ctx context.Context, c studycircle.ReviewCase) (n int64, err error) {
	defer tx.operation(&err, "Tx.CountFreeReviewers")
	sub := c.Submission
	if sub.CircleID == studycircle.Hall {
		return studycircle.AppealReviews, nil
	}
	var grader string
	if sub.Grade != nil {
		grader = sub.Grade.GraderID
	}
	return tx.Queries.CountFreeReviewers(ctx, db.CountFreeReviewersParams{
		ID: sub.ID, CircleID: sub.CircleID, SubmitterID: sub.Submitter.UserID,
		CreatorID: c.Assignment.Creator.UserID, GraderID: grader, Most: studycircle.AppealReviews,
	})
}

// ReviewersLeft returns how many members of a submission's circle may review it beyond the reviews that it shows,
// studycircle.AppealReviews at most; as many in the hall. It does not depend on who has reviewed: a creator who changes
// roles learns nothing from it. a is the submission's assignment.
func (s *Store) ReviewersLeft(
	ctx context.Context, sub studycircle.Submission, a studycircle.Assignment,
) (n int64, err error) {
	defer s.operation(&err, "Store.ReviewersLeft", sub.ID)
	if sub.CircleID == studycircle.Hall {
		return studycircle.AppealReviews, nil
	}
	var reviews int64
	switch {
	case sub.Progress != nil:
		reviews = sub.Progress.Reviews
	case sub.Grade != nil:
		reviews = 1
	}
	n, err = s.engine.Queries().CountReviewersIn(ctx, db.CountReviewersInParams{
		CircleID: sub.CircleID, SubmitterID: sub.Submitter.UserID, CreatorID: a.Creator.UserID,
		Most: int32(reviews) + studycircle.AppealReviews,
	})
	return max(0, n-reviews), err
}

// SaveReviewCase stores the decision on a case. parts, if given, are the parts of the grade model from the case's
// reviews, in their order.
func (tx *Tx) SaveReviewCase(ctx context.Context, c studycircle.ReviewCase, parts []grademodel.Part) (err error) {
	defer tx.operation(&err, "Tx.SaveReviewCase")
	d := c.Decided
	for _, step := range []func(context.Context, studycircle.ReviewCase) error{
		tx.saveGraded, tx.saveGiven, tx.saveCorrected,
	} {
		if err := step(ctx, c); err != nil {
			return err
		}
	}
	if c.BecameKnown() {
		if err := tx.changeTotals(
			ctx, c.Reviewing, studycircle.Day(d.Settlement.At), c.Submission.Marks, c.Reviews, nil,
		); err != nil {
			return err
		}
	}
	if err := tx.PutParts(ctx, c.Reviews, parts); err != nil {
		return err
	}
	if parts == nil {
		for _, r := range d.Labeled {
			if err := tx.labelReview(ctx, r); err != nil {
				return err
			}
		}
	}
	tx.Notify(d.Notices...)
	if d.Queue == studycircle.QueueEnteredAgain { // its place in the queue has not changed
		if err := tx.leaveQueue(ctx, d.Before); err != nil {
			return err
		}
	}
	if d.Queue == studycircle.QueueUpdated {
		if err := tx.updateQueued(ctx, c.Reviewing, d.Open, d.Took); err != nil {
			return err
		}
	}
	if d.Before != c.Reviewing {
		if err := tx.updateReviewing(ctx, d.Before, c.Reviewing); err != nil {
			return err
		}
	}
	if d.Reopening != nil {
		err := tx.Later.InsertReopening(ctx, db.InsertReopeningParams{
			SubmissionID: c.Submission.ID, At: micros(d.Reopening.At), Phase: string(d.Reopening.Phase),
			Words: d.Reopening.Words,
		})
		if err != nil {
			return err
		}
	}
	if !d.AskedAt.IsZero() {
		if err := tx.Later.AskedToDecide(ctx, db.AskedToDecideParams{
			SubmissionID: c.Submission.ID, AskedAt: micros(d.AskedAt),
		}); err != nil {
			return err
		}
	}
	if d.Settlement != nil {
		if err := tx.settle(ctx, c, *d.Settlement); err != nil {
			return err
		}
	}
	return tx.saveQueued(ctx, c)
}

// saveGraded turns a graded submission into one with several reviewers: its grade is the first review and the first
// settlement.
func (tx *Tx) saveGraded(ctx context.Context, c studycircle.ReviewCase) error {
	if c.Decided.Graded == nil {
		return nil
	}
	r, first := c.Decided.Before, c.Reviews[0]
	// The labels are not locked: the rows that follow come before them in the order of locks. Of two submissions that
	// are appealed at once both may get the same label.
	if err := tx.Queries.InsertReviewAssignment(ctx, db.InsertReviewAssignmentParams{
		ID: r.AssignmentID, CircleID: r.CircleID,
	}); err != nil {
		return err
	}
	if err := tx.insertReviewing(ctx, r); err != nil {
		return err
	}
	if err := tx.Queries.NeedReviews(ctx, db.NeedReviewsParams{ID: r.SubmissionID, ReviewsNeeded: r.Needed}); err != nil {
		return err
	}
	var err error
	if c.Submission.Grade.GraderID == "" { // the account is deleted
		err = tx.insertReview(ctx, &first, r, false)
	} else {
		first, err = tx.insertGiven(ctx, first, r)
	}
	if err != nil {
		return err
	}
	if err := tx.labelReview(ctx, first); err != nil {
		return err
	}
	if err := tx.changeTotals(ctx, r, r.LastDay, c.Submission.Marks, nil, []studycircle.Review{first}); err != nil {
		return err
	}
	return tx.insertSettlement(ctx, r.SubmissionID, *c.Decided.Graded)
}

// saveGiven stores the review that has arrived.
func (tx *Tx) saveGiven(ctx context.Context, c studycircle.ReviewCase) error {
	given := c.Decided.Given
	if given == nil {
		return nil
	}
	if err := tx.gaveReview(ctx, given.Reviewer, c.Reviewing); err != nil {
		return err
	}
	if _, err := tx.insertGiven(ctx, *given, c.Reviewing); err != nil {
		return err
	}
	if c.Reviewing.Known != nil { // known work makes no part of the scale
		return nil
	}
	before := slices.DeleteFunc(slices.Clone(c.Reviews), func(r studycircle.Review) bool { return r.ID == given.ID })
	return tx.changeTotals(ctx, c.Reviewing, studycircle.Day(given.GivenAt), c.Submission.Marks, before, c.Reviews)
}

// saveQueued stores the change of the submission in the queue.
func (tx *Tx) saveQueued(ctx context.Context, c studycircle.ReviewCase) error {
	var err error
	switch c.Decided.Queue {
	case studycircle.QueueLeft:
		err = tx.leaveQueue(ctx, c.Reviewing)
	case studycircle.QueueEntered, studycircle.QueueEnteredAgain:
		err = tx.enqueue(ctx, c.Reviewing, 0)
	case studycircle.QueueKept, studycircle.QueueUpdated:
	}
	if given := c.Decided.Given; err == nil && given != nil {
		err = tx.Later.HasMoreWork(ctx, db.HasMoreWorkParams{UserID: given.Reviewer, AssignmentID: c.Reviewing.AssignmentID})
	}
	if err == nil && c.Decided.Announce {
		announceReviewing(tx, c.Reviewing, c.Assignment.Creator.UserID)
	}
	return err
}

// labelReview stores the letter of a review.
func (tx *Tx) labelReview(ctx context.Context, r studycircle.Review) error {
	return tx.Later.LabelReview(ctx, db.LabelReviewParams{ID: r.ID, Label: r.Label})
}
