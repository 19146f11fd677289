package linkhealth

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// to is a handler that redirects to its query.
func to(w http.ResponseWriter, r *http.Request) {
	where, err := url.QueryUnescape(r.URL.RawQuery)
	if err != nil {
		where = "/"
	}
	w.Header().Set("Location", where)
	w.WriteHeader(http.StatusFound)
}

func TestPrivateAddressesAreNotDialled(t *testing.T) {
	t.Parallel()
	inside := map[string][]string{ // the name server's answers by name
		"loopback.test": {"127.0.0.1"}, "loopback6.test": {"::1"}, "mapped.test": {"::ffff:127.0.0.1"}, "private.test": {"10.0.0.7"},
		"metadata.test": {"169.254.169.254"}, "platform.test": {"168.63.129.16"}, "metadata.google.internal": {publicAddress}, "Instance-Data": {publicAddress}, "carrier.test": {"100.64.0.1"}, "unique.test": {"fd00::1"}, "nat64.test": {"64:ff9b::7f00:1"},
		"localnat64.test": {"64:ff9b:1::7f00:1"}, "sixtofour.test": {"2002:7f00:1::1"}, "teredo.test": {"2001:0:7f00:1::1"}, "multicast.test": {"ff02::1", "224.0.0.1"},
		"linklocal.test": {"fe80::1"}, "unspecified.test": {"0.0.0.0", "::"}, "broadcast.test": {"255.255.255.255"}, "all.test": {"127.0.0.1", "::1", "10.0.0.7"},
	}
	hosts := []string{
		"localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
		"[::127.0.0.1]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "198.18.0.1", "224.0.0.1", "255.255.255.255",
		"168.63.129.16", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]", "metadata.google.internal.", "api.metadata.goog", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fec0::1]", "[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001::7f00:1]", "[100::1]",
	}
	for name := range inside {
		hosts = append(hosts, name)
	}
	for _, host := range hosts {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, http.HandlerFunc(to))
			for name, addresses := range inside {
				w.names[name] = [][]string{addresses}
			}
			link := "http://" + host + ":" + w.port + "/"
			require.Equal(t, Seen{Result: Unknown}, w.see(t, link))
			require.Empty(t, w.dialed)
			require.Equal(t, Seen{Result: Unknown}, w.see(t, w.url("/?"+url.QueryEscape(link))), "redirected")
			require.Len(t, w.dialed, 1)
			w.nothingInside(t)
		})
	}
}

func TestUnusableAddressesAreNotRequested(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.HandlerFunc(to))
	at := "public.test:" + w.port
	for _, link := range []string{
		"", "/", "no address", "http://", "http:///path", "http:opaque", "file:///etc/passwd", "ftp://" + at + "/", "gopher://" + at, "javascript:alert(1)", "data:text/html,x",
		"http://ada@" + at + "/", "http://ada:secret@" + at + "/", "http://:@" + at + "/", "http://public.test:1/", "http://public.test:22/", "http://public.test:99999/", "http://public.test:http/",
		"http://nowhere.test:" + w.port, "http://public.test:" + w.port + "%2f@127.0.0.1/", "http://[public.test]:" + w.port, "http://[::1", "\x00", "http://a b/",
	} {
		require.Equal(t, Seen{Result: Unknown}, w.see(t, link), link)
		require.Empty(t, w.dialed, link)
		require.Equal(t, Unknown, w.see(t, w.url("/?"+url.QueryEscape(link))).Result, "redirected to %q", link)
		w.nothingInside(t)
		w.dialed = nil
	}
}

// A name that resolves to a public address first, and to a private one when it is dialled
// again.
func TestNamesThatResolveToAnotherAddressLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.HandlerFunc(to))
	w.names["rebind.test"] = [][]string{{publicAddress}, {"127.0.0.1"}}
	link := "http://rebind.test:" + w.port
	require.Equal(t, Unknown, w.see(t, link+"/?"+url.QueryEscape(link+"/again")).Result)
	require.Len(t, w.dialed, 1)
	require.Equal(t, 2, w.asked["rebind.test"])
	w.nothingInside(t)
}

// Of several addresses only the public ones are tried.
func TestNamesWithPrivateAddressesToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.NotFoundHandler())
	w.names["both.test"] = [][]string{{"127.0.0.1", "::1", publicAddress, "10.0.0.7"}}
	require.Equal(t, Gone, w.see(t, "http://both.test:"+w.port).Result)
	w.nothingInside(t)
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/down/%d", &n); err == nil && n == 0 {
			return
		}
		switch {
		case r.URL.Path == "/nowhere":
			w.WriteHeader(http.StatusFound)
		case n > 0:
			http.Redirect(w, r, fmt.Sprint("/down/", n-1), http.StatusPermanentRedirect)
		default:
			http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
		}
	}))
	require.Equal(t, Reachable, w.see(t, w.url("/down/5")).Result)
	require.EqualValues(t, 6, asked.Swap(0))
	require.Equal(t, Unknown, w.see(t, w.url("/down/6")).Result)
	require.EqualValues(t, 6, asked.Swap(0))
	require.Equal(t, Unknown, w.see(t, w.url("/loop")).Result)
	require.EqualValues(t, 6, asked.Swap(0))
	require.Equal(t, Unknown, w.see(t, w.url("/nowhere")).Result)
}

// Endless bodies, compressed or not, cost no more than the bound.
func TestBodiesWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, encoding := range map[string]string{"plain": "", "packed": "gzip", "in an encoding of its own": "br", "twice packed": "gzip, gzip"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan int64, 1)
			w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				var out io.Writer = w
				if encoding != "" {
					w.Header().Set("Content-Encoding", encoding)
				}
				if strings.Contains(encoding, "gzip") {
					out = gzip.NewWriter(out)
				}
				var sent int64
				for chunk := make([]byte, 1<<16); ; sent += int64(len(chunk)) {
					if _, err := out.Write(chunk); err != nil || sent > 1<<36 {
						break
					}
				}
				ended <- sent
			}))
			w.maxTime = time.Minute
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.Equal(t, Reachable, w.see(t, w.url("/"), "Ada Lovelace").Result)
			runtime.ReadMemStats(&after)
			if packed := encoding == "gzip"; !packed {
				require.Less(t, <-ended, int64(64<<20), "sent before the connection was closed")
			} else {
				require.Less(t, <-ended, int64(1<<36))
			}
			require.Less(t, after.HeapInuse, before.HeapInuse+128<<20)
		})
	}
}

// A slow server is not waited for beyond the bound of a check.
func TestAnswersThatComeSlowly(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request, text string) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(time.Millisecond):
			}
		}
	}
	for path, want := range map[string]Result{
		"/header": Unknown, "/body": Reachable, "/hops": Unknown, "/early": Unknown, "/long": Unknown, "/silent": Unknown,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				switch r.URL.Path {
				case "/header":
					<-r.Context().Done()
				case "/body":
					w.Header().Set("Content-Type", "text/html")
					drip(w, r, "<p>")
				case "/hops":
					select {
					case <-r.Context().Done():
					case <-time.After(30 * time.Millisecond):
						http.Redirect(w, r, "/hops", http.StatusFound)
					}
				case "/early":
					for r.Context().Err() == nil {
						w.WriteHeader(http.StatusEarlyHints)
					}
				case "/long":
					for n := range 100 {
						w.Header().Set(fmt.Sprint("X-", n), strings.Repeat("a", 1000))
					}
				case "/silent":
					c, _, err := w.(http.Hijacker).Hijack()
					if err == nil {
						_, _ = io.Copy(io.Discard, c) // until the other side closes
						_ = c.Close()
					}
				}
			}))
			w.maxTime = 100 * time.Millisecond
			if want == Reachable {
				w.maxTime = 2 * time.Second // for the header to arrive on a busy machine
			}
			started := time.Now()
			require.Equal(t, want, w.see(t, w.url(path)).Result)
			require.Less(t, time.Since(started), 30*time.Second)
			require.LessOrEqual(t, asked.Load(), int64(4), "a tenth of a second is for all hops together")
		})
	}
}

// Cookies are not sent back, and requests carry no referrer.
func TestRequestsCarryNoIdentity(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
	t.Setenv("http_proxy", "http://127.0.0.1:9")
	var last http.Header
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last = r.Header
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		if r.URL.Path != "/end" {
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	}))
	require.Equal(t, Reachable, w.see(t, w.url("/start#part")).Result)
	require.Equal(t, http.Header{
		"User-Agent": {"test"}, "Accept": {"text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}, "Accept-Encoding": {"gzip"}, "Connection": {"close"},
	}, last)
}

// U+FDFA stands for 18 characters: a page of nothing else costs as little as any page.
func TestTextThatGrowsIsBounded(t *testing.T) {
	t.Parallel()
	p := &page{}
	p.text.WriteString("Ada Lovelace " + strings.Repeat("\ufdfa", maxRead/3))
	require.LessOrEqual(t, len(fold(p.text.String())), maxFolded)
	require.True(t, p.names([]string{"ada lovelace"}))
}
