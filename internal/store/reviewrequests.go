package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// requestedAtOnce is the number of requests that one transaction checks.
const requestedAtOnce = 64

// ReviewRequestsWait reports whether any request is due for a check.
func (s *Store) ReviewRequestsWait(ctx context.Context, now time.Time) (_ bool, err error) {
	defer s.operation(&err, "Store.ReviewRequestsWait")
	return s.engine.Queries().ReviewRequestsWait(ctx, micros(now))
}

// DueReviewRequests returns some of the requests that are due, from rows that no other transaction has locked.
func (tx *Tx) DueReviewRequests(ctx context.Context, now time.Time) (_ []studycircle.ReviewRequest, err error) {
	defer tx.operation(&err, "Tx.DueReviewRequests")
	rows, err := tx.Queries.DueReviewRequests(ctx, db.DueReviewRequestsParams{NextAt: micros(now), Most: requestedAtOnce})
	due := make([]studycircle.ReviewRequest, len(rows))
	for i, r := range rows {
		due[i] = studycircle.ReviewRequest{
			UserID: r.UserID, AssignmentID: r.AssignmentID, Asked: r.Asked, Title: r.Title, CircleID: r.CircleID,
			Due:  studycircle.DueDateAt(r.DueAt, int(r.DueOffset)),
			Owed: studycircle.Assignment{Reviews: r.ReviewsNeeded, ReviewsOwed: r.ReviewsOwed}.OwedEach(), Given: r.Given,
			HandedIn: r.HandedIn, Work: r.Work,
		}
	}
	return due, err
}

// PlanReviewRequest stores the number of requests so far and the time of the next check; never if next is zero.
func (tx *Tx) PlanReviewRequest(ctx context.Context, r studycircle.ReviewRequest, next time.Time) (err error) {
	defer tx.operation(&err, "Tx.PlanReviewRequest")
	if next.IsZero() {
		return tx.Queries.EndReviewRequest(ctx, db.EndReviewRequestParams{UserID: r.UserID, AssignmentID: r.AssignmentID})
	}
	return tx.Queries.PlanReviewRequest(ctx, db.PlanReviewRequestParams{
		UserID: r.UserID, AssignmentID: r.AssignmentID, Asked: r.Asked, NextAt: micros(next),
	})
}
