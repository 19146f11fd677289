package linkhealth

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"time"

	"code.dny.dev/ssrf"
)

// Result is the outcome of a check.
type Result string

// Results.
const (
	// Reachable documents are readable without an account.
	Reachable Result = "reachable"
	// SignIn documents ask for an account first.
	SignIn Result = "sign-in"
	// Gone documents do not exist (any more).
	Gone Result = "gone"
	// Unknown is everything else: no answer in time, an unclear answer, a private
	// address.
	Unknown Result = "unknown"
)

// Seen is the result of a check, with its details.
type Seen struct {
	Result Result
	// Named reports whether the page contains one of the given names.
	Named bool
}

// Bounds of one check.
const (
	// maxRedirects are followed, each with the checks of the first address.
	maxRedirects = 5
	// maxTime bounds the network time, without waiting for hosts' turns.
	maxTime = 5 * time.Second
	// maxRead bounds a page in bytes, both as received and decompressed.
	maxRead = 1 << 20
	// maxHeader bounds a header in bytes.
	maxHeader = 64 << 10
	// pace is the time between two requests to one host.
	pace = time.Second
	// patience is how long a check waits for its host's turn before it returns a
	// [LaterError].
	patience = 3 * time.Second
)

// Checker checks links. It is safe for concurrent use.
type Checker struct {
	transport *http.Transport
	agent     string
	turns     turns
	maxTime   time.Duration
	patience  time.Duration
	// publicOnly also refuses the host names of cloud platforms.
	publicOnly bool
}

// Reach is the set of addresses that a Checker dials.
type Reach string

// Reaches.
const (
	// Public is all public addresses, on the ports 80 and 443.
	Public Reach = "public"
	// Any is every address and port: for tests.
	Any Reach = "any"
)

// New returns a Checker that sends agent as its user agent.
func New(reach Reach, agent string) *Checker {
	guard := newGuard()
	if reach == Any {
		guard = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(everything4), ssrf.WithAllowedV6Prefixes(everything6))
	}
	c := newChecker(&net.Dialer{Control: guard.Safe, Resolver: &net.Resolver{PreferGo: true}}, agent)
	c.publicOnly = reach != Any
	return c
}

func newChecker(dialer *net.Dialer, agent string) *Checker {
	plain := &http.Protocols{}
	plain.SetHTTP1(true)
	return &Checker{
		transport: &http.Transport{
			DialContext: dialer.DialContext, Proxy: nil, Protocols: plain,
			DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		},
		agent: agent, turns: turns{pace: pace}, maxTime: maxTime, patience: patience,
	}
}

// Check requests a link and searches its page for names. An error means that the check
// did not happen and is to be repeated: [LaterError] if the host is busy for now, or
// ctx's error.
func (c *Checker) Check(ctx context.Context, link string, names ...string) (Seen, error) {
	at, err := url.Parse(link)
	if err != nil {
		return Seen{Result: Unknown}, nil //nolint:nilerr // an invalid address has no other result
	}
	left := c.maxTime
	for range 1 + maxRedirects {
		if !askable(at) || c.publicOnly && platformHost(at.Hostname()) {
			return Seen{Result: Unknown}, nil
		}
		if signInHost(at.Hostname()) {
			return Seen{Result: SignIn}, nil
		}
		if err := c.turns.wait(ctx, at.Hostname(), c.patience); err != nil {
			return Seen{}, err
		}
		started := time.Now()
		seen, next := c.ask(ctx, at, left, names)
		if ctx.Err() != nil {
			return Seen{}, ctx.Err()
		}
		if next == nil {
			return seen, nil
		}
		at, left = next, left-time.Since(started)
	}
	return Seen{Result: Unknown}, nil
}

// askable reports whether a URL may be requested at all. The dialer's guard checks
// addresses and ports.
func askable(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// ask requests one address and returns its result, or the address it redirects to.
func (c *Checker) ask(ctx context.Context, at *url.URL, within time.Duration, names []string) (Seen, *url.URL) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return Seen{Result: Unknown}, nil
	}
	request.Header.Set("User-Agent", c.agent)
	request.Header.Set("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return Seen{Result: Unknown}, nil
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err := response.Location()
		if err != nil {
			return Seen{Result: Unknown}, nil
		}
		return Seen{}, next
	case http.StatusUnauthorized, http.StatusForbidden:
		return Seen{Result: SignIn}, nil
	case http.StatusNotFound, http.StatusGone:
		return Seen{Result: Gone}, nil
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return Seen{Result: Unknown}, nil
	}
	p := read(response)
	return Seen{Result: cmp.Or(p.asks(), Reachable), Named: p.names(names)}, nil
}
