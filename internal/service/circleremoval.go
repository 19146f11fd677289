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
