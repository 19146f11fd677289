package api

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends at a time. The timer for it is made once somebody
// waits for that, which most reads of what is in memory never do: making and
// stopping one costs as much as reading a row.
type deadline struct {
	context.Context
	at time.Time

	mu    sync.Mutex
	timed context.Context // nil while nobody waits
	stop  context.CancelFunc
}

// withDeadline is ctx for as long as an operation may take.
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
