package store

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// requestedAtOnce is the number of requests that one transaction checks.
const requestedAtOnce = 64

const selectReviewRequests = `
SELECT t.user_id, t.assignment_id, t.asked, a.title, a.due_at, a.due_offset, a.reviews_needed,
	(SELECT COUNT(*) FROM reviews r WHERE r.reviewer = t.user_id AND r.assignment_id = t.assignment_id AND NOT r.exemplar),
	a.hidden_reason IS NOT NULL OR (a.deleted_at IS NULL AND EXISTS (SELECT 1 FROM taken k WHERE k.user_id = t.user_id AND k.seq = a.seq)),
	EXISTS (
		SELECT 1 FROM review_queue q LEFT JOIN review_turns w ON w.id = q.id AND w.reviewer_id = t.user_id
		WHERE q.assignment_id = t.assignment_id AND COALESCE(q.submitter_id, '') <> t.user_id AND (w.turn = 'leased' OR (w.turn IS NULL AND q.filled < q.most))
	)
FROM review_requests t JOIN assignments a ON a.id = t.assignment_id
WHERE t.next_at <= $1 ORDER BY t.next_at LIMIT $2`

// ReviewRequestsWait reports whether any request is due for a check.
func (s *Store) ReviewRequestsWait(ctx context.Context, now time.Time) (bool, error) {
	var n int
	err := s.engine.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT 1 FROM review_requests WHERE next_at <= $1 LIMIT 1) AS n", micros(now)).Scan(&n)
	return n > 0, s.classify(err)
}

// DueReviewRequests returns some of the requests that are due, from rows that no other transaction has locked.
func (tx *Tx) DueReviewRequests(ctx context.Context, now time.Time) (due []studycircle.ReviewRequest, err error) {
	rows, err := tx.DB.QueryContext(ctx, selectReviewRequests+tx.Engine.SkipLocked(), micros(now), int64(requestedAtOnce))
	if err != nil {
		return nil, tx.Classify(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r studycircle.ReviewRequest
		var dueAt int64
		var offset int
		if err := rows.Scan(&r.UserID, &r.AssignmentID, &r.Asked, &r.Title, &dueAt, &offset, &r.Needed, &r.Given, &r.HandedIn, &r.Work); err != nil {
			return nil, err
		}
		r.Due = studycircle.DueDateAt(dueAt, offset)
		due = append(due, r)
	}
	return due, rows.Err()
}

// PlanReviewRequest stores the number of requests so far and the time of the next check; never if next is zero.
func (tx *Tx) PlanReviewRequest(ctx context.Context, r studycircle.ReviewRequest, next time.Time) error {
	if next.IsZero() {
		return tx.Classify(tx.Queries.EndReviewRequest(ctx, db.EndReviewRequestParams{UserID: r.UserID, AssignmentID: r.AssignmentID}))
	}
	return tx.Classify(tx.Queries.PlanReviewRequest(ctx, db.PlanReviewRequestParams{
		UserID: r.UserID, AssignmentID: r.AssignmentID, Asked: r.Asked, NextAt: micros(next),
	}))
}
