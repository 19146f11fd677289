package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/server"
)

// A request under way when the program is told to stop is answered; a new one is not.
func TestStoppingLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	entered, leave, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- serve(ctx, newServing(listener, server.NewHTTP(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-leave
			_, _ = w.Write([]byte("finished"))
		}), nil)), func() { close(left) })
	}()
	address := "http://" + listener.Addr().String()
	answered := make(chan string, 1)
	go func() {
		text, err := fetch(t.Context(), address)
		if err != nil {
			text = err.Error()
		}
		answered <- text
	}()
	<-entered
	stop()
	<-left
	for { // until the listener is closed
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
		if err != nil {
			break
		}
		require.NoError(t, connection.Close())
	}
	close(leave)
	require.Equal(t, "finished", <-answered)
	require.NoError(t, <-stopped)
}

// accepting tells when it has accepted a connection.
type accepting struct {
	net.Listener
	accepted chan struct{}
}

func (a accepting) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if err == nil {
		a.accepted <- struct{}{}
	}
	return c, err
}

// The first request of a connection from before the stop is answered, although it arrives later.
func TestStoppingAnswersAcceptedConnections(t *testing.T) {
	t.Parallel()
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listener := accepting{inner, make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- serve(ctx, newServing(listener, server.NewHTTP(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("answered"))
		}), nil)), func() {})
	}()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String())
	require.NoError(t, err)
	<-listener.accepted
	stop()
	for { // until the listener is closed
		second, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String())
		if err != nil {
			break
		}
		require.NoError(t, second.Close())
		select {
		case <-listener.accepted:
		default:
		}
	}
	_, err = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: study.example.org\r\n\r\n")
	require.NoError(t, err)
	answer, err := io.ReadAll(connection)
	require.NoError(t, err)
	require.Contains(t, string(answer), "answered")
	require.Contains(t, string(answer), "Connection: close")
	require.NoError(t, connection.Close())
	require.NoError(t, <-stopped)
}

func fetch(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // read to the end below
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for flag, spoil := range map[string]func(*serveCommand){
		"--brand":                  func(c *serveCommand) { c.Brand = " " },
		"--brand must be one line": func(c *serveCommand) { c.Brand = "Study\nCircle" },
		"--brand must be one":      func(c *serveCommand) { c.Brand = "Study\x00Circle" },
		"--drain":                  func(c *serveCommand) { c.Drain = -time.Second },
		"--public-url must look like": func(c *serveCommand) {
			c.PublicURL = "https://ada:secret@study.example.org"
		},
		"--public-url": func(c *serveCommand) { c.PublicURL = "https://study.example.org/?a=b" },
	} {
		c := serveCommand{listenFlags: listenFlags{Addr: "127.0.0.1:0"}}
		c.Brand, c.Data, c.RateLimits = "StudyCircle", filepath.Join(t.TempDir(), "data"), "on"
		spoil(&c)
		require.ErrorContains(t, c.Run(t.Context()), flag)
		require.NoDirExists(t, c.Data, "refused before anything is touched")
	}
}
