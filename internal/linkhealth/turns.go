package linkhealth

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// LaterError reports that a host's next turns are taken.
type LaterError struct {
	// After is when to try again; each caller gets a time of its own.
	After time.Duration
}

// Error implements error.
func (e *LaterError) Error() string { return fmt.Sprintf("the host's turn comes in %v", e.After) }

// turns spaces the requests to each host by pace.
type turns struct {
	pace time.Duration

	mu sync.Mutex
	// hosts are the recently requested hosts. Old ones are removed when there are more
	// than sweepAt, so memory follows use.
	hosts   map[string]host
	sweepAt int
}

// host is when a host may be requested.
type host struct {
	free time.Time // for the next caller
	line time.Time // the last time given out with a LaterError
}

// fewHosts are kept without a sweep.
const fewHosts = 1000

// wait waits for a host's turn, in the order of calls; [LaterError] if the turn is
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

// take reserves a host's next turn and returns its time.
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

// sweep removes hosts that may be requested again.
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
