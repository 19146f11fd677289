package store

import (
	"context"
	"log/slog"
	"time"
)

// every does something again and again until ctx ends, for the first time after
// one interval. Where that fails it says so, in the words of trouble, and goes on.
func every(ctx context.Context, interval time.Duration, trouble string, do func(context.Context) error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, trouble, "error", err)
			}
		}
	}
}
