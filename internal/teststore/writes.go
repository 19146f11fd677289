package teststore

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Publish publishes an assignment as its creator, without a limit.
func Publish(ctx context.Context, s *store.Store, a studycircle.Assignment) error {
	return s.Write(ctx, studycircle.ViewerOf(a.Creator.UserID), func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.HoldToPublish(ctx, a.CircleID); err != nil {
			return err
		}
		return tx.Publish(ctx, a)
	})
}
