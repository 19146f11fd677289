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
	since   atomic.Int64 // when state changed, Unix nanoseconds
}

func (c *connection) note(state http.ConnState) {
	c.state.Store(int64(state))
	c.since.Store(time.Now().UnixNano())
}
