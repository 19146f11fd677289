package engine

import "sync"

// ByVersion caches lists that were read from the database, each under a key. An entry is used only under the version
// that was asked for before it was read, so any commit, of any node or program, empties the cache. Its bound is a
// number of elements, of which an entry counts a few more than it has.
type ByVersion[K comparable, V any] struct {
	most, entry int

	mu      sync.Mutex
	version uint64
	held    int
	known   map[K]V
}

// NewByVersion returns a cache of most elements, in which an entry costs as much as some elements more.
func NewByVersion[K comparable, V any](most, entry int) *ByVersion[K, V] {
	return &ByVersion[K, V]{most: most, entry: entry}
}

// Get returns the entry of a key.
func (c *ByVersion[K, V]) Get(version uint64, key K) (found V, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version {
		return found, false
	}
	found, known = c.known[key]
	return found, known
}

// Put keeps the entry of a key, with some elements, unless it would be half of the cache or has become outdated.
func (c *ByVersion[K, V]) Put(version uint64, key K, found V, elements int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version < c.version || elements > c.most/2 {
		return
	}
	if version > c.version || c.known == nil || c.held+elements+c.entry > c.most {
		c.version, c.held, c.known = version, 0, map[K]V{}
	}
	c.held += elements + c.entry
	c.known[key] = found
}
