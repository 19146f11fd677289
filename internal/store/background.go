package store

import (
	"context"
	"log/slog"
	"time"
)

// every does something again and again until ctx ends, for the first time after
// one interval. Where that fails it logs so, with what that means, and goes on.
func every(ctx context.Context, interval time.Duration, meaning string, do func(context.Context) error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "work in the background failed; next try follows", "means", meaning, "error", err)
			}
		}
	}
}

// whenCalm does something each time when nobody has committed for an interval, as
// every does. It is told the version that has stood.
func (s *Store) whenCalm(ctx context.Context, interval time.Duration, meaning string, do func(ctx context.Context, version uint64) error) {
	var last uint64
	every(ctx, interval, meaning, func(ctx context.Context) error {
		now, err := s.Version(ctx)
		if err != nil || now != last {
			last = now
			return err
		}
		return do(ctx, now)
	})
}
