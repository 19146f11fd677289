package linkhealth

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestResultOfAnswers(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]Result{
		200: Reachable, 204: Reachable, 206: Reachable, 300: Unknown, 304: Unknown, 400: Unknown, 401: SignIn, 402: Unknown, 403: SignIn, 404: Gone, 405: Unknown,
		407: Unknown, 410: Gone, 429: Unknown, 451: Unknown, 500: Unknown, 503: Unknown, 599: Unknown,
	} {
		w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		require.Equal(t, want, w.see(t, w.url("/")).Result, status)
	}
}

// A redirect to a known sign-in host is enough; the host is not requested.
func TestHostsThatSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.HandlerFunc(to))
	for link, want := range map[string]Result{
		"https://accounts.google.com/ServiceLogin?continue=x": SignIn, "https://ACCOUNTS.google.com./": SignIn, "https://login.microsoftonline.com/common": SignIn,
		"https://school.okta.com/login": SignIn, "https://okta.com.evil.test/": Unknown, "https://accounts.google.com.evil.test/": Unknown, "https://notaccounts.google.com.test": Unknown,
	} {
		require.Equal(t, want, w.see(t, w.url("/?"+url.QueryEscape(link))).Result, link)
		require.Equal(t, want, w.see(t, link).Result, link)
	}
	w.nothingInside(t)
}

func TestPagesThatAskForAPassword(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]Result{
		`<form><input type="password"></form>`:                  SignIn,
		`<FORM><INPUT name=p TYPE=' Password '/></FORM>`:        SignIn,
		`<p>type="password"</p>`:                                Reachable,
		`<!-- <input type=password> -->`:                        Reachable,
		`<script>"<input type=password>"</script>`:              Reachable,
		`<p data-type="password"><input type="text" value="x">`: Reachable,
		`<input type="pass`:                                     Reachable,
		// A menu that all pages of a site have.
		`<nav><form><input type=password></form></nav><h1>My essay</h1>`:                       Reachable,
		`<header><div><input type=password></div></header><p>Text</p>`:                         Reachable,
		`<div class="main-menu open"><div></div><input type=password></div><p>Text</p>`:        Reachable,
		`<div id=loginModal hidden><input type=password></div><p>Text</p>`:                     Reachable,
		`<div role=navigation><input type=password></div>` + prose:                             Reachable,
		`<nav><a href=/>Home</a></nav><main><form>Name <input type=password></form></main>`:    SignIn,
		`<nav><form>Sign in <input type=password></form></nav>`:                                SignIn,
		`<title>Sign in</title><style>` + prose + `</style><nav></nav><input type=password>`:   SignIn,
		`<nav></nav><div class=card><input type=password></div><footer>` + prose + `</footer>`: SignIn,
		`<div><input type=password></div>` + prose:                                             Unknown,
		`<form>` + prose + `<input type=password></form>`:                                      SignIn,
		`<nav><nav></nav><input type=password></nav><p>Text</p>`:                               Reachable,
		`<div class=menu/><input type=password></div><p>Text</p>`:                              Reachable,
	} {
		w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if r.URL.Path == "/plain" {
				w.Header().Set("Content-Type", "text/plain")
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, page)
			_ = z.Close()
		}))
		require.Equal(t, want, w.see(t, w.url("/")).Result, page)
		require.Equal(t, Reachable, w.see(t, w.url("/plain")).Result, page)
	}
}

var prose = strings.Repeat("<p>Once upon a time there was a wolf.</p>", 30)

// Some sites answer 403 (DjangoAdminHackers/django-linkcheck#159) or 404 (GCTC-NTGC/gc-digital-talent#17337) to
// programs alone; some refuse everything but a browser that runs their script (linkchecker/linkchecker#926).
func TestSitesThatRefusePrograms(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]Result{
		"/403": Reachable, "/404": Reachable, "/password": SignIn, "/away": Reachable, "/private": SignIn, "/none": Gone,
		"/challenge": Unknown, "/challenge404": Unknown, "/captcha": Unknown, "/broken": Unknown,
	} {
		var asked atomic.Int64
		w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			program := !strings.HasPrefix(r.UserAgent(), "Mozilla/")
			switch r.URL.Path {
			case "/private":
				w.WriteHeader(http.StatusForbidden)
			case "/challenge", "/challenge404":
				w.Header().Set("Cf-Mitigated", "challenge")
				w.WriteHeader(map[string]int{"/challenge": http.StatusForbidden, "/challenge404": http.StatusNotFound}[r.URL.Path])
			case "/captcha":
				w.Header().Set("X-Datadome", "protected")
			case "/404", "/none":
				if program || r.URL.Path == "/none" {
					w.WriteHeader(http.StatusNotFound)
				}
			default:
				switch {
				case program:
					w.WriteHeader(http.StatusForbidden)
				case r.URL.Path == "/away":
					http.Redirect(w, r, "/403", http.StatusFound)
				case r.URL.Path == "/broken":
					w.WriteHeader(http.StatusInternalServerError)
				case r.URL.Path == "/password":
					_, _ = io.WriteString(w, "<html><input type=password>")
				}
			}
		}))
		require.Equal(t, want, w.see(t, w.url(path)).Result, path)
		require.LessOrEqual(t, asked.Load(), int64(3), path)
	}
}

func TestPagesThatNameTheSubmitter(t *testing.T) {
	t.Parallel()
	names := []string{"Ada Lovelace", "ada@example.org", " ", "é"}
	for _, c := range []struct {
		kind, page string
		want       bool
	}{
		{"text/html", "<title>Essay by ADA  LOVELACE</title>", true},
		{"text/html", "<td>Ada</td><td>Lovelace</td>", true},
		{"text/html", "<b>Ada&#32;Lovelace</b>", true},
		{"text/html", "<p>Ada\nLovelace's essay", true},
		{"text/html", `<meta name="author" content="Ada Lovelace">`, true},
		{"text/html", `<a href="mailto:Ada@Example.org">write</a>`, true},
		{"text/html", `<script>model = {"s":"Essay\nAda Lovelace\n"}</script>`, true},
		{"text/html", `<script>model = {"s":"Ad\u0061 Lovelace"}</script>`, true},
		{"text/html", "<p>Ａｄａ Lovelace</p>", true},
		{"text/html; charset=utf-16le", utf16("<p>Ada Lovelace</p>"), true},
		{"text/plain", "by Ada Lovelace.", true},
		{"", "by Ada Lovelace.", true},
		{"text/html", "<p>Adam Ada Lovelaces</p>", false},
		{"text/html", "<p>Canada Lovelace</p>", false},
		{"text/html", "<p>xada@example.org</p>", false},
		{"text/html", "<p>Ada and others. Lovelace.</p>", false},
		{"text/html", "<!-- Ada Lovelace -->", false},
		{"application/pdf", "Ada Lovelace", false},
		{"text/html", "é", false},
		{"text/html", "", false},
	} {
		w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{c.kind}
			if c.kind == "" {
				w.Header()["Content-Type"] = nil
			}
			_, _ = io.WriteString(w, c.page)
		}))
		require.Equal(t, Seen{Result: Reachable, Named: c.want}, w.see(t, w.url("/"), names...), c.page)
		require.False(t, w.see(t, w.url("/")).Named, "no name was given")
	}
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<p>作者是田中太郎的报告</p>")
	}))
	require.True(t, w.see(t, w.url("/"), "田中太郎").Named, "no spaces stand around it")
}

func utf16(s string) string {
	out := make([]byte, 0, 2*len(s))
	for _, r := range s {
		out = append(out, byte(r), 0)
	}
	return string(out)
}

// Any dials addresses that Public refuses.
func TestAnyAddress(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	for reach, want := range map[Reach]Result{Any: Gone, Public: Unknown} {
		seen, err := New(reach, "test").Check(t.Context(), s.URL)
		require.NoError(t, err)
		require.Equal(t, want, seen.Result, reach)
	}
}

// An interrupted check has no result, not even Unknown.
func TestInterruptedChecks(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	w := newWorld(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}))
	_, err := w.Check(ctx, w.url("/"))
	require.ErrorIs(t, err, context.Canceled)
}

func TestHostsAreRequestedOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns, started := turns{pace: pace}, time.Now()
		for n := range 4 {
			require.NoError(t, turns.wait(t.Context(), "Busy.test", patience))
			require.NoError(t, turns.wait(t.Context(), "free"+string(rune('a'+n)), patience))
			require.Equal(t, time.Duration(n)*pace, time.Since(started))
		}
		done := make(chan error, 4)
		for range 4 {
			go func() { done <- turns.wait(t.Context(), "busy.test.", patience) }()
		}
		synctest.Wait()
		later := &LaterError{}
		require.ErrorAs(t, <-done, &later, "three wait; that the fourth comes is further off than it may wait")
		for n := range 3 { // each refused caller gets a second of its own
			err := turns.wait(t.Context(), "busy.test", patience)
			again := &LaterError{}
			require.ErrorAs(t, err, &again)
			require.Equal(t, later.After+time.Duration(n+1)*pace, again.After)
		}
		for range 3 {
			require.NoError(t, <-done)
		}
		require.Equal(t, 6*pace, time.Since(started))
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.ErrorIs(t, turns.wait(ctx, "busy.test", patience), context.Canceled)
	})
}

// Redirects count as much as links do.
func TestChecksWaitForTheirHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	w.turns.pace = time.Hour
	w.names["other.test"] = [][]string{{publicAddress}}
	require.Equal(t, Reachable, w.see(t, w.url("/")).Result)
	later := &LaterError{}
	_, err := w.Check(t.Context(), w.url("/"))
	require.ErrorAs(t, err, &later)
	_, err = w.Check(t.Context(), "http://other.test:"+w.port+"/again")
	require.ErrorAs(t, err, &later, "the host that it redirects to is the same one")
	require.Len(t, w.dialed, 2)
}

func TestHostsAreForgotten(t *testing.T) {
	t.Parallel()
	turns, now := turns{pace: pace}, time.Now()
	for n := range 100 * fewHosts {
		_, err := turns.take(string(rune('a'+n%26))+time.Duration(n).String(), now.Add(time.Duration(n)*time.Millisecond), patience)
		require.NoError(t, err)
		require.LessOrEqual(t, len(turns.hosts), 3*fewHosts)
	}
}
