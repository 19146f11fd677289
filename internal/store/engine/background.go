package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"studycircle/internal/periodic"
)

// WhenQuiet calls do each time j's interval passes without a commit, until ctx ends. It passes the current version.
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

// Panicked returns the error for a panic of a request that shares a goroutine with others. It logs the stack, as an
// unrecovered panic would.
func Panicked(ctx context.Context, p any) error {
	slog.ErrorContext(ctx, "panic in a write", "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic in a write: %v", p)
}
