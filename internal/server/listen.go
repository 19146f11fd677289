package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"studycircle/internal/limit"
)

// Bounds of connections.
const (
	maxConnections = 8192
	// headerWithin and requestWithin bound the time of a client's request. Bodies and answers have closer bounds: see
	// bodies and answer.
	headerWithin  = 10 * time.Second
	requestWithin = 30 * time.Second
	idleWithin    = 2 * time.Minute
	maxHeader     = 64 << 10
	// Above crowdedFrom connections, idle ones are closed after idleInCrowd: each holds some 20 kB, and adds to the
	// garbage collector's work.
	crowdedFrom = 2048
	idleInCrowd = 2 * time.Second
)

// unreadWithin bounds how long a stopping server waits for the first request of a connection, as net/http does.
const unreadWithin = 5 * time.Second

// HTTP is an HTTP server that bounds its connections.
type HTTP struct {
	*http.Server
	connections *connections
}

// NewHTTP returns a server for New's handler. Proxies in trusted may have any number of connections.
func NewHTTP(handler http.Handler, trusted []netip.Prefix) HTTP {
	c := newConnections(maxConnections, trusted)
	return HTTP{connections: c, Server: &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       requestWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
		ConnState:         c.changed,
		// Its answer would lack our headers.
		DisableGeneralOptionsHandler: true,
	}}
}

// Serve is like http.Server's, and speaks TLS if the server has a TLSConfig.
func (s HTTP) Serve(l net.Listener) error {
	counted := listener{l}
	if s.TLSConfig != nil {
		return s.Server.Serve(tls.NewListener(counted, s.TLSConfig))
	}
	return s.Server.Serve(counted)
}

// Shutdown is like http.Server's, but answers the first request of each connection too, which net/http drops if it
// arrives after the call. The caller has turned keep-alives off and closed the listener.
func (s HTTP) Shutdown(ctx context.Context) error {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for s.connections.unread() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.Server.Shutdown(ctx)
}

// Redirect returns a handler that sends clients to the same path under the public address.
func Redirect(public *url.URL) http.Handler {
	base := strings.TrimSuffix(public.String(), "/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, base+r.URL.RequestURI(), http.StatusPermanentRedirect) //nolint:gosec // to the public host: RequestURI begins with a slash
	})
}

// connections bounds the number of connections. Beyond it, the network with most of them loses some: idle ones first,
// then those without a request so far, the longest open first. It is safe for concurrent use.
type connections struct {
	max     int
	trusted []netip.Prefix

	mu        sync.Mutex
	open      int
	byNetwork map[string]map[*connection]struct{}
	looking   bool // look runs
}

func newConnections(most int, trusted []netip.Prefix) *connections {
	return &connections{max: most, trusted: trusted, byNetwork: map[string]map[*connection]struct{}{}}
}

// changed is the server's ConnState.
func (c *connections) changed(at net.Conn, state http.ConnState) {
	if encrypted, ok := at.(*tls.Conn); ok {
		at = encrypted.NetConn()
	}
	known, _ := at.(*connection) // see listener
	switch state {
	case http.StateNew:
		known.network, known.trusted = c.networkOf(at)
		known.note(state)
		c.add(known)
	case http.StateActive, http.StateIdle:
		known.note(state)
	case http.StateHijacked, http.StateClosed:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.remove(known)
	}
}

// unread reports whether a client has connected lately and not begun its first request.
func (c *connections) unread() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Now().Add(-unreadWithin).UnixNano()
	for _, of := range c.byNetwork {
		for known := range of {
			if http.ConnState(known.state.Load()) == http.StateNew && known.since.Load() > since {
				return true
			}
		}
	}
	return false
}

func (c *connections) add(added *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byNetwork[added.network] == nil {
		c.byNetwork[added.network] = map[*connection]struct{}{}
	}
	c.byNetwork[added.network][added] = struct{}{}
	if c.open++; c.open > c.max {
		c.closeSome()
	}
	if c.open > crowdedFrom && !c.looking {
		c.looking = true
		time.AfterFunc(lookEvery, c.look)
	}
}

// look closes connections that have been idle for too long, and schedules another call while there are many.
func (c *connections) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.looking = c.open > crowdedFrom; !c.looking {
		return
	}
	time.AfterFunc(lookEvery, c.look)
	before := time.Now().Add(-idleInCrowd).UnixNano()
	for _, of := range c.byNetwork {
		for known := range of {
			if !known.trusted && known.idleSince(before) {
				c.remove(known)
				_ = known.Close() // no request has arrived
			}
		}
	}
}

// remove requires the lock. It ignores unknown connections.
func (c *connections) remove(known *connection) {
	of := c.byNetwork[known.network]
	if _, there := of[known]; !there {
		return
	}
	c.open--
	if delete(of, known); len(of) == 0 {
		delete(c.byNetwork, known.network)
	}
}

// networkOf returns the network that a connection counts for: each of a proxy's counts for itself.
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

// closeSome closes several connections of the network that has most of them, so that a flood of new ones does not
// cost a search for each.
func (c *connections) closeSome() {
	var most map[*connection]struct{}
	for _, of := range c.byNetwork {
		if len(of) > len(most) {
			most = of
		}
	}
	all := make([]victim, 0, len(most))
	for known := range most {
		all = append(all, victim{known, useless[http.ConnState(known.state.Load())], known.since.Load()})
	}
	slices.SortFunc(all, func(a, b victim) int {
		return cmp.Or(cmp.Compare(a.useless, b.useless), cmp.Compare(a.since, b.since))
	})
	// At most a fair share: clients with few connections keep them.
	for _, v := range all[:min(max(1, len(all)/2), max(1, c.max/64))] {
		c.remove(v.connection)
		_ = v.Close() // it is idle, new or over the bound
	}
}

// victim is the state of a connection at the time of the search.
type victim struct {
	*connection
	useless int
	since   int64
}

// useless orders states: the lowest are closed first.
var useless = map[http.ConnState]int{http.StateIdle: 0, http.StateNew: 1, http.StateActive: 2}
