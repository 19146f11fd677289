package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// Lease returns a user's lease, or ErrNotFound.
func (tx *Tx) Lease(ctx context.Context, userID string) (_ studycircle.Lease, err error) {
	defer tx.operation(&err, "Tx.Lease", userID)
	row, err := tx.Queries.GetLease(ctx, userID)
	return studycircle.Lease{SubmissionID: row.ID, Until: instant(row.Until)}, err
}

// ReservedReview returns the submission that v has leased at this time; ErrNotFound.
func (s *Store) ReservedReview(
	ctx context.Context, v studycircle.Viewer, now time.Time,
) (_ studycircle.ReservedReview, err error) {
	defer s.operation(&err, "Store.ReservedReview")
	row, err := s.engine.Queries().ReservedReview(ctx, db.ReservedReviewParams{ReviewerID: v.UserID(), Now: micros(now)})
	return studycircle.ReservedReview{
		Lease: studycircle.Lease{SubmissionID: row.ID, Until: instant(row.Until)}, CircleID: row.CircleID,
		AssignmentID:    row.AssignmentID,
		AssignmentTitle: tables.Shown(row.AssignmentTitle),
	}, err
}

// TakeLease leases an offered submission, and reports whether it could: it fails if the submission has changed since,
// or would now make a worse trade possible. ErrAskedTwice if the user holds another lease.
func (tx *Tx) TakeLease(ctx context.Context, userID string, o studycircle.Offer, until time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.TakeLease", userID)
	fair, err := tx.fair(ctx, userID, o, until.Add(-studycircle.LeaseTime))
	if err != nil || !fair {
		return false, err
	}
	n, err := tx.Queries.FillPlace(ctx, db.FillPlaceParams{ID: o.SubmissionID, Filled: o.Filled})
	if err != nil || n == 0 {
		return false, err
	}
	n, err = tx.Queries.InsertLease(ctx, db.InsertLeaseParams{
		ReviewerID: userID, ID: o.SubmissionID, Until: micros(until),
	})
	if err == nil && n == 0 {
		return false, studycircle.ErrAskedTwice
	}
	return n == 1, tx.orGone(err)
}

// EndLease ends a lease with a turn, frees its slot and reports whether there was one.
func (tx *Tx) EndLease(ctx context.Context, userID, submissionID string, turn studycircle.Turn) (_ bool, err error) {
	defer tx.operation(&err, "Tx.EndLease", userID, submissionID)
	return tx.endLease(ctx, submissionID, func() (int64, error) {
		return tx.Queries.EndLease(ctx, db.EndLeaseParams{ReviewerID: userID, ID: submissionID, Turn: string(turn)})
	})
}

// endLease runs end, which ends a lease if there is one, and frees its slot.
func (tx *Tx) endLease(ctx context.Context, submissionID string, end func() (int64, error)) (bool, error) {
	if err := tx.lock(ctx, tables.QueueRow, submissionID); err != nil {
		return false, err
	}
	n, err := end()
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.Queries.FreePlace(ctx, submissionID)
}
