package identity

import (
	"context"
	"sync"
	"time"

	"studycircle"
)

// sessionFreshness is how long a session is believed without asking the store:
// it bounds how long a session ended on another node is still let in here.
const sessionFreshness = 3 * time.Second

// maxCachedSessions bounds the cache to some 20 MB.
const maxCachedSessions = 50_000

// sessionCache keeps sessions by id, for Authenticate alone. An entry goes when
// it is sessionFreshness old or when its session ends or changes on this node.
// Ages are measured on the monotonic clock: a wall clock that jumps changes nothing.
type sessionCache struct {
	mu      sync.RWMutex
	entries map[string]cachedSession
	drops   uint64 // counts calls of drop
}

type cachedSession struct {
	session studycircle.Session
	readAt  time.Time
}

func newSessionCache() *sessionCache {
	return &sessionCache{entries: map[string]cachedSession{}}
}

// get returns a session from the cache, or from load. What load returns is
// stored only if nothing was dropped meanwhile: a reader who started before a
// sign-out must not bring the session back.
func (c *sessionCache) get(ctx context.Context, id string, load func(context.Context, string) (studycircle.Session, error)) (studycircle.Session, error) {
	c.mu.RLock()
	entry, found := c.entries[id]
	drops := c.drops
	c.mu.RUnlock()
	if found && time.Since(entry.readAt) < sessionFreshness {
		return entry.session, nil
	}
	readAt := time.Now()
	session, err := load(ctx, id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		delete(c.entries, id)
		return studycircle.Session{}, err
	}
	if c.drops == drops {
		c.makeRoom()
		c.entries[id] = cachedSession{session, readAt}
	}
	return session, nil
}

// makeRoom removes what is too old to be used and, where that is not enough,
// anything: a session that goes is read again.
func (c *sessionCache) makeRoom() {
	if len(c.entries) < maxCachedSessions {
		return
	}
	for id, entry := range c.entries {
		if time.Since(entry.readAt) >= sessionFreshness {
			delete(c.entries, id)
		}
	}
	for id := range c.entries {
		if len(c.entries) < maxCachedSessions*9/10 {
			break
		}
		delete(c.entries, id)
	}
}

// drop forgets a session; "" is none.
func (c *sessionCache) drop(id string) {
	if id == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	delete(c.entries, id)
}

// dropUser forgets all sessions of a user. It looks at every entry, which takes
// a millisecond at most and happens rarely.
func (c *sessionCache) dropUser(userID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	for id, entry := range c.entries {
		if entry.session.User.ID == userID {
			delete(c.entries, id)
		}
	}
}
