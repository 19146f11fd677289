package sqlite

import (
	"context"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"studycircle/internal/periodic"
)

// A connection that has read keeps its transaction open while nothing is committed, which saves each reader beginning
// and ending one. An open transaction keeps SQLite from resetting its log, so none is kept while there are writes,
// nor when the log has become long: see settle.

// snapshot is the state that a connection's open transaction shows.
type snapshot struct {
	version  uint64 // 0 if none is open, or it is unknown
	skipsWAL bool   // it began when the whole log was checkpointed, and does not search it
	used     bool   // since the last settle
}

// settleEvery is how long a version must stand before transactions are kept open under it, and how long they stay
// open after it. The log grows by the writes of that time.
const settleEvery = 100 * time.Millisecond

// keeper decides which transactions may be kept.
type keeper struct {
	stableVersion atomic.Uint64 // the version that has stood for a while; 0 for none
}

// run calls settle periodically until ctx ends.
func (p *readPool) run(ctx context.Context) {
	var last uint64
	periodic.Job{
		Name: "ending kept read transactions", Every: settleEvery, Timeout: 10 * time.Second, Meaning: "SQLite's log grows",
		Run: func(ctx context.Context) error {
			last = p.settle(ctx, last)
			return nil
		},
	}.Tick(ctx)
}

// settle ends the transactions that are outdated, or unused since its last call, and allows new ones to be kept if
// the version is still last. It returns the version.
func (p *readPool) settle(ctx context.Context, last uint64) uint64 {
	version, err := p.db.Version(ctx)
	if err != nil {
		version = 0
	}
	if version == last && p.db.versions.logMayGrow() {
		p.stableVersion.Store(version)
	} else {
		p.stableVersion.Store(0)
	}
	for range p.all {
		select {
		case c, open := <-p.free:
			if !open {
				return version
			}
			if c.version != version || !c.used || c.skipsWAL != p.db.versions.checkpointed() {
				c.end()
			}
			c.used = false
			p.free <- c
		default: // busy ones check it themselves
		}
	}
	return version
}

// use lends f the connection, with the version that it reads, or an older one.
func (p *readPool) use(ctx context.Context, c *conn, f func(c *conn, version uint64) error) error {
	version, err := p.db.Version(ctx)
	if err != nil {
		return err
	}
	c.used = true
	skipsWAL := p.db.versions.checkpointed()
	if c.version == version && c.skipsWAL == skipsWAL {
		return f(c, version)
	}
	c.end()
	c.skipsWAL = skipsWAL
	keep := version == p.stableVersion.Load()
	if keep {
		if err := c.begin(); err != nil {
			return err
		}
	}
	if err := f(c, version); err != nil || !keep {
		return err
	}
	// The transaction shows the state of f's first read: version, if that is the version before and after.
	if after, err := p.db.versions.now(ctx); err == nil && p.db.numbers.Number(after) == version {
		c.version = version
	}
	return nil
}

// begin opens a transaction; it shows the state of its first read.
func (c *conn) begin() error { return c.each(func(*sqlite.Stmt) {}, beginRead) }

// end closes the open transaction, if there is one.
func (c *conn) end() {
	if c.version = 0; c.raw == nil || c.raw.AutocommitEnabled() {
		return
	}
	if err := c.each(func(*sqlite.Stmt) {}, endRead); err != nil {
		c.drop(err)
	}
}
