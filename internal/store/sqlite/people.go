package sqlite

import (
	"sync"

	"studycircle"
)

// maxPeople bounds the people that are kept to some 12 MB.
const maxPeople = 50_000

// people are users as they show beside what they made, for all connections.
// Key: the user's id. Audience: everybody; addresses and names are public. Emptied
// by: any commit, as they are used only under the version they were read under, or
// one with a lower number, which was given before. Bound: bound.
type people struct {
	bound   int
	mu      sync.RWMutex
	version uint64
	known   map[string]studycircle.Person
}

// get returns who id is as of version or later.
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
