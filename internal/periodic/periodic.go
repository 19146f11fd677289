// Package periodic runs a function again and again: the one place for ticking, deadlines,
// panics and the log of work in the background. It knows neither what is done nor where.
package periodic

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// Job is work that is done again and again.
type Job struct {
	// Name is what the log calls it.
	Name string
	// Every is the time between two runs.
	Every time.Duration
	// Timeout bounds one run. A run that ignores its context is logged and waited for.
	Timeout time.Duration
	// Meaning is what users or the operator notice while it fails, for the log.
	Meaning string
	// Run does it once.
	Run func(context.Context) error
	// OnEachNode is set for work on a node's own memory or files.
	OnEachNode bool
}

// graceAfter is how long a run may take to notice that its time is over.
const graceAfter = 5 * time.Second

// Tick runs j at once and then at each interval, until ctx ends.
func (j Job) Tick(ctx context.Context) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	for {
		_ = j.Once(ctx) // it is logged
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Once runs j. It logs a failure, unless ctx has ended, and returns it.
func (j Job) Once(ctx context.Context) error {
	hung := time.AfterFunc(j.Timeout+graceAfter, func() {
		slog.ErrorContext(ctx, "background job does not end", "job", j.Name, "timeout", j.Timeout.String(), "meaning", j.Meaning)
	})
	defer hung.Stop()
	err := j.run(ctx)
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "background job failed; will retry", "job", j.Name, "meaning", j.Meaning, "error", err)
	}
	return err
}

func (j Job) run(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, j.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "panic in a background job", "job", j.Name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return j.Run(ctx)
}
