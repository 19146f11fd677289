package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// Every does something again and again until ctx ends, for the first time after
// one interval. Where that fails it logs so, with what that means, and goes on.
func Every(ctx context.Context, interval time.Duration, meaning string, do func(context.Context) error) {
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

// WhenQuiet does something each time when nobody has committed for an interval, as
// Every does. It is given the version that has stood.
func WhenQuiet(ctx context.Context, e Engine, interval time.Duration, meaning string, do func(ctx context.Context, version uint64) error) {
	var last uint64
	Every(ctx, interval, meaning, func(ctx context.Context) error {
		now, err := e.Version(ctx)
		if err != nil || now != last {
			last = now
			return err
		}
		return do(ctx, now)
	})
}

// Panicked is a panic of a request that others share a goroutine with, as its own
// error. Its stack goes to the log, where it would have gone.
func Panicked(ctx context.Context, p any) error {
	slog.ErrorContext(ctx, "panic in a write", "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic in a write: %v", p)
}
