package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/admission"
)

// pipes is a network without buffers: the server keeps what a client does not read. Under synctest it has its own
// clock.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// addressed is a connection with a remote address.
type addressed struct {
	net.Conn
	from string
}

func (a addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from + ":1024"))
}

// dial connects from an address.
func (p *pipes) dial(from string) net.Conn {
	client, server := net.Pipe()
	p.accept <- addressed{server, from}
	return client
}

// served runs h behind a server of this package until the test ends.
func served(t *testing.T, h http.Handler) *pipes {
	t.Helper()
	p := &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
	s := NewHTTP(h, nil)
	done := make(chan error, 1)
	go func() { done <- s.Serve(p) }()
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		require.ErrorIs(t, <-done, http.ErrServerClosed)
		<-time.After(time.Second) // the server closes some connections slowly
	})
	return p
}

// asked returns the answer to a request from an address, read to its end.
func asked(t *testing.T, p *pipes, from, method, target, body string) (int, string) {
	t.Helper()
	c := p.dial(from)
	defer func() { _ = c.Close() }()
	go func() {
		_, _ = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", method, target, len(body), body)
	}()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(text)
}

// cutAfter returns how long the server takes to cut c, which reads nothing.
func cutAfter(c net.Conn) time.Duration {
	began := time.Now()
	for one := make([]byte, 1); ; {
		if _, err := c.Write(one); err != nil {
			return time.Since(began)
		}
	}
}

func limited(slots int) *limitConcurrency {
	return &limitConcurrency{queue: admission.NewQueue(slots, 0, time.Millisecond), claim: byAddress}
}

// byAddress identifies clients by their addresses.
func byAddress(r *http.Request) admission.Claim {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return admission.Claim{Key: host, SignedIn: host == "192.0.2.200"}
}
