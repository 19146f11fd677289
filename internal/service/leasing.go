package service

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// ReviewTask is a submission that a user has leased to review.
type ReviewTask struct {
	Submission studycircle.Submission
	Assignment studycircle.Assignment
	Label      string
	Until      time.Time
	// CountsAccuracy reports whether the circle counts the accuracy of reviews of exemplars.
	CountsAccuracy bool
}

// NextReview leases a submission or exemplar to viewer and returns it: the present lease if there is one and viewer
// may still review there, otherwise the next in the queue of a place, or of one assignment if its id is given. nil if
// there is nothing for viewer; ErrNotFound if viewer sees no such circle or assignment, even if viewer holds a
// lease, and the errors of MayReviewIn.
func (s *Service) NextReview(
	ctx context.Context, viewer studycircle.User, circleID, assignmentID string,
) (task *ReviewTask, err error) {
	if assignmentID != "" && !studycircle.ValidID(assignmentID) { // see assignmentOf
		return nil, studycircle.ErrNotFound
	}
	if err := s.MayEnter(ctx, viewer, circleID); err != nil || (assignmentID == "" && !s.shows(viewer, circleID)) {
		return nil, err
	}
	now := s.clock()
	for range maxDraws {
		task, err = s.nextReview(ctx, viewer, circleID, assignmentID, now)
		if !errors.Is(err, errDrawAgain) && !errors.Is(err, studycircle.ErrAskedTwice) {
			return task, err
		}
	}
	return nil, errBusy
}

// errBusy refuses a draw that lost every round to other users.
var errBusy = &studycircle.Error{
	Code:    studycircle.CodeUnavailable,
	Message: "Too many people are changing this assignment. Please try again in a second.", RetryAfter: time.Second,
}

// errDrawAgain ends a transaction that has to be followed by another draw.
var errDrawAgain = errors.New("draw again")

// reviewRefused are the errors of taskOf for a lease whose review would be refused.
var reviewRefused = []studycircle.Code{
	studycircle.CodeNotFound, studycircle.CodeNotGrader, studycircle.CodeCircleArchived,
}

// maxDraws bounds the draws of NextReview, each after another user took the drawn submission.
const maxDraws = 1000

// nextReview takes one step in its own transaction: each may lock one row of the queue, because transactions that
// hold one row while waiting for another could deadlock. It returns errDrawAgain or ErrAskedTwice if one more step is
// needed.
func (s *Service) nextReview(
	ctx context.Context, viewer studycircle.User, circleID, assignmentID string, now time.Time,
) (task *ReviewTask, err error) {
	ended := false
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) (err error) {
		task, ended = nil, false
		if assignmentID != "" {
			a, err := tx.AssignmentToReview(ctx, assignmentID)
			if err != nil {
				return err
			}
			circleID = a.CircleID
		}
		lease, err := tx.Lease(ctx, viewer.ID)
		held := err == nil
		switch {
		case studycircle.CodeOf(err) == studycircle.CodeNotFound:
			lease, err = take(ctx, tx, viewer, circleID, assignmentID, now)
		case err == nil && !lease.Until.After(now):
			ended = true
			_, err = tx.LapseLease(ctx, viewer.ID, lease.SubmissionID, now)
			return err
		}
		if err != nil || lease.SubmissionID == "" {
			return err
		}
		task, err = taskOf(ctx, tx, lease)
		if held && slices.Contains(reviewRefused, studycircle.CodeOf(err)) {
			ended = true
			_, err = tx.EndLease(ctx, viewer.ID, lease.SubmissionID, studycircle.TurnLapsed)
		}
		return err
	})
	if err == nil && ended {
		err = errDrawAgain
	}
	return task, err
}

// take leases the next in the queue, after the exemplars of its assignment; the zero Lease if there is none. A
// request for one assignment gets its exemplars even if no submission of it is open.
func take(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, circleID, assignmentID string, now time.Time,
) (studycircle.Lease, error) {
	in, err := tx.HoldOwnCircle(ctx, circleID)
	if err == nil {
		err = studycircle.MayReviewIn(in, circleID)
	}
	if err != nil {
		return studycircle.Lease{}, err
	}
	offers, err := tx.NextToReview(ctx, viewer.ID, circleID, assignmentID, now)
	if err != nil {
		return studycircle.Lease{}, err
	}
	until, of := now.Add(studycircle.LeaseTime), assignmentID
	var o studycircle.Offer
	if len(offers) > 0 {
		o = offers[rand.N(len(offers))] //nolint:gosec // a draw, and no secret
		of = o.AssignmentID
	}
	if of == "" {
		return studycircle.Lease{}, nil
	}
	lease, err := takeExemplar(ctx, tx, viewer, of, until)
	if err != nil || lease.SubmissionID != "" {
		return lease, err
	}
	if len(offers) == 0 {
		return studycircle.Lease{}, nil
	}
	taken, err := tx.TakeLease(ctx, viewer.ID, o, until)
	if err == nil && !taken {
		err = errDrawAgain
	}
	return studycircle.Lease{SubmissionID: o.SubmissionID, Until: until}, err
}

// taskOf returns what a lease of the transaction's viewer is of. ErrNotFound, and the errors of MayReviewIn.
func taskOf(ctx context.Context, tx *store.Tx, lease studycircle.Lease) (*ReviewTask, error) {
	sub, err := tx.Submission(ctx, lease.SubmissionID)
	if err != nil {
		return nil, err
	}
	in, err := tx.OwnCircle(ctx, sub.CircleID)
	if err == nil {
		err = studycircle.MayReviewIn(in, sub.CircleID)
	}
	if err != nil {
		return nil, err
	}
	task, err := workOf(ctx, tx, sub, lease)
	if err != nil {
		return nil, err
	}
	task.CountsAccuracy = in.CountsAccuracy
	return task, nil
}

func workOf(
	ctx context.Context, tx *store.Tx, sub studycircle.Submission, lease studycircle.Lease,
) (*ReviewTask, error) {
	if sub.Status == studycircle.Sample {
		return exemplarTask(ctx, tx, sub, lease)
	}
	r, err := tx.Reviewing(ctx, lease.SubmissionID)
	if err != nil {
		return nil, err
	}
	a, err := tx.AnyAssignment(ctx, sub.AssignmentID)
	return &ReviewTask{Submission: sub, Assignment: a, Label: r.Label, Until: lease.Until}, err
}

// ReservedReview returns viewer's present lease; nil without one, and in a place where viewer may not review.
func (s *Service) ReservedReview(ctx context.Context, viewer studycircle.User) (*studycircle.ReservedReview, error) {
	reserved, err := s.store.ReservedReview(ctx, s.as(viewer), s.clock())
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return nil, nil //nolint:nilnil // nothing is reserved
	}
	if err != nil {
		return nil, err
	}
	in, err := s.circleOf(ctx, viewer, reserved.CircleID)
	if err != nil || studycircle.MayReviewIn(in, reserved.CircleID) != nil {
		return nil, err
	}
	return &reserved, nil
}

// GiveBack ends viewer's lease of a submission, which viewer does not get again; it reports whether there was one. Work
// that viewer has reported is given back without a limit, and its submitter is notified, unless the server knows that
// its link opens. CodeRateLimited, CodeCircleArchived.
func (s *Service) GiveBack(ctx context.Context, viewer studycircle.User, submissionID string) (given bool, err error) {
	if !studycircle.ValidID(submissionID) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) (err error) {
		sub, err := tx.Submission(ctx, submissionID)
		if err != nil {
			return err
		}
		if err := mayWriteIn(ctx, tx, sub.CircleID); err != nil {
			return err
		}
		if given, err = tx.EndLease(ctx, viewer.ID, submissionID, studycircle.TurnReturned); err != nil {
			return err
		}
		if !given {
			return studycircle.ErrNotFound
		}
		if err := tx.WithdrawQuestion(ctx, viewer.ID, submissionID); err != nil { // no reviewer waits for its answer
			return err
		}
		unopened, err := tx.CouldNotOpen(ctx, viewer.ID, submissionID)
		if err != nil {
			return err
		}
		if unopened {
			if sub.Status != studycircle.Sample {
				tx.Notify(studycircle.UnopenedNotice(sub, s.clock()))
			}
			return nil
		}
		return tx.Spend(ctx, returnLimit, viewer.ID, s.clock())
	})
	return given, err
}
