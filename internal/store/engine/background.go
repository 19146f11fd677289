package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"studycircle/internal/periodic"
)

// WhenQuiet calls do each time nothing was committed for j's interval, until ctx ends. It
// passes the current version.
func WhenQuiet(ctx context.Context, d Database, j periodic.Job, do func(ctx context.Context, version uint64) error) {
	var last uint64
	j.Run = func(ctx context.Context) error {
		now, err := d.Version(ctx)
		if err != nil || now != last {
			last = now
			return err
		}
		return do(ctx, now)
	}
	j.Tick(ctx)
}

// Panicked is a panic of a request that others share a goroutine with, as its own
// error. Its stack goes to the log, where it would have gone.
func Panicked(ctx context.Context, p any) error {
	slog.ErrorContext(ctx, "panic in a write", "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic in a write: %v", p)
}
