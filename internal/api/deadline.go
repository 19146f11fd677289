package api

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends at a given time. Its timer is created when something
// waits for it, which reads of cached pages never do: creating and stopping a timer costs
// as much as reading a row.
type deadline struct {
	context.Context
	at time.Time

	mu    sync.Mutex
	timed context.Context // nil until something waits
	stop  context.CancelFunc
}

// withDeadline returns ctx with the deadline of an operation.
func withDeadline(ctx context.Context) *deadline {
	return &deadline{Context: ctx, at: time.Now().Add(answerWithin)}
}

func (d *deadline) waited() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.stop = context.WithDeadline(d.Context, d.at)
	}
	return d.timed
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) { return d.waited().Deadline() }

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} { return d.waited().Done() }

// Err implements context.Context.
func (d *deadline) Err() error { return d.waited().Err() }

// end stops the timer, if there is one.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop != nil {
		d.stop()
	}
}
