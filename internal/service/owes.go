package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// Owed tells who owes what for an assignment.
type Owed struct {
	studycircle.Owes
	Assignment studycircle.Assignment
	RemindedAt time.Time // zero if never
	CanRemind  bool
	// Addresses reports whether the viewer may see the addresses of the people.
	Addresses bool
}

// Owes returns who owes what for viewer's assignment. ErrNotFound, CodeNotYourAssignment.
func (s *Service) Owes(ctx context.Context, viewer studycircle.User, assignmentID string) (o Owed, err error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return o, err
	}
	o.Assignment, o.Addresses = a, studycircle.MaySeeAddresses(in, a.CircleID) == nil
	now := s.clock()
	column, err := s.store.MarkColumn(ctx, s.as(viewer), a.ID)
	if err != nil {
		return o, err
	}
	people, err := s.store.OweFacts(ctx, s.as(viewer), a, today(now), now)
	if err != nil {
		return o, err
	}
	results, _, err := s.store.ResultFacts(ctx, a.ID)
	if err != nil {
		return o, err
	}
	if o.RemindedAt, err = s.store.RemindedAt(ctx, a.ID); err != nil {
		return o, err
	}
	o.Owes = column.OwesOf(people, in.Circle, results, now)
	o.CanRemind = len(o.Debts) > 0 && studycircle.CanRemind(viewer.ID, in, a, o.RemindedAt, now)
	return o, nil
}

// Remind notifies everyone who owes something for viewer's assignment, once in studycircle.RemindEvery, and returns
// their number; 0 if they were reminded since. Those who gave all reviews today count, because others see that
// tomorrow, but are not disturbed. ErrNotFound, CodeNotYourAssignment, CodeCircleArchived.
func (s *Service) Remind(ctx context.Context, viewer studycircle.User, assignmentID string) (n int, err error) {
	o, err := s.Owes(ctx, viewer, assignmentID)
	if err != nil {
		return 0, err
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		n = 0
		a, in, err := assignmentIn(ctx, tx, assignmentID)
		if err != nil {
			return err
		}
		if err := studycircle.MayDecideAbout(viewer.ID, in, a); err != nil {
			return err
		}
		if len(o.Debts) == 0 {
			return nil
		}
		now := s.clock()
		claimed, err := tx.ClaimReminder(ctx, a.ID, now.Add(-studycircle.RemindEvery), now)
		if err != nil || !claimed {
			return err
		}
		n = len(o.Debts)
		tx.Notify(o.Notices(a, viewer.ID, now)...)
		return nil
	})
	return n, err
}
