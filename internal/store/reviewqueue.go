package store

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// A transaction about a submission that several users review takes its rows in the
// lock order that locks.go states. One that gives out a lease or ends it begins with
// the submission's row of review_queue.

// lockReviewing returns a submission with several reviewers, and locks its review state until tx ends; ErrNotFound.
func (tx *Tx) lockReviewing(ctx context.Context, submissionID string) (studycircle.Reviewing, error) {
	if err := tx.lock(ctx, tables.ReviewStateRow, submissionID); err != nil {
		return studycircle.Reviewing{}, err
	}
	return tx.Reviewing(ctx, submissionID)
}

// Reviewing returns the state of a submission with several reviewers, or ErrNotFound.
func (tx *Tx) Reviewing(ctx context.Context, submissionID string) (_ studycircle.Reviewing, err error) {
	defer tx.operation(&err, "Tx.Reviewing", submissionID)
	return findIn(ctx, tx, tx.viewer, tables.Reviewings, tables.ReviewingByID, submissionID)
}

// updateReviewing stores the change of a submission's review state since before.
func (tx *Tx) updateReviewing(ctx context.Context, before, r studycircle.Reviewing) error {
	if before.Phase == studycircle.ReviewUnattended {
		tx.Count(tables.UnattendedScope(r.CircleID), r.Seq, -1)
	}
	if r.Phase == studycircle.ReviewUnattended {
		tx.Count(tables.UnattendedScope(r.CircleID), r.Seq, 1)
	}
	return tx.Later.UpdateReviewState(ctx, db.UpdateReviewStateParams{
		ID: r.SubmissionID, Phase: string(r.Phase), Reviews: r.Reviews, Needed: r.Needed, Wanted: r.Wanted,
		LastDay: r.LastDay, BeforeLastDay: r.BeforeLastDay, SettleAt: micros(r.SettleAt), Appeal: r.Appeal, Asked: r.Asked,
		Known: optionalNumber(r.Known),
	})
}

// announceReviewing announces a change of a submission to its submitter and creator only.
func announceReviewing(to tables.Effects, r studycircle.Reviewing, creatorID string) {
	if r.SubmitterID != "" {
		to.Announce(studycircle.Event{
			Kind: studycircle.OwnSubmission, ID: r.SubmissionID, Audience: studycircle.Audience(r.SubmitterID),
		})
	}
	tables.AnnounceResults(to, r.CircleID, r.AssignmentID, creatorID)
}

// DueReviews returns some of the submissions that are due to be settled, the earliest due first, after the first
// skip.
func (s *Store) DueReviews(ctx context.Context, now time.Time, skip int) (_ []string, err error) {
	defer s.operation(&err, "Store.DueReviews")
	return s.engine.Queries().DueReviews(ctx, db.DueReviewsParams{SettleAt: micros(now), Skip: int64(skip)})
}

// LapsedLeases returns some of the leases that have ended by time, after the first skip.
func (s *Store) LapsedLeases(ctx context.Context, now time.Time, skip int) (_ []studycircle.HeldLease, err error) {
	defer s.operation(&err, "Store.LapsedLeases")
	rows, err := s.engine.Queries().LapsedLeases(ctx, db.LapsedLeasesParams{Until: micros(now), Skip: int64(skip)})
	out := make([]studycircle.HeldLease, len(rows))
	for i, r := range rows {
		out[i] = studycircle.HeldLease{ReviewerID: r.ReviewerID, SubmissionID: r.ID}
	}
	return out, err
}

// SubmitForReview is HandIn for a submission with several reviewers. It announces that to the submitter only: the time
// at which it opens would reveal the submitter.
func (tx *Tx) SubmitForReview(
	ctx context.Context, s studycircle.Submission, a studycircle.Assignment, r studycircle.Reviewing,
) (err error) {
	defer tx.operation(&err, "Tx.SubmitForReview")
	if r.Seq, err = tx.HandIn(ctx, s, a); err != nil {
		return err
	}
	if err := tx.Queries.RequestReviews(ctx, db.RequestReviewsParams{
		UserID: s.Submitter.UserID, AssignmentID: r.AssignmentID, NextAt: micros(r.SettleAt.Add(-studycircle.SettleAfter)),
	}); err != nil {
		return err
	}
	return tx.OpenReviewing(ctx, r)
}

// OpenReviewing opens the submission r.Seq to review.
func (tx *Tx) OpenReviewing(ctx context.Context, r studycircle.Reviewing) (err error) {
	defer tx.operation(&err, "Tx.OpenReviewing")
	if err := tx.lockLabels(ctx, r.CircleID, r.AssignmentID); err != nil {
		return err
	}
	if err := tx.insertReviewing(ctx, r); err != nil {
		return err
	}
	return tx.enqueueLocked(ctx, r, math.MaxInt32)
}

func (tx *Tx) insertReviewing(ctx context.Context, r studycircle.Reviewing) error {
	label, err := tx.newLabel(ctx, r.AssignmentID)
	if err != nil {
		return err
	}
	return tx.Queries.InsertReviewState(ctx, db.InsertReviewStateParams{
		ID: r.SubmissionID, Seq: r.Seq, AssignmentID: r.AssignmentID, SubmitterID: optionalText(r.SubmitterID),
		Label: label,
		Phase: string(r.Phase), Reviews: r.Reviews, Needed: r.Needed, Wanted: r.Wanted, LastDay: r.LastDay,
		BeforeLastDay: r.BeforeLastDay, SettleAt: micros(r.SettleAt), CircleID: r.CircleID,
	})
}

// enqueue offers a submission to reviewers, unless a moderator hides its assignment: then restoring the assignment
// does. open is how far reviews may still move its mark, in millionths of the total.
func (tx *Tx) enqueue(ctx context.Context, r studycircle.Reviewing, open int64) error {
	if err := tx.lockListed(ctx, r.AssignmentID); err != nil {
		return err
	}
	return tx.enqueueLocked(ctx, r, open)
}

func (tx *Tx) enqueueLocked(ctx context.Context, r studycircle.Reviewing, open int64) error {
	entered, err := tx.Queries.NumberQueued(ctx, r.AssignmentID)
	if err != nil {
		return err
	}
	if err := tx.queue(ctx, r, -open, entered); err != nil {
		return err
	}
	return tx.listLocked(ctx, r.AssignmentID)
}

func (tx *Tx) queue(ctx context.Context, r studycircle.Reviewing, certain, entered int64) error {
	return tx.Queries.QueueReview(ctx, db.QueueReviewParams{
		ID: r.SubmissionID, Most: r.Most(), Certain: certain, Entered: entered,
	})
}

// leaveQueue removes a submission from the queue, and ends its leases.
func (tx *Tx) leaveQueue(ctx context.Context, r studycircle.Reviewing) error {
	if err := tx.unqueue(ctx, r); err != nil {
		return err
	}
	return tx.list(ctx, r.AssignmentID)
}

func (tx *Tx) unqueue(ctx context.Context, r studycircle.Reviewing) error {
	n, err := tx.Queries.UnqueueReview(ctx, r.SubmissionID)
	if err != nil || n == 0 {
		return err
	}
	return tx.Later.EndLeasesOn(ctx, r.SubmissionID)
}

// list puts an assignment on the pending list or removes it, and locks its row until tx ends: of two transactions
// that end the last two reviews, the second one sees that.
func (tx *Tx) list(ctx context.Context, assignmentID string) error {
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	return tx.listLocked(ctx, assignmentID)
}

func (tx *Tx) lockListed(ctx context.Context, assignmentID string) error {
	return tx.lock(ctx, tables.ReviewAssignmentRow, assignmentID)
}

func (tx *Tx) listLocked(ctx context.Context, assignmentID string) error {
	changed, err := tx.Queries.ListReviewAssignment(ctx, assignmentID)
	for _, row := range changed {
		n := int64(-1)
		if row.Listed {
			n = 1
		}
		tx.Count(tables.ReviewAssignmentScope(row.CircleID), row.Seq, n)
	}
	return err
}

// updateQueued stores the change that a review makes to a submission that stays in the queue, and counts the review
// for its reviewer and assignment. took reports whether the review takes a slot that was not reserved.
func (tx *Tx) updateQueued(ctx context.Context, r studycircle.Reviewing, open int64, took bool) error {
	more := int64(0)
	if took {
		more = 1
	}
	return tx.Later.UpdateQueued(ctx, db.UpdateQueuedParams{
		ID: r.SubmissionID, Wanted: r.Wanted, Certain: -open, More: more,
	})
}

// gaveReview counts one more review of a user for an assignment. It also locks the reviewed submission in the queue.
func (tx *Tx) gaveReview(ctx context.Context, userID string, r studycircle.Reviewing) error {
	err := tx.lock(ctx, tables.QueuedBy, r.SubmissionID, userID, r.AssignmentID)
	if err != nil {
		return err
	}
	return tx.Later.GaveReview(ctx, db.GaveReviewParams{SubmitterID: optionalText(userID), AssignmentID: r.AssignmentID})
}

// NextToReview returns the submissions in the queue from which one is drawn for a user: see studycircle.ChooseOffers.
// An empty assignmentID selects all of a place.
func (tx *Tx) NextToReview(
	ctx context.Context, userID, circleID, assignmentID string, now time.Time,
) (_ []studycircle.Offer, err error) {
	defer tx.operation(&err, "Tx.NextToReview", userID, assignmentID)
	ties, err := tx.ties(ctx, userID)
	if err != nil {
		return nil, err
	}
	short := &studycircle.Draw{Viewer: userID, Ties: ties, Now: now, Most: studycircle.Drawn}
	err = tx.draw(ctx, short, func(after db.NextShortRow) ([]db.NextShortRow, error) {
		return tx.nextShort(ctx, userID, circleID, assignmentID, after)
	})
	if err != nil {
		return nil, err
	}
	offers, err := studycircle.ChooseOffers(short, func() (*studycircle.Draw, error) {
		wide := &studycircle.Draw{Viewer: userID, Ties: ties, Now: now, Most: 1}
		return wide, tx.draw(ctx, wide, func(after db.NextShortRow) ([]db.NextShortRow, error) {
			return tx.nextWide(ctx, userID, circleID, assignmentID, after)
		})
	})
	return offers, err
}

// draw reads a queue in windows as far as d needs it.
func (tx *Tx) draw(
	ctx context.Context, d *studycircle.Draw, window func(after db.NextShortRow) ([]db.NextShortRow, error),
) error {
	last := db.NextShortRow{Attempt: -1, Certain: math.MinInt64}
	for {
		rows, err := window(last)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, q := range rows {
			last = q
			if err := tx.learnClass(ctx, d.Viewer, d.Ties, q.AssignmentID); err != nil {
				return err
			}
			more := d.Add(studycircle.Offer{
				SubmissionID: q.ID, AssignmentID: q.AssignmentID, SubmitterID: q.Submitter, CreatorID: q.Creator,
				Turn: studycircle.Turn(q.Turn), Attempt: q.Attempt, Filled: q.Filled,
			})
			if !more {
				return nil
			}
		}
	}
}

func (tx *Tx) nextShort(
	ctx context.Context, userID, circleID, assignmentID string, after db.NextShortRow,
) (rows []db.NextShortRow, err error) {
	if assignmentID == "" {
		return tx.Queries.NextShort(ctx, db.NextShortParams{
			CircleID: circleID, Attempt: after.Attempt, Filled: after.Filled, Ungiven: after.Ungiven, Seq: after.Seq,
			Viewer: userID,
		})
	}
	found, err := tx.Queries.NextShortOf(ctx, db.NextShortOfParams{
		AssignmentID: assignmentID, Attempt: after.Attempt, Filled: after.Filled, Ungiven: after.Ungiven, Seq: after.Seq,
		Viewer: userID,
	})
	for _, row := range found {
		rows = append(rows, db.NextShortRow(row))
	}
	return rows, err
}

func (tx *Tx) nextWide(
	ctx context.Context, userID, circleID, assignmentID string, after db.NextShortRow,
) (rows []db.NextShortRow, err error) {
	if assignmentID == "" {
		found, err := tx.Queries.NextWide(ctx, db.NextWideParams{
			CircleID: circleID, Certain: after.Certain, Seq: after.Seq, Viewer: userID,
		})
		for _, row := range found {
			rows = append(rows, db.NextShortRow(row))
		}
		return rows, err
	}
	found, err := tx.Queries.NextWideOf(ctx, db.NextWideOfParams{
		AssignmentID: assignmentID, Certain: after.Certain, Seq: after.Seq, Viewer: userID,
	})
	for _, row := range found {
		rows = append(rows, db.NextShortRow(row))
	}
	return rows, err
}

// discard takes a submission that is about to be withdrawn or sent back out of the queue and the grade model, ends its
// leases, and returns its review state, and the number of its reviews. Reviews stay with their reviewers. The caller
// passes the assignment to list.
func (tx *Tx) discard(ctx context.Context, submissionID string) (r studycircle.Reviewing, given int, err error) {
	if r, err = tx.lockReviewing(ctx, submissionID); err != nil {
		return r, 0, err
	}
	if err := tx.unqueue(ctx, r); err != nil {
		return r, 0, err
	}
	if err := tx.lockGiven(ctx, submissionID); err != nil {
		return r, 0, err
	}
	if r.Phase == studycircle.ReviewUnattended {
		tx.Count(tables.UnattendedScope(r.CircleID), r.Seq, -1)
	}
	reviews, err := tx.reviews(ctx, submissionID)
	if err != nil || len(reviews) == 0 {
		return r, 0, err
	}
	sub, err := tx.Submission(ctx, submissionID)
	if err != nil {
		return r, 0, err
	}
	if err := tx.changeTotals(ctx, r, r.LastDay, sub.Marks, reviews, nil); err != nil {
		return r, 0, err
	}
	return r, len(reviews), errors.Join(
		tx.Later.ForgetParts(ctx, submissionID),
		tx.Queries.KeepLabel(ctx, db.KeepLabelParams{ID: submissionID, PastLabel: r.Label}),
		tx.Queries.DeleteReviewState(ctx, submissionID),
	)
}

// lockGiven locks the turns and reviews of a submission that is deleted.
func (tx *Tx) lockGiven(ctx context.Context, submissionID string) error {
	if err := tx.lock(ctx, tables.TurnsOn, submissionID); err != nil {
		return err
	}
	return tx.lock(ctx, tables.ReviewsOf, submissionID)
}

// DiscardReviewing ends the reviewing of a submission, before it is withdrawn or sent back, and reports whether it has
// reviews, for which the submission stays.
func (tx *Tx) DiscardReviewing(ctx context.Context, submissionID string) (reviewed bool, err error) {
	defer tx.operation(&err, "Tx.DiscardReviewing", submissionID)
	if err := tx.share(ctx, tables.AssignmentOfSubmission, submissionID); err != nil {
		return false, err
	}
	r, given, err := tx.discard(ctx, submissionID)
	if err != nil {
		return false, err
	}
	return given > 0, tx.discarded(ctx, r.AssignmentID)
}

// discarded is list for an assignment that a submission was discarded of: its submitters may be too few now.
func (tx *Tx) discarded(ctx context.Context, assignmentID string) error {
	if err := tx.list(ctx, assignmentID); err != nil {
		return err
	}
	return tx.PlanShortage(ctx, assignmentID, shortNow)
}

// EndReviewing is DiscardReviewing for a submission that stays, reviewed or not.
func (tx *Tx) EndReviewing(ctx context.Context, submissionID string) (err error) {
	defer tx.operation(&err, "Tx.EndReviewing", submissionID)
	reviewed, err := tx.DiscardReviewing(ctx, submissionID)
	if err != nil || reviewed {
		return err
	}
	return tx.Queries.DeleteReviewState(ctx, submissionID)
}

// CouldNotOpen reports whether a user has reported a submission, and the server has not opened its link either.
func (tx *Tx) CouldNotOpen(ctx context.Context, userID, submissionID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.CouldNotOpen", submissionID)
	return tx.Queries.CouldNotOpen(ctx, db.CouldNotOpenParams{
		Kind: string(studycircle.OfSubmission), SubjectID: submissionID, ReporterID: optionalText(userID),
		Opens: string(studycircle.LinkReachable),
	})
}

// discardAllOf discards a user's submissions under review, after lockDeletion, and returns their assignments, sorted.
func (tx *Tx) discardAllOf(ctx context.Context, userID string) (assignments []string, err error) {
	ids, err := tx.Queries.WithdrawableReviewsOf(ctx, optionalText(userID))
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		of, _, err := tx.discard(ctx, id)
		if err != nil {
			return nil, err
		}
		assignments = append(assignments, of.AssignmentID)
	}
	leased, err := tx.Queries.LeasesOf(ctx, userID)
	for _, id := range leased {
		_, ended := tx.EndLease(ctx, userID, id, studycircle.TurnReturned)
		err = errors.Join(err, ended)
	}
	slices.Sort(assignments)
	return assignments, err
}
