// Package accountstest holds accounts to their promises from the outside: whole
// nodes on real listeners, on each engine, with a real mail server to send to.
package accountstest

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
	"github.com/stretchr/testify/require"

	"studycircle/internal/app"
	"studycircle/internal/mail"
	"studycircle/internal/openid"
	"studycircle/internal/site"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
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

// clock is a wall clock that a test may move; it runs on from where it is set.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time           { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) advance(by time.Duration) { c.ahead.Add(int64(by)) }

// world is a database with the nodes on it, a mail server, and a clock for all.
type world struct {
	database store.Config
	clock    *clock
	mails    *catcher
	limits   bool
	scheme   string
	// host is the public address's; the listener's where empty.
	host string
	// providers are the OpenID providers that the nodes know.
	providers       []openid.Entry
	providerTimeout time.Duration
	// hash is how dear passwords are; cheap where nil, because these tests sign in
	// some thousand times.
	hash *argon2id.Params
}

var cheap = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// node is one running program.
type node struct {
	*world
	app    *app.App
	url    string
	public string // the origin that people know
}

// onBothEngines runs f in a world with an embedded database and in one with
// PostgreSQL, side by side. Limits are off.
func onBothEngines(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	for name, database := range map[string]func(*testing.T) store.Config{
		"sqlite":   func(t *testing.T) store.Config { t.Helper(); return store.Config{Dir: t.TempDir()} },
		"postgres": func(t *testing.T) store.Config { t.Helper(); return store.Config{URL: testpg.DB(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, &world{database: database(t), clock: &clock{}, mails: catch(t), scheme: "http"})
		})
	}
}

// start runs a node until the test ends.
func (w *world) start(tb testing.TB) *node {
	tb.Helper()
	n, stop := w.startUntil(tb)
	tb.Cleanup(stop)
	return n
}

// startUntil runs a node until stop is called.
func (w *world) startUntil(tb testing.TB) (n *node, stop func()) {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	settings, err := site.Load("")
	require.NoError(tb, err)
	public := &url.URL{Scheme: w.scheme, Host: listener.Addr().String(), Path: "/"}
	if w.host != "" {
		_, port, err := net.SplitHostPort(public.Host)
		require.NoError(tb, err)
		public.Host = net.JoinHostPort(w.host, port)
	}
	n = &node{world: w, public: public.Scheme + "://" + public.Host, url: "http://" + listener.Addr().String()}
	from, err := mail.From("Study & Круг", "", public)
	require.NoError(tb, err)
	sender, err := mail.SMTP("smtp://"+w.mails.address, from)
	require.NoError(tb, err)
	hash := w.hash
	if hash == nil {
		hash = cheap
	}
	n.app, err = app.New(tb.Context(), app.Config{
		Database: w.database, PublicURL: public, Brand: "StudyCircle", Version: "test", Site: settings, Web: webtest.Least(),
		Now: w.clock.now, Mail: sender, Limits: w.limits, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, HashParams: hash,
		Providers: w.providers, ProviderTimeout: w.providerTimeout,
	})
	require.NoError(tb, err)
	server := &http.Server{Handler: n.app.Handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return n, func() {
		// Kept connections that a test forgot must not hold the test up.
		if err := server.Close(); err != nil {
			tb.Errorf("close the server: %v", err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			tb.Errorf("serve: %v", err)
		}
		if err := n.app.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	}
}
