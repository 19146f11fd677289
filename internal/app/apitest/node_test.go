// Package apitest holds the API to its contract from the outside: it starts a
// whole node on a real listener, on each engine, and talks HTTP to it. It reads
// no code of the server, and of its data only what an answer cannot show.
package apitest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/app"
	"studycircle/internal/site"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/testproxy"
	"studycircle/internal/webtest"
)

func TestMain(m *testing.M) { os.Exit(testpg.Main(m, migrated)) }

// migrated gives every test's PostgreSQL database the present schema.
func migrated(address string) error {
	s, err := store.Open(context.Background(), store.Config{URL: address})
	if err != nil {
		return err
	}
	return s.Close()
}

// node is one running program with a database of its own.
type node struct {
	app      *app.App
	url      string
	direct   string // the same, no balancer in between
	clock    *clock
	client   *http.Client
	database store.Config
}

// clock is a wall clock that a test may move; it runs on from where it is set.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time           { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) jump(ahead time.Duration) { c.ahead.Store(int64(ahead)) }

// onBothEngines runs f on a node with an embedded database and on one with
// PostgreSQL, side by side. The limits on attempts are off.
func onBothEngines(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	bothEngines(t, f, app.Config{})
}

// limitedOnBothEngines is onBothEngines with the limits on.
func limitedOnBothEngines(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	bothEngines(t, f, app.Config{Limits: true})
}

// cheaplyOnBothEngines is onBothEngines with password hashes that cost next to
// nothing, for tests that make thousands of them.
func cheaplyOnBothEngines(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	bothEngines(t, f, app.Config{HashParams: &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}})
}

func bothEngines(t *testing.T, f func(t *testing.T, n *node), c app.Config) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		own := c
		own.Database.Dir = t.TempDir()
		f(t, start(t, own, "http"))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		own := c
		own.Database.URL = testpg.DB(t)
		f(t, start(t, own, "http"))
	})
}

// balancedEnv, set to anything, puts three nodes and a balancer where a test
// asks for one node on PostgreSQL.
const balancedEnv = "STUDYCIRCLE_TEST_BALANCED"

// start runs a node until the test ends. c says what differs from any other
// node; scheme is that of its public address:
// people reach a node over TLS through a proxy, and it still listens in the clear.
func start(t *testing.T, c app.Config, scheme string) *node {
	t.Helper()
	settings, err := site.Load("")
	require.NoError(t, err)
	n := &node{
		database: c.Database, clock: &clock{},
		client: &http.Client{
			Timeout:       time.Minute,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.Brand, c.Version, c.Site, c.Web, c.Now = "StudyCircle", "test", settings, webtest.Least(), n.clock.now
	if os.Getenv(balancedEnv) != "" && c.Database.URL != "" {
		n.listenBalanced(t, c, scheme)
	} else {
		listener := listen(t)
		c.PublicURL = &url.URL{Scheme: scheme, Host: listener.Addr().String(), Path: "/"}
		n.url = "http://" + listener.Addr().String()
		n.direct = n.url
		n.app = serve(t, c, listener)
	}
	t.Cleanup(n.client.CloseIdleConnections)
	return n
}

// listenBalanced makes n three nodes that look like one.
func (n *node) listenBalanced(t *testing.T, c app.Config, scheme string) {
	t.Helper()
	balancer, err := testproxy.New()
	require.NoError(t, err)
	n.url = "http://" + balancer.Address()
	c.PublicURL = &url.URL{Scheme: scheme, Host: balancer.Address(), Path: "/"}
	c.TrustedProxies = append(c.TrustedProxies, netip.MustParsePrefix("127.0.0.0/8"))
	var addresses []string
	for range 3 {
		listener := listen(t)
		addresses = append(addresses, listener.Addr().String())
		n.direct = "http://" + listener.Addr().String()
		n.app = serve(t, c, listener)
	}
	t.Cleanup(func() { require.NoError(t, balancer.Stop()) })
	require.NoError(t, balancer.Start(t.Context(), addresses))
}

// ended waits until every node knows that a session has ended: the one where it
// did at once, so there is nothing to wait for without a balancer, the others
// within five seconds.
func (u *user) ended(t *testing.T) {
	t.Helper()
	if u.n.direct == u.n.url {
		return
	}
	ended := time.Now()
	require.Eventually(t, func() bool {
		asked := time.Since(ended)
		for range 6 { // twice around
			if u.get(t, "/api/submissions").status != http.StatusUnauthorized {
				assert.Less(t, asked, 5*time.Second, "still let in")
				return false
			}
		}
		return true
	}, time.Minute, 100*time.Millisecond)
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

// serve runs one program on listener until the test ends.
func serve(t *testing.T, c app.Config, listener net.Listener) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), c)
	require.NoError(t, err)
	server := &http.Server{Handler: a.Handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}
