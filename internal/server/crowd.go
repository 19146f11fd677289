package server

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// crowdedBy is how many requests and the like a processor has before it, each of
// them ready to go on, when there is a crowd.
const crowdedBy = 32

// crowd tells whether many wait for a processor. Work that is done as soon as a
// request has been read looks short to itself, however long the others behind it
// wait to be read at all.
type crowd struct {
	mu      sync.Mutex
	ready   []metrics.Sample
	most    uint64
	thereIs atomic.Bool
}

func newCrowd() *crowd {
	return &crowd{ready: []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}, most: crowdedBy * uint64(runtime.GOMAXPROCS(0))} //nolint:gosec // one at least
}

// there is a crowd now, or was when somebody else looked, who is not done with it.
func (c *crowd) there() bool {
	if c.mu.TryLock() {
		defer c.mu.Unlock()
		metrics.Read(c.ready)
		c.thereIs.Store(c.ready[0].Value.Uint64() > c.most)
	}
	return c.thereIs.Load()
}
