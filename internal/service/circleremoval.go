package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// CircleRemoval returns the job that removes deleted circles that can no longer be restored.
func (s *Service) CircleRemoval() periodic.Job {
	return periodic.Job{
		Name: "removing deleted circles", Every: time.Hour, Timeout: 50 * time.Minute, Meaning: "they are kept, hidden",
		Run: s.RemoveCircles,
	}
}

// RemoveCircles removes all deleted circles that can no longer be restored, in small transactions.
func (s *Service) RemoveCircles(ctx context.Context) error {
	for {
		now := s.clock()
		id, err := s.store.CircleToRemove(ctx, now.Add(-studycircle.CircleRestorable))
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.removeImported(ctx, id, now); err != nil {
			return err
		}
		for left := true; left; {
			err := s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) (err error) {
				left, err = tx.RemoveCircle(ctx, id, now)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
}

// removeImported removes those who are shown as imported in a circle, each in a transaction of its own: see the lock
// order.
func (s *Service) removeImported(ctx context.Context, circleID string, now time.Time) error {
	users, err := s.store.ImportedWith(ctx, circleID)
	if err != nil {
		return err
	}
	for _, userID := range users {
		err := s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.RemoveImported(ctx, circleID, userID, now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
