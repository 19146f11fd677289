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

// Result says what a look at a link found.
type Result string

// What a link can be.
const (
	// Reachable is what anybody can read.
	Reachable Result = "reachable"
	// SignIn is what asks for an account first.
	SignIn Result = "sign-in"
	// Gone is what is not there any more, or never was.
	Gone Result = "gone"
	// Unknown is everything else: no answer in time, an answer that says nothing, an
	// address that is not public.
	Unknown Result = "unknown"
)

// Seen is what a look has found.
type Seen struct {
	Result Result
	// Named tells that the page has one of the names in it that were looked for.
	Named bool
}

// What one look may cost.
const (
	// maxRedirects are followed, each as carefully as the first address.
	maxRedirects = 5
	// maxTime is all the time that the network gets, turns of hosts aside.
	maxTime = 5 * time.Second
	// maxRead is the most that is read of a page, in bytes: as it comes, and again
	// once it is decompressed.
	maxRead = 1 << 20
	// maxHeader is the most that a header may have, in bytes.
	maxHeader = 64 << 10
	// pace is the time between two requests to one host.
	pace = time.Second
	// patience is how long a look waits for its host's turn before it is to come again.
	patience = 3 * time.Second
)

// Checker looks at links. It is safe for concurrent use.
type Checker struct {
	transport *http.Transport
	agent     string
	turns     turns
	maxTime   time.Duration
	patience  time.Duration
	// publicOnly also refuses the host names of cloud platforms.
	publicOnly bool
}

// Reach says which addresses a Checker dials.
type Reach string

// What may be dialled.
const (
	// Public addresses, on the ports 80 and 443.
	Public Reach = "public"
	// Any address and port: for tests.
	Any Reach = "any"
)

// New makes a Checker that names itself agent to those it asks.
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

// Look looks at a link, and for names on its page. An error says that it has not
// looked and is to be asked again: [LaterError] where the host has been asked often
// enough for now, or ctx's own.
func (c *Checker) Look(ctx context.Context, link string, names ...string) (Seen, error) {
	at, err := url.Parse(link)
	if err != nil {
		return Seen{Result: Unknown}, nil //nolint:nilerr // what is no address is not known
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

// askable tells whether an address is one to ask at all. Which port and which
// machine that is, the dialer's guard decides.
func askable(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// ask asks for one address and returns what it is, or the address it redirects to.
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
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
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
