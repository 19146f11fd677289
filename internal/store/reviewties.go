package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// ties returns the reviews that connect a user with others. learnClass adds the classes.
func (tx *Tx) ties(ctx context.Context, userID string) (studycircle.Ties, error) {
	t := studycircle.Ties{Met: map[string]int64{}, Classes: map[string]studycircle.Class{}}
	reviewers, err := tx.Queries.ReviewersOf(ctx, optionalText(userID))
	if err != nil {
		return t, err
	}
	for _, r := range reviewers {
		t.Reviewed = append(t.Reviewed, studycircle.Tie{
			ReviewerID: r.ReviewerID, AssignmentID: r.AssignmentID, At: instant(r.At),
		})
		t.Met[r.ReviewerID]++
	}
	submitters, err := tx.Queries.ReviewedBy(ctx, userID)
	for _, s := range submitters {
		t.Met[s.SubmitterID] += s.Times
	}
	return t, err
}

// learnClass adds the class of an assignment to a user's ties, if it matters there.
func (tx *Tx) learnClass(ctx context.Context, userID string, t studycircle.Ties, assignmentID string) error {
	if _, known := t.Classes[assignmentID]; known || !t.MayBeTraded(assignmentID) {
		return nil
	}
	class := studycircle.Class{}
	a, err := tx.AnyAssignment(ctx, assignmentID)
	if err != nil {
		return err
	}
	class.Needed = max(a.Reviews, 1)
	class.Submitters, err = tx.Queries.CountSubmitters(ctx, db.CountSubmittersParams{
		AssignmentID: assignmentID, Most: studycircle.MostCounted,
	})
	if err != nil {
		return err
	}
	class.Ring, err = tx.Queries.RingOf(ctx, db.RingOfParams{
		AssignmentID: assignmentID, SubmitterID: optionalText(userID),
	})
	t.Classes[assignmentID] = class
	return err
}

// fair locks the places of a user and an offer's submitter in their class, and reports whether a review still makes no
// worse trade possible than when it was offered: the submitter may have been offered the user's work meanwhile.
func (tx *Tx) fair(ctx context.Context, userID string, o studycircle.Offer, now time.Time) (bool, error) {
	if err := tx.lock(ctx, tables.StatesOfBoth, o.AssignmentID, userID, o.SubmitterID); err != nil {
		return false, err
	}
	ties, err := tx.ties(ctx, userID)
	if err != nil {
		return false, err
	}
	if err := tx.learnClass(ctx, userID, ties, o.AssignmentID); err != nil {
		return false, err
	}
	return ties.Trade(o, now) <= o.Trade, nil
}
