package nodetest

import (
	"errors"
	"io/fs"
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

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/backups"
	"studycircle/internal/mail"
	"studycircle/internal/metrics"
	"studycircle/internal/openid"
	"studycircle/internal/service"
	"studycircle/internal/site"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/testproxy"
	"studycircle/internal/teststore"
	"studycircle/internal/webtest"
)

func TestMain(m *testing.M) {
	os.Exit(testpg.Main(m, teststore.Migrate))
}

// clock is a wall clock that a test may set or stop.
type clock struct {
	ahead atomic.Int64
	stood atomic.Pointer[time.Time]
}

func (c *clock) now() time.Time {
	if at := c.stood.Load(); at != nil {
		return *at
	}
	return time.Now().Add(time.Duration(c.ahead.Load()))
}

// jump sets the clock ahead of the real one by this much; it continues from there.
func (c *clock) jump(ahead time.Duration) { c.ahead.Store(int64(ahead)) }

func (c *clock) advance(by time.Duration) { c.ahead.Add(int64(by)) }

// stand stops the clock at an instant.
func (c *clock) stand(at time.Time) { c.stood.Store(&at) }

// world is a database with its nodes, a mail server, and a common clock.
type world struct {
	database store.Config
	clock    *clock
	// mails receives emails; if nil, they stay in the queue.
	mails  *catcher
	limits bool
	// accessLog is the operator's setting.
	accessLog bool
	// registration and hall are the operator's settings; open and on if empty.
	registration studycircle.RegistrationMode
	hall         studycircle.HallMode
	// enrol are the domains whose verified addresses rosters enroll at once: all of n.user, unless a test says otherwise.
	enrol []string
	// links checks documents' links; if nil, they are not checked.
	links  service.LinkChecker
	scheme string // of the public address: nodes listen in the clear behind a proxy
	// host is the public address's; the listener's if empty.
	host string
	// providers are the OpenID providers that the nodes know.
	providers       []openid.Entry
	providerTimeout time.Duration
	// moderators are the moderators' email addresses.
	moderators []string
	// operators are the operators' email addresses.
	operators []string
	// backups are those that the server keeps.
	backups backups.Config
	web     fs.FS // the web app; the least one if nil
	// hash are the parameters of password hashes; cheap if nil, because tests sign in
	// some thousand times.
	hash *argon2id.Params
	// measured nodes have metrics of their own.
	measured bool
}

var cheap = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// node is one running program.
type node struct {
	*world
	app    *app.App
	url    string
	direct string  // the same, without a balancer
	behind []*node // the balancer's nodes, if any
	public string  // the public origin
	http   *http.Client
	// metrics are those of a measured node; nil without.
	metrics *metrics.Metrics
}

func worldOf(c store.Config) *world {
	return &world{database: c, clock: &clock{}, scheme: "http", enrol: []string{"example.org"}}
}

// onSQLite is a world with an embedded database.
func onSQLite(tb testing.TB) *world {
	tb.Helper()
	return worldOf(store.Config{Dir: teststore.Dir(tb)})
}

// onPostgres is a world with a PostgreSQL database.
func onPostgres(tb testing.TB) *world {
	tb.Helper()
	return worldOf(store.Config{URL: testpg.DB(tb)})
}

// engines are the worlds by the name of their engine.
var engines = map[string]func(testing.TB) *world{"sqlite": onSQLite, "postgres": onPostgres}

// worldOnBothEngines runs f in a world with an embedded database and in one with
// PostgreSQL, side by side, each with a mail server. The limits on attempts are off.
func worldOnBothEngines(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		w.mails = catch(t)
		f(t, w)
	})
}

// onBothEngines runs f on one node of each engine, side by side. The limits on
// attempts are off.
func onBothEngines(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) { t.Helper(); f(t, w.startWhereAsked(t)) })
}

// limitedOnBothEngines is onBothEngines with the limits on.
func limitedOnBothEngines(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		w.limits = true
		f(t, w.startWhereAsked(t))
	})
}

// twoNodes runs f with two nodes on PostgreSQL, and with one node on the embedded
// database, given twice.
func twoNodes(t *testing.T, f func(t *testing.T, a, b *node)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		a, b := w.startTwo(t)
		f(t, a, b)
	})
}

func (w *world) startTwo(t *testing.T) (a, b *node) {
	t.Helper()
	a = w.start(t)
	b = a
	if w.database.URL != "" {
		b = w.start(t)
	}
	return a, b
}

func bothEngines(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) { t.Helper(); f(t, worldOf(c)) })
}

// balancedEnv, if set, puts three nodes and a balancer where a test requests one node on
// PostgreSQL.
const balancedEnv = "STUDYCIRCLE_TEST_BALANCED"

func (w *world) startWhereAsked(t *testing.T) *node {
	t.Helper()
	if os.Getenv(balancedEnv) == "" || w.database.URL == "" {
		return w.start(t)
	}
	return w.startBalanced(t)
}

// startBalanced runs three nodes behind one address.
func (w *world) startBalanced(t *testing.T) *node {
	t.Helper()
	balancer, err := testproxy.New()
	require.NoError(t, err)
	var behind []*node
	var addresses []string
	for range 3 {
		listener := listen(t)
		addresses = append(addresses, listener.Addr().String())
		n, stop := w.serve(t, listener, balancer.Address())
		behind = append(behind, n)
		t.Cleanup(stop)
	}
	t.Cleanup(func() { require.NoError(t, balancer.Stop()) })
	require.NoError(t, balancer.Start(t.Context(), addresses))
	n := *behind[len(behind)-1]
	n.url, n.http, n.behind = "http://"+balancer.Address(), httpClient(), behind
	t.Cleanup(n.http.CloseIdleConnections)
	return &n
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
	listener := listen(tb)
	return w.serve(tb, listener, listener.Addr().String())
}

func listen(tb testing.TB) net.Listener {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	return listener
}

// serve runs one node on listener under a public address.
func (w *world) serve(tb testing.TB, listener net.Listener, known string) (n *node, stop func()) {
	tb.Helper()
	public := &url.URL{Scheme: w.scheme, Host: known, Path: "/"}
	if w.host != "" {
		_, port, err := net.SplitHostPort(known)
		require.NoError(tb, err)
		public.Host = net.JoinHostPort(w.host, port)
	}
	n = &node{world: w, public: public.Scheme + "://" + public.Host, url: "http://" + listener.Addr().String(), http: httpClient()}
	n.direct = n.url
	var err error
	c := w.config(tb, public)
	if w.measured {
		n.metrics = metrics.New("test")
		c.Metrics = n.metrics
	}
	n.app, err = app.New(tb.Context(), c)
	require.NoError(tb, err)
	server := &http.Server{Handler: n.app.Handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return n, func() {
		n.http.CloseIdleConnections()
		// Connections that a test left open must not delay its end.
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

func (w *world) config(tb testing.TB, public *url.URL) app.Config {
	tb.Helper()
	settings, err := site.Load("")
	require.NoError(tb, err)
	enrol, err := studycircle.DomainsOf(w.enrol)
	require.NoError(tb, err)
	c := app.Config{
		Database: w.database, PublicURL: public, Brand: "StudyCircle", Version: "test", Site: settings, Web: webtest.Least(),
		Now: w.clock.now, Limits: w.limits, AccessLog: w.accessLog, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, HashParams: w.hash,
		Links: w.links, Providers: w.providers, ProviderTimeout: w.providerTimeout, Moderators: studycircle.ModeratorsOf(w.moderators), Operators: studycircle.AddressesOf(w.operators),
		Registration: w.registration, EnrolDomains: enrol, Hall: w.hall, Backups: w.backups,
	}
	if w.hash == nil {
		c.HashParams = cheap
	}
	if w.web != nil {
		c.Web = w.web
	}
	if w.mails != nil {
		from, err := mail.From("Study & Круг", "", public)
		require.NoError(tb, err)
		c.Mail, err = mail.SMTP("smtp://"+w.mails.address, from)
		require.NoError(tb, err)
	}
	return c
}

// httpClient reuses connections and does not follow redirects. It asks for no compression, which has tests of its own and
// would take a tenth of all tests' time.
func httpClient() *http.Client {
	return &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// balanced reports whether n is several nodes that look like one.
func (n *node) balanced() bool { return n.direct != n.url }

// each is every node that n is.
func (n *node) each() []*node {
	if n.balanced() {
		return n.behind
	}
	return []*node{n}
}
