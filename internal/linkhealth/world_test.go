package linkhealth

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// publicAddress stands for the internet: the guard of these tests allows it, and refuses
// everything else that the guard of production refuses.
const publicAddress = "127.0.0.2"

// world is a hostile server, a private machine that must not be reached, and name servers
// with given answers. Both machines listen on one port, so that only the address differs.
type world struct {
	*Checker
	port string

	mu     sync.Mutex
	dialed []string // every dialled address
	asked  map[string]int
	names  map[string][][]string // a host's addresses, by query

	inside atomic.Int64 // connections to the private machine
}

// newWorld serves hostile at publicAddress.
func newWorld(t *testing.T, hostile http.Handler) *world {
	t.Helper()
	w := &world{asked: map[string]int{}, names: map[string][][]string{"public.test": {{publicAddress}}}}
	outside, inside := twoListeners(t)
	w.port = strconv.Itoa(outside.Addr().(*net.TCPAddr).Port)
	serve := func(l net.Listener, h http.Handler) {
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}}
		s.Start()
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	}
	serve(outside, hostile)
	serve(&counted{inside, &w.inside}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))

	guard := newGuard(ssrf.WithPorts(uint16(outside.Addr().(*net.TCPAddr).Port)), ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix(publicAddress+"/32")))
	w.Checker = newChecker(&net.Dialer{
		Resolver: &net.Resolver{PreferGo: true, Dial: w.nameServer},
		Control: func(network, address string, c syscall.RawConn) error {
			if err := guard.Safe(network, address, c); err != nil {
				return err
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.dialed = append(w.dialed, address)
			return nil
		},
	}, "test")
	w.turns.pace, w.publicOnly = 0, true
	return w
}

// url returns an address of the hostile server.
func (w *world) url(path string) string { return "http://public.test:" + w.port + path }

// see checks a link that must not return an error.
func (w *world) see(t *testing.T, link string, names ...string) Seen {
	t.Helper()
	seen, err := w.Check(t.Context(), link, names...)
	require.NoError(t, err)
	return seen
}

// nothingInside requires that only the hostile server was dialled.
func (w *world) nothingInside(t *testing.T) {
	t.Helper()
	require.Zero(t, w.inside.Load())
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.dialed {
		require.Equal(t, net.JoinHostPort(publicAddress, w.port), a)
	}
}

func twoListeners(t *testing.T) (outside, inside net.Listener) {
	t.Helper()
	listen := &net.ListenConfig{}
	for range 50 {
		inside, err := listen.Listen(t.Context(), "tcp4", "127.0.0.1:0")
		require.NoError(t, err)
		_, port, err := net.SplitHostPort(inside.Addr().String())
		require.NoError(t, err)
		outside, err := listen.Listen(t.Context(), "tcp4", net.JoinHostPort(publicAddress, port))
		if err == nil {
			return outside, inside
		}
		require.NoError(t, inside.Close())
	}
	require.Fail(t, "no port is free on both addresses")
	return nil, nil
}

type counted struct {
	net.Listener
	n *atomic.Int64
}

func (c *counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.n.Add(1)
	}
	return conn, err
}

// nameServer answers one query from [world.names].
func (w *world) nameServer(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer func() { _ = ours.Close() }() // the other end is closed
		for {
			var size [2]byte
			if _, err := io.ReadFull(ours, size[:]); err != nil {
				return
			}
			question := make([]byte, binary.BigEndian.Uint16(size[:]))
			if _, err := io.ReadFull(ours, question); err != nil {
				return
			}
			answer, err := w.answer(question)
			if err != nil {
				return
			}
			if _, err := ours.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
				return
			}
		}
	}()
	return theirs, nil
}

func (w *world) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	q := m.Questions[0]
	host := canonical(q.Name.String())
	w.mu.Lock()
	defer w.mu.Unlock()
	times := w.names[host]
	if times == nil {
		m.RCode = dnsmessage.RCodeNameError
		return m.Pack()
	}
	if q.Type == dnsmessage.TypeA {
		w.asked[host]++
	}
	for _, a := range times[min(max(w.asked[host]-1, 0), len(times)-1)] {
		ip := netip.MustParseAddr(a)
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
		switch {
		case q.Type == dnsmessage.TypeA && ip.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}})
		case q.Type == dnsmessage.TypeAAAA && ip.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	return m.Pack()
}
