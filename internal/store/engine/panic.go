package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Panicked returns the error for a panic of a request that shares a goroutine with others. It logs the stack, as an
// unrecovered panic would.
func Panicked(ctx context.Context, p any) error {
	slog.ErrorContext(ctx, "panic in a write", "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic in a write: %v", p)
}
