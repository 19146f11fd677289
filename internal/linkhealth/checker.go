package linkhealth

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
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
	// Unknown is everything else: no answer in time, an unclear answer, a site that
	// refuses programs, a private address.
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
	left, agent := c.maxTime, c.agent
	for redirects := 0; redirects <= maxRedirects; {
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
		a := c.ask(ctx, at, left, agent, names)
		if ctx.Err() != nil {
			return Seen{}, ctx.Err()
		}
		left -= time.Since(started)
		switch {
		case a.refused && agent == c.agent:
			agent = browserAgent
		case a.next != nil:
			at = a.next
			redirects++
		default:
			return a.Seen, nil
		}
	}
	return Seen{Result: Unknown}, nil
}

// askable reports whether a URL may be requested at all. The dialer's guard checks
// addresses and ports.
func askable(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// browserAgent is sent after a 403 or 404: some sites answer so to programs alone.
const browserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// challengeHeaders are set by services that let only browsers pass. Their refusal says
// nothing about the document.
var challengeHeaders = []string{"Cf-Mitigated", "X-Datadome", "X-Amzn-Waf-Action", "X-Captcha-Required"}

// answer is the answer of one address.
type answer struct {
	Seen
	next    *url.URL // the address that it redirects to, or nil
	refused bool     // with 403 or 404
}

// ask requests one address.
func (c *Checker) ask(ctx context.Context, at *url.URL, within time.Duration, agent string, names []string) answer {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return of(Unknown)
	}
	request.Header.Set("User-Agent", agent)
	request.Header.Set("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
	request.Header.Set("Accept-Encoding", "gzip")
	if agent == browserAgent {
		request.Header.Set("Accept-Language", "en;q=0.8, *;q=0.5")
	}
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return of(Unknown)
	}
	defer response.Body.Close()
	challenged := slices.ContainsFunc(challengeHeaders, func(h string) bool { return response.Header.Get(h) != "" })
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err := response.Location()
		if err != nil {
			return of(Unknown)
		}
		return answer{next: next}
	case http.StatusUnauthorized:
		return of(SignIn)
	case http.StatusForbidden, http.StatusNotFound:
		result := map[int]Result{http.StatusForbidden: SignIn, http.StatusNotFound: Gone}[response.StatusCode]
		if challenged {
			result = Unknown
		}
		return answer{Seen: Seen{Result: result}, refused: true}
	case http.StatusGone:
		return of(Gone)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 || challenged {
		return of(Unknown)
	}
	p := read(response)
	return answer{Seen: Seen{Result: p.result(), Named: p.names(names)}}
}

func of(r Result) answer { return answer{Seen: Seen{Result: r}} }
