package identity

import (
	"sync"
	"time"
)

// seenGrain is the resolution of a session's last use; maxSeen bounds how many sessions a
// node remembers between two writes, to some 10 MB.
const (
	seenGrain = time.Minute
	maxSeen   = 50_000
)

// lastSeen collects when sessions were used, so that the store is written once a minute
// rather than by every request.
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

// at returns when a session was last used on this node, if that is remembered.
func (l *lastSeen) at(id string) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.noted[id]
}

// take returns the uses that are not stored yet, and removes old ones.
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

// putBack returns what take has taken and was not stored. A later use of a session stays.
func (l *lastSeen) putBack(taken map[string]time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, at := range taken {
		if at.After(l.pending[id]) && len(l.pending) < maxSeen {
			l.pending[id] = at
		}
	}
}
