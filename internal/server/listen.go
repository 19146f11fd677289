package server

import (
	"cmp"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"studycircle/internal/limit"
)

// Bounds of connections.
const (
	maxConnections = 8192
	// headerWithin and requestWithin bound what a client takes to ask. Bodies and
	// answers are bounded more closely: see bodies and answer.
	headerWithin  = 10 * time.Second
	requestWithin = 30 * time.Second
	idleWithin    = 2 * time.Minute
	maxHeader     = 64 << 10
	// Where there are more than crowdedFrom, idle ones stay no longer than
	// idleInCrowd: each holds some 20 kB, and is one more that the collector walks.
	crowdedFrom = 2048
	idleInCrowd = 2 * time.Second
)

// NewHTTP makes a server of New's handler. trusted are proxies: any number of
// connections may be theirs.
func NewHTTP(handler http.Handler, trusted []netip.Prefix) *http.Server {
	c := &connections{max: maxConnections, trusted: trusted, open: map[net.Conn]*connection{}, byNetwork: map[string]map[*connection]struct{}{}}
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       requestWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
		ConnState:         c.changed,
		// What it would answer has no header of ours.
		DisableGeneralOptionsHandler: true,
	}
}

// connections bounds how many there are. Past it some go of the network that has
// most: idle ones first, then those that have asked for nothing yet, and of each
// the longest there. It is safe for concurrent use.
type connections struct {
	max     int
	trusted []netip.Prefix

	mu        sync.Mutex
	open      map[net.Conn]*connection
	byNetwork map[string]map[*connection]struct{}
	looking   bool // for idle ones, again and again
}

type connection struct {
	net.Conn
	network string
	trusted bool
	state   http.ConnState
	since   time.Time
}

// changed is the server's ConnState.
func (c *connections) changed(at net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.add(at)
	case http.StateActive, http.StateIdle:
		if known := c.open[at]; known != nil {
			known.state, known.since = state, time.Now()
		}
	case http.StateHijacked, http.StateClosed:
		if known := c.open[at]; known != nil {
			c.remove(known)
		}
	}
}

func (c *connections) add(at net.Conn) {
	added := &connection{Conn: at, state: http.StateNew, since: time.Now()}
	added.network, added.trusted = c.networkOf(at)
	c.open[at] = added
	if c.byNetwork[added.network] == nil {
		c.byNetwork[added.network] = map[*connection]struct{}{}
	}
	c.byNetwork[added.network][added] = struct{}{}
	if len(c.open) > c.max {
		c.closeSome()
	}
	if len(c.open) > crowdedFrom && !c.looking {
		c.looking = true
		time.AfterFunc(lookEvery, c.look)
	}
}

// look closes connections that have been idle for a while, as long as there is a
// crowd of them.
func (c *connections) look() {
	for _, known := range c.idle() {
		_ = known.Close() // there is nothing to lose
	}
}

// idle takes out those that have been idle for too long, and looks again later
// where there is a crowd.
func (c *connections) idle() (found []*connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.looking = len(c.open) > crowdedFrom; !c.looking {
		return nil
	}
	time.AfterFunc(lookEvery, c.look)
	before := time.Now().Add(-idleInCrowd)
	for _, known := range c.open {
		if known.state == http.StateIdle && !known.trusted && !known.since.After(before) {
			c.remove(known)
			found = append(found, known)
		}
	}
	return found
}

func (c *connections) remove(known *connection) {
	delete(c.open, known.Conn)
	of := c.byNetwork[known.network]
	if delete(of, known); len(of) == 0 {
		delete(c.byNetwork, known.network)
	}
}

// networkOf is whom a connection counts for: of a proxy's each for itself.
func (c *connections) networkOf(at net.Conn) (network string, trusted bool) {
	address := at.RemoteAddr().String()
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return address, false
	}
	for _, p := range c.trusted {
		if p.Contains(peer.Addr().Unmap()) {
			return address, true
		}
	}
	return limit.Network(peer.Addr().String()), false
}

// closeSome closes connections of the network that has most of them: several, so
// that looking for them is not what a flood of new ones costs.
func (c *connections) closeSome() {
	var most map[*connection]struct{}
	for _, of := range c.byNetwork {
		if len(of) > len(most) {
			most = of
		}
	}
	all := slices.SortedFunc(maps.Keys(most), func(a, b *connection) int {
		return cmp.Or(cmp.Compare(useless[a.state], useless[b.state]), a.since.Compare(b.since))
	})
	// No more than a fair share of them: whoever has few keeps them.
	for _, victim := range all[:min(max(1, len(all)/2), max(1, c.max/64))] {
		c.remove(victim)
		_ = victim.Close() // there is nothing to lose
	}
}

// useless orders states: the first go first.
var useless = map[http.ConnState]int{http.StateIdle: 0, http.StateNew: 1, http.StateActive: 2}
