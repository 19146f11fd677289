package store

import (
	"context"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
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
			HandedIn: r.HandedIn,
		}
		duty, err := tx.duty(ctx, r.UserID, r.AssignmentID, now)
		if err != nil {
			return nil, err
		}
		due[i].Work = duty.Left(now) > 0
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

// ChangedQueues returns some assignments that work to review has entered since NoticeNewWork, after the first skip.
func (s *Store) ChangedQueues(ctx context.Context, skip int) (_ []string, err error) {
	defer s.operation(&err, "Store.ChangedQueues")
	return s.engine.Queries().ChangedQueues(ctx, int64(skip))
}

// NoticeNewWork notifies those who had reviewed all there was of an assignment and owe a review of what has entered the
// queue since: once, until they are done again.
func (tx *Tx) NoticeNewWork(ctx context.Context, assignmentID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.NoticeNewWork", assignmentID)
	// The notices have its title.
	if err := tx.share(ctx, tables.AssignmentRow, assignmentID); err != nil {
		return err
	}
	if err := tx.lockListed(ctx, assignmentID); err != nil {
		return err
	}
	entered, err := tx.Queries.ClaimChangedQueue(ctx, assignmentID)
	if err != nil || len(entered) == 0 {
		return err
	}
	works, err := tx.Queries.QueuedWorks(ctx, assignmentID)
	if err != nil {
		return err
	}
	turns, err := tx.Queries.TurnsOfQueued(ctx, assignmentID)
	if err != nil {
		return err
	}
	had := make(map[db.TurnsOfQueuedRow]bool, len(turns))
	for _, t := range turns {
		had[t] = true
	}
	requests, err := tx.Queries.RequestsOfReviewers(ctx, assignmentID)
	if err != nil {
		return err
	}
	for _, r := range requests {
		first := slices.IndexFunc(works, func(w db.QueuedWorksRow) bool {
			return w.Submitter != r.UserID && !had[db.TurnsOfQueuedRow{ReviewerID: r.UserID, ID: w.ID}]
		})
		if first < 0 || r.Seen >= entered[0] {
			continue
		}
		if works[first].Entered > r.Seen {
			duty, err := tx.duty(ctx, r.UserID, assignmentID, now)
			if err != nil {
				return err
			}
			if duty.Left(now) > 0 {
				tx.Notify(studycircle.ReviewNotice(r.UserID, duty.AssignmentID, duty.CircleID, duty.Title, now))
			}
		}
		if err := tx.Later.SawWork(ctx, db.SawWorkParams{
			UserID: r.UserID, AssignmentID: assignmentID, Seen: entered[0],
		}); err != nil {
			return err
		}
	}
	return nil
}
