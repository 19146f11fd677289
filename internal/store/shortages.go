package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// A check of an assignment's shortage is a row of review_assignments with the time from which it is due. Submitters and
// dates are read at the check, so that a change of them only has to make it due.

// shortNow is the time of a check that is due at once.
var shortNow = time.UnixMicro(0)

// ShortageFacts are what the warning of a studycircle.Shortage depends on.
type ShortageFacts struct {
	Open       bool  // there is work to review
	Submitters int64 // counted as far as studycircle.TooFew needs
	Warned     bool
}

// LockShortage returns what the warning to an assignment's creator depends on, and keeps others from warning until tx
// ends; zero if no submission was ever open to review.
func (tx *Tx) LockShortage(ctx context.Context, a studycircle.Assignment) (_ ShortageFacts, err error) {
	defer tx.operation(&err, "Tx.LockShortage", a.ID)
	if err := tx.lockListed(ctx, a.ID); err != nil {
		return ShortageFacts{}, err
	}
	row, err := tx.Queries.ShortageFacts(ctx, db.ShortageFactsParams{
		ID: a.ID, CreatorID: a.Creator.UserID, Kind: string(studycircle.NotifyShort),
	})
	if isMissing(err) {
		return ShortageFacts{}, nil
	}
	if err != nil {
		return ShortageFacts{}, err
	}
	n, err := tx.Queries.CountSubmitters(ctx, db.CountSubmittersParams{
		AssignmentID: a.ID, Most: studycircle.MaxReviews + 1,
	})
	return ShortageFacts{Open: row.Listed, Submitters: n, Warned: row.Warned}, err
}

// PlanShortage plans the next check of an assignment's shortage.
func (tx *Tx) PlanShortage(ctx context.Context, assignmentID string, at time.Time) (err error) {
	defer tx.operation(&err, "Tx.PlanShortage", assignmentID)
	return tx.Later.PlanShortage(ctx, db.PlanShortageParams{ID: assignmentID, ShortAt: optionalMicros(at)})
}

// DueShortages returns some assignments of which a check of the shortage is due, after the first skip.
func (s *Store) DueShortages(ctx context.Context, now time.Time, skip int) (_ []string, err error) {
	defer s.operation(&err, "Store.DueShortages")
	return s.engine.Queries().DueShortages(ctx, db.DueShortagesParams{ShortAt: optionalMicros(now), Skip: int64(skip)})
}

// ClaimShortage reports whether a check of an assignment's shortage is due, and ends it.
func (tx *Tx) ClaimShortage(ctx context.Context, assignmentID string, now time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.ClaimShortage", assignmentID)
	if err := tx.share(ctx, tables.AssignmentRow, assignmentID); err != nil {
		return false, err
	}
	n, err := tx.Queries.ClaimShortage(ctx, db.ClaimShortageParams{ID: assignmentID, ShortAt: optionalMicros(now)})
	return n > 0, err
}
