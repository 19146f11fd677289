// Package periodic runs functions periodically: it is the one place for ticking, deadlines, panics and the log of
// background work. It does not know the work.
package periodic

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// Job is periodic work.
type Job struct {
	// Name identifies the job in the log.
	Name string
	// Every is the time between two runs.
	Every time.Duration
	// Timeout bounds one run. A run that ignores its context is logged and waited for.
	Timeout time.Duration
	// Meaning is the effect of a failure on users or the operator, for the log.
	Meaning string
	// Run performs one run.
	Run func(context.Context) error
	// OnEachNode is set for work on a node's own memory or files.
	OnEachNode bool
}

// graceAfter is how long a run may take to notice its deadline.
const graceAfter = 5 * time.Second

// Tick runs j at once and then at each interval, until ctx ends.
func (j Job) Tick(ctx context.Context) {
	tick := time.NewTicker(j.Every)
	defer tick.Stop()
	var last error
	var logged time.Time
	for {
		err := j.watched(ctx)
		if now := time.Now(); err != nil && (last == nil || err.Error() != last.Error() || now.Sub(logged) >= repeatAfter) {
			j.report(ctx, err)
			logged = now
		}
		last = err
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// repeatAfter is the time after which Tick logs a failure again that repeats.
const repeatAfter = time.Minute

// Once runs j. It logs a failure, unless ctx has ended, and returns it.
func (j Job) Once(ctx context.Context) error {
	err := j.watched(ctx)
	if err != nil {
		j.report(ctx, err)
	}
	return err
}

// report logs a failure, unless ctx has ended.
func (j Job) report(ctx context.Context, err error) {
	if ctx.Err() == nil {
		slog.WarnContext(ctx, "background job failed; will retry", "job", j.Name, "meaning", j.Meaning, "error", err)
	}
}

// watched runs j, and logs if it does not end.
func (j Job) watched(ctx context.Context) error {
	hung := time.AfterFunc(j.Timeout+graceAfter, func() {
		slog.ErrorContext(
			ctx, "background job does not end", "job", j.Name, "timeout", j.Timeout.String(), "meaning", j.Meaning,
		)
	})
	defer hung.Stop()
	return j.run(ctx)
}

func (j Job) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, j.Timeout)
	defer cancel()
	return Guard(ctx, j.Name, func() error { return j.Run(ctx) })
}

// Panic is a panic as an error.
type Panic struct{ Value any }

func (p Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Guard runs a part of a job, and logs a panic and returns it as a Panic. A job guards each goroutine that it starts.
func Guard(ctx context.Context, job string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "panic in a background job", "job", job, "panic", p, "stack", string(debug.Stack()))
			err = Panic{p}
		}
	}()
	return f()
}
