package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/admission"
)

// pipes is a network without buffers: what a client does not take, the server
// keeps. Under synctest its time is not the machine's.
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

// addressed is a connection from somewhere.
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

// served runs h behind a server of this package's until the test ends.
func served(t *testing.T, h http.Handler) *pipes {
	t.Helper()
	p := &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
	s := NewHTTP(h, nil)
	done := make(chan error, 1)
	go func() { done <- s.Serve(p) }()
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		require.ErrorIs(t, <-done, http.ErrServerClosed)
		<-time.After(time.Second) // the server parts from some clients slowly
	})
	return p
}

// asked is the answer to a request from an address, read to its end.
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

// cutAfter is how long until the server has parted from c, which takes nothing.
func cutAfter(c net.Conn) time.Duration {
	began := time.Now()
	for one := make([]byte, 1); ; {
		if _, err := c.Write(one); err != nil {
			return time.Since(began)
		}
	}
}

func limited(places int) *limitConcurrency {
	return &limitConcurrency{line: admission.NewLine(places, 0, time.Millisecond), claim: byAddress, crowded: nobody}
}

// byAddress tells clients apart by where they are.
func byAddress(r *http.Request) admission.Claim {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return admission.Claim{Key: host, Known: host == "192.0.2.200"}
}

// Clients that ask and take nothing keep nobody out, and are parted from.
func TestSlowReadersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("a", 64<<10)
		page := limited(1).ofReads(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
		p := served(t, answering(page, newBudget(maxAnswers, byAddress)))
		var slow []net.Conn
		for range 100 {
			c := p.dial("192.0.2.1")
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			require.NoError(t, err)
			slow = append(slow, c)
		}
		synctest.Wait()
		status, got := asked(t, p, "192.0.2.2", http.MethodGet, "/", "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, text, got)
		require.Equal(t, 21*time.Second, cutAfter(slow[0]), "5 seconds and one for each 4 KiB")
		for _, c := range slow[1:] {
			require.Zero(t, cutAfter(c))
		}
	})
}

// Answers longer than what is gathered are sent in parts, and none of the waiting
// for a client is done in a place.
func TestSlowReadersOfLongAnswersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		whole := make([]byte, 3*maxAnswer+5)
		for i := range whole {
			whole[i] = byte(i >> 8)
		}
		page := limited(1).ofReads(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(whole[:10])
			_, _ = w.Write(whole[10:])
		}))
		p := served(t, answering(page, newBudget(maxAnswers, byAddress)))
		slow := p.dial("192.0.2.1")
		_, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		synctest.Wait()
		status, got := asked(t, p, "192.0.2.2", http.MethodGet, "/", "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, string(whole), got)
		require.NoError(t, slow.Close())
	})
}

// What is held for all slow readers together has a bound: past it those are cut
// whose network holds most, and one slow reader elsewhere stays.
func TestAnswersHeldHaveABoundTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("a", 64<<10)
		held := newBudget(10*len(text), byAddress)
		page := limited(1).ofReads(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
		p := served(t, answering(page, held))
		ask := func(from string) net.Conn {
			c := p.dial(from)
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			require.NoError(t, err)
			synctest.Wait()
			return c
		}
		modest := ask("192.0.2.2")
		var greedy []net.Conn
		for range 30 {
			greedy = append(greedy, ask("192.0.2.1"))
		}
		require.Equal(t, 10*len(text), held.used)
		for _, c := range greedy[:21] {
			require.Zero(t, cutAfter(c))
		}
		response, err := http.ReadResponse(bufio.NewReader(modest), nil)
		require.NoError(t, err)
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, text, string(got))
		for _, c := range append(greedy, modest) {
			require.NoError(t, c.Close())
		}
		synctest.Wait()
		require.Zero(t, held.used)
	})
}

// Files of the build are sent without a place, and not to whoever takes nothing.
func TestSlowReadersOfFilesAreCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := &asset{plain: encodingOf("", make([]byte, 100<<10))}
		p := served(t, answering(file, newBudget(1, byAddress)))
		c := p.dial("192.0.2.1")
		_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, cutAfter(c))
	})
}

// echo answers a body, or 400 where it cannot be read.
func echo(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = w.Write(text)
}

// Who sends a body slowly has no place meanwhile, whatever its length.
func TestSlowBodiesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := served(t, answering(newBodies(byAddress).gather(limited(1).of(http.HandlerFunc(echo))), newBudget(maxAnswers, byAddress)))
		var slow []net.Conn
		for range 150 {
			c := p.dial("192.0.2.1")
			_, err := fmt.Fprintf(c, "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n%s", strings.Repeat("a", 20_000))
			require.NoError(t, err)
			slow = append(slow, c)
		}
		synctest.Wait()
		for _, size := range []int{1, shortBody - 1, shortBody, shortBody + 1, shortBody + piece, shortBody + piece + 1, 900_000, maxBody - 1} {
			body := strings.Repeat("0123456789", size/10+1)[:size]
			status, got := asked(t, p, "192.0.2.2", http.MethodPost, "/api/x", body)
			require.Equal(t, http.StatusOK, status, size)
			require.Equal(t, body, got, size)
		}
		// All of them together would be refused at one instant, and wait in line for the
		// one place to be told so: which of them find none is nobody's business here.
		for _, c := range slow[1:] {
			require.NoError(t, c.Close())
		}
		began := time.Now()
		response, err := http.ReadResponse(bufio.NewReader(slow[0]), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, response.StatusCode)
		require.Equal(t, 14*time.Second, time.Since(began), "10 seconds and one for each 4 KiB")
		require.NoError(t, response.Body.Close())
		require.NoError(t, slow[0].Close())
	})
}

// Bodies that come have a bound together. A network that holds most of it loses
// first, a stranger before somebody signed in, and nobody for their own next one.
func TestBodiesHeldHaveABoundTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBodies(byAddress)
		p := served(t, answering(b.gather(limited(1).of(http.HandlerFunc(echo))), newBudget(maxAnswers, byAddress)))
		begin := func(from string) net.Conn {
			c := p.dial(from)
			_, err := fmt.Fprintf(c, "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n%s", strings.Repeat("a", 980_000))
			require.NoError(t, err)
			synctest.Wait()
			return c
		}
		const each = 1_000_000
		for range maxLongBodies / each {
			begin("192.0.2.1")
		}
		require.LessOrEqual(t, b.long.used, maxLongBodies)
		status, _ := asked(t, p, "192.0.2.1", http.MethodPost, "/api/x", strings.Repeat("b", each))
		require.Equal(t, http.StatusServiceUnavailable, status, "more of the same network waits for room, and finds none")
		begin("192.0.2.3")
		for _, from := range []string{"192.0.2.2", "192.0.2.200"} {
			status, got := asked(t, p, from, http.MethodPost, "/api/x", strings.Repeat("b", each))
			require.Equal(t, http.StatusOK, status)
			require.Len(t, got, each)
		}
		require.LessOrEqual(t, b.long.used, maxLongBodies)
	})
}

// What a body was held in is used for another once nobody reads the first any more,
// and not before.
func TestABodyIsItsOwnWhileItIsRead(t *testing.T) {
	t.Parallel()
	b := newBodies(everybody)
	ask := func(fill string, h http.HandlerFunc) string {
		body := strings.NewReader(strings.Repeat(fill, 10*piece))
		return through(t, b.gather(h), http.MethodPost, "/api/x", body).Body.String()
	}
	for range 3 {
		got := ask("a", func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, strings.Repeat("b", 10*piece), ask("b", echo))
			echo(w, r)
		})
		require.Equal(t, strings.Repeat("a", 10*piece), got)
	}
}

// A body that cannot be read is told to the handler, which answers it.
func TestABrokenBodyReachesTheHandler(t *testing.T) {
	t.Parallel()
	h := newBodies(everybody).gather(http.HandlerFunc(echo))
	body, sender := io.Pipe()
	go func() {
		_, _ = io.WriteString(sender, "begun")
		_ = sender.CloseWithError(errors.New("gone"))
	}()
	w := through(t, h, http.MethodPost, "/api/x", body)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "begun", w.Body.String())
}

// Of what is longer than the API takes, and of what nothing here takes, nothing
// is read ahead.
func TestBodiesThatAreNotWantedAreNotHeld(t *testing.T) {
	t.Parallel()
	b := newBodies(everybody)
	for target, body := range map[string]io.Reader{
		"/api/x": strings.NewReader(strings.Repeat("a", maxBody)), "/assignments": strings.NewReader("a"),
	} {
		read := false
		h := b.gather(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, read = r.Body.(readBody)
		}))
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, body))
		require.False(t, read, target)
	}
	endless := through(t, b.gather(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprintln(w, n, err)
	})), http.MethodPost, "/api/x", io.LimitReader(zeros{}, 3*maxBody))
	require.Equal(t, fmt.Sprintln(3*maxBody, "<nil>"), endless.Body.String(), "the handler decides where to stop")
	require.Zero(t, b.long.used+b.short.used)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// Connections have a bound together: past it the network with most loses idle ones.
func TestConnectionsHaveABoundTogether(t *testing.T) {
	t.Parallel()
	c := newConnections(64, nil)
	at := func(from string) *connection {
		conn := &connection{Conn: &watched{addressed: addressed{from: from}}}
		c.changed(conn, http.StateNew)
		return conn
	}
	closed := func(c *connection) bool { return c.Conn.(*watched).closed } //nolint:forcetypeassert // see at
	modest := at("192.0.2.2")
	var greedy []*connection
	for range 63 {
		greedy = append(greedy, at("192.0.2.1"))
	}
	c.changed(greedy[20], http.StateActive)
	c.changed(greedy[40], http.StateActive)
	c.changed(greedy[40], http.StateIdle)
	c.changed(modest, http.StateActive)
	c.changed(modest, http.StateIdle)
	newcomer := at("192.0.2.3")
	require.True(t, closed(greedy[40]), "the idle one of those who have most")
	at("192.0.2.1")
	require.True(t, closed(greedy[0]), "then the first that asked nothing")
	for _, kept := range []*connection{modest, newcomer, greedy[1], greedy[20]} {
		require.False(t, closed(kept))
	}
	c.changed(modest, http.StateClosed)
	c.changed(greedy[0], http.StateClosed)
	require.Equal(t, 63, c.open)
}

// Where there are many connections, those that nobody uses go: not a proxy's, not
// those in use, and none where there are few.
func TestIdleConnectionsGoFromACrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newConnections(maxConnections, []netip.Prefix{netip.MustParsePrefix("192.0.2.9/32")})
		at := func(from string, state http.ConnState) *watched {
			conn := &watched{addressed: addressed{from: from}}
			known := &connection{Conn: conn}
			c.changed(known, http.StateNew)
			c.changed(known, state)
			return conn
		}
		idle, proxy, busy := at("192.0.2.1", http.StateIdle), at("192.0.2.9", http.StateIdle), at("192.0.2.2", http.StateActive)
		<-time.After(idleWithin)
		for range crowdedFrom - 3 {
			at("192.0.2.3", http.StateActive)
		}
		<-time.After(2 * lookEvery)
		require.False(t, idle.closed, "that many are no crowd")
		last := at("192.0.2.4", http.StateIdle)
		<-time.After(lookEvery)
		synctest.Wait()
		require.True(t, idle.closed)
		require.False(t, last.closed, "it has just been used")
		require.False(t, proxy.closed || busy.closed)
		at("192.0.2.5", http.StateActive)
		<-time.After(idleInCrowd)
		synctest.Wait()
		require.True(t, last.closed)
		<-time.After(2 * lookEvery)
		require.False(t, c.looking, "nobody looks where there is no crowd any more")
	})
}

// watched is a connection that tells whether it was closed.
type watched struct {
	addressed
	closed bool
}

func (w *watched) Close() error {
	w.closed = true
	return nil
}
