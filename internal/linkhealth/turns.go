package linkhealth

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// LaterError says that a host has been asked often enough for now.
type LaterError struct {
	// After is when to come again: those who are sent away get times of their own.
	After time.Duration
}

// Error implements error.
func (e *LaterError) Error() string { return fmt.Sprintf("the host's turn comes in %v", e.After) }

// turns has each host asked once in pace.
type turns struct {
	pace time.Duration

	mu sync.Mutex
	// hosts are those that were asked not long ago. What is over is removed when there
	// are more than sweepAt, so their number follows what is asked.
	hosts   map[string]host
	sweepAt int
}

// host is when a host may be asked.
type host struct {
	free time.Time // for whoever comes next
	line time.Time // the last time that somebody was told to come again
}

// fewHosts are kept without looking which of them are over.
const fewHosts = 1000

// wait waits for a host's turn, in the order of calls. [LaterError] where that is
// further away than patience.
func (t *turns) wait(ctx context.Context, name string, patience time.Duration) error {
	at, err := t.take(canonical(name), time.Now(), patience)
	if err != nil {
		return err
	}
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// take reserves a host's next turn and returns when that is.
func (t *turns) take(name string, now time.Time, patience time.Duration) (time.Time, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	h := t.hosts[name]
	at := latest(h.free, now)
	if at.Sub(now) > patience {
		h.line = latest(h.line, at).Add(t.pace)
		t.hosts[name] = h
		return time.Time{}, &LaterError{After: h.line.Sub(now)}
	}
	h.free = at.Add(t.pace)
	t.hosts[name] = h
	return at, nil
}

// sweep forgets hosts that may be asked again.
func (t *turns) sweep(now time.Time) {
	if t.hosts == nil {
		t.hosts, t.sweepAt = map[string]host{}, fewHosts
	}
	if len(t.hosts) < t.sweepAt {
		return
	}
	for name, h := range t.hosts {
		if !h.free.After(now) && !h.line.After(now) {
			delete(t.hosts, name)
		}
	}
	t.sweepAt = max(fewHosts, 2*len(t.hosts))
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
