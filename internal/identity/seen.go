package identity

import (
	"sync"
	"time"
)

// seenGrain is how exactly sessions' last use is known; maxSeen bounds how many
// of them a node remembers between two writes, to some 10 MB.
const (
	seenGrain = time.Minute
	maxSeen   = 50_000
)

// lastSeen gathers when sessions were used, so that the store is told once a
// minute, in one write, and not by every request.
type lastSeen struct {
	mu      sync.Mutex
	noted   map[string]time.Time
	pending map[string]time.Time
}

func newLastSeen() *lastSeen {
	return &lastSeen{noted: map[string]time.Time{}, pending: map[string]time.Time{}}
}

func (l *lastSeen) note(id string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if age := now.Sub(l.noted[id]); age >= 0 && age < seenGrain || len(l.noted) >= maxSeen {
		return
	}
	l.noted[id], l.pending[id] = now, now
}

// at is when a session was last used on this node, as far as it is remembered.
func (l *lastSeen) at(id string) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.noted[id]
}

// take returns what the store has not been told, and forgets what is old.
func (l *lastSeen) take(now time.Time) map[string]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.pending
	l.pending = map[string]time.Time{}
	for id, at := range l.noted {
		if age := now.Sub(at); age < 0 || age >= seenGrain {
			delete(l.noted, id)
		}
	}
	return taken
}
