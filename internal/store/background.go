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
