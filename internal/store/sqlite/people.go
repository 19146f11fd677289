package sqlite

import (
	"sync"

	"studycircle"
)

// maxPeople bounds the cache to some 12 MB.
const maxPeople = 50_000

// people are users as shown beside their work, for all connections. Key: the user's id. Audience: all users;
// addresses and names are public. Emptied by: any commit, because an entry is used only under the version it was read
// under, or an earlier one. Bound: bound.
type people struct {
	bound   int
	mu      sync.RWMutex
	version uint64
	known   map[string]studycircle.Person
}

// get returns the user with an id as of version or later.
func (p *people) get(version uint64, id string) (who studycircle.Person, known bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if version > p.version {
		return who, false
	}
	who, known = p.known[id]
	return who, known
}

// put stores a person, read after version was asked for.
func (p *people) put(version uint64, who studycircle.Person) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if version < p.version {
		return
	}
	if version > p.version || p.known == nil || len(p.known) >= p.bound {
		p.version, p.known = version, map[string]studycircle.Person{}
	}
	p.known[who.UserID] = who
}
