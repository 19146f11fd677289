package server

import (
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// listener returns connections that the type connections counts.
type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c}, nil
}

// connection is an open connection.
type connection struct {
	net.Conn
	network string
	trusted bool         // from a proxy
	state   atomic.Int64 // an http.ConnState
	since   atomic.Int64 // when state changed, or a request began to arrive, Unix nanoseconds
}

// Read implements net.Conn. To net/http a connection is idle until it has read the header of the next request.
func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && http.ConnState(c.state.Load()) == http.StateIdle {
		c.since.Store(time.Now().UnixNano())
	}
	return n, err
}

// idleSince reports whether no byte has arrived since the answer to the last request, which was no later than at.
func (c *connection) idleSince(at int64) bool {
	return http.ConnState(c.state.Load()) == http.StateIdle && c.since.Load() <= at
}

func (c *connection) note(state http.ConnState) {
	c.state.Store(int64(state))
	c.since.Store(time.Now().UnixNano())
}
