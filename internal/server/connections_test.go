package server

import (
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Connections have a common bound: beyond it the network with most of them loses idle ones.
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

// Above crowdedFrom connections, idle ones are closed: none of a proxy's, none in use, and none while there are few.
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
		require.False(t, c.looking, "look stops when there are few connections")
	})
}

// A connection on which a request has begun to arrive is not closed as idle, although net/http calls it idle until it
// has read the request's header.
func TestConnectionsWithARequestArrivingStayInACrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newConnections(maxConnections, nil)
		at := func(state http.ConnState) (*connection, net.Conn, *watched) {
			client, server := net.Pipe()
			conn := &watched{addressed: addressed{Conn: server, from: "192.0.2.1"}}
			known := &connection{Conn: conn}
			c.changed(known, http.StateNew)
			c.changed(known, state)
			return known, client, conn
		}
		known, client, conn := at(http.StateIdle)
		_, _, idle := at(http.StateIdle)
		for range crowdedFrom {
			at(http.StateActive)
		}
		<-time.After(idleInCrowd - lookEvery/2)
		go func() { _, _ = client.Write([]byte("POST / HTTP/1.1\r\n")) }()
		n, err := known.Read(make([]byte, 64))
		require.NoError(t, err)
		require.Positive(t, n)
		<-time.After(lookEvery)
		synctest.Wait()
		require.True(t, idle.closed)
		require.False(t, conn.closed)
	})
}

// watched is a connection that reports whether it was closed.
type watched struct {
	addressed
	closed bool
}

func (w *watched) Close() error {
	w.closed = true
	return nil
}
