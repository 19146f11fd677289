package identity

import (
	"context"
	"sync"
	"time"

	"studycircle"
)

// sessionFreshness is how long a session is cached, and so how long this node may still
// accept a session that another node, or the operator's shell, has ended.
const sessionFreshness = 3 * time.Second

// maxCachedSessions bounds the cache to some 20 MB.
const maxCachedSessions = 50_000

// sessionCache caches sessions by id for Authenticate. An entry expires after
// sessionFreshness, or when its session ends or changes on this node. Ages use the
// monotonic clock, so changes of the wall clock have no effect.
type sessionCache struct {
	mu      sync.RWMutex
	entries map[string]cachedSession
	drops   uint64 // counts calls of drop
	// looked, if not nil, is called after each lookup.
	looked func(hit bool)
}

type cachedSession struct {
	session studycircle.Session
	readAt  time.Time
}

func newSessionCache() *sessionCache {
	return &sessionCache{entries: map[string]cachedSession{}}
}

// get returns a session from the cache, or from load. The result of load is cached only
// if nothing was dropped meanwhile, so that a read that began before a sign-out does not
// bring the session back.
func (c *sessionCache) get(
	ctx context.Context, id string, load func(context.Context, string) (studycircle.Session, error),
) (studycircle.Session, error) {
	c.mu.RLock()
	entry, found := c.entries[id]
	drops := c.drops
	c.mu.RUnlock()
	fresh := found && time.Since(entry.readAt) < sessionFreshness
	if c.looked != nil {
		c.looked(fresh)
	}
	if fresh {
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

// makeRoom removes expired entries and, if that is not enough, any others; those are
// loaded again.
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

// drop removes a session; the empty id is none.
func (c *sessionCache) drop(id string) {
	if id == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	delete(c.entries, id)
}

// dropUser removes all sessions of a user. It scans the cache, which takes a millisecond
// at most and is rare.
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
