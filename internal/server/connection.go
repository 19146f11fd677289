package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// listener returns connections that the type connections counts, and that send an answer's head with its body.
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
//
// The framework collects a head and as much of its body as fits in 4 KiB and sends that first, so that an answer of
// more than 4 KiB would take two system calls. The second took a sixth of the time of a list page. So the first piece
// of a long answer waits for the second.
type connection struct {
	net.Conn
	network string
	trusted bool         // from a proxy
	state   atomic.Int64 // an http.ConnState
	since   atomic.Int64 // when state changed, Unix nanoseconds

	// The fields below belong to the goroutine that answers.
	first *firstPiece // nil if no piece waits for another
	both  net.Buffers
}

// maxFirst is the size of the framework's buffer, in bytes.
const maxFirst = 4 << 10

// firstPiece is the first piece of an answer.
type firstPiece struct {
	n     int
	bytes [maxFirst]byte
	both  [2][]byte // with the second
}

var spareFirst = sync.Pool{New: func() any { return &firstPiece{} }}

type connectionKey struct{}

// withConnection is the server's ConnContext.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection of a request; nil in tests without one.
func connectionOf(r *http.Request) *connection {
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	return c
}

func (c *connection) note(state http.ConnState) {
	c.state.Store(int64(state))
	c.since.Store(time.Now().UnixNano())
}

// gather makes the next written piece wait for the one after it, or for flush.
func (c *connection) gather() {
	c.first, _ = spareFirst.Get().(*firstPiece)
	c.first.n = 0
}

// flush sends a waiting piece.
func (c *connection) flush() (err error) {
	if c.first == nil {
		return nil
	}
	if c.first.n > 0 {
		_, err = c.Conn.Write(c.first.bytes[:c.first.n])
	}
	c.leave()
	return err
}

func (c *connection) leave() {
	spareFirst.Put(c.first)
	c.first = nil
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (int, error) {
	if c.first == nil {
		return c.Conn.Write(p)
	}
	if c.first.n == 0 && len(p) <= maxFirst {
		c.first.n = copy(c.first.bytes[:], p)
		return len(p), nil
	}
	defer c.leave()
	n := c.first.n
	if n == 0 {
		return c.Conn.Write(p)
	}
	c.first.both = [2][]byte{c.first.bytes[:n], p}
	c.both = c.first.both[:]
	sent, err := c.both.WriteTo(c.Conn)
	c.first.both, c.both = [2][]byte{}, nil
	return max(int(sent)-n, 0), err
}
