package accountstest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// doc is a JSON object, to send or as received.
type doc = map[string]any

const password = "Correct1Horse"

// browser keeps cookies and a token, and may claim to be anywhere.
type browser struct {
	n       *node
	client  *http.Client
	token   string
	address string // sent as X-Forwarded-For
	agent   string
}

func (n *node) browser(tb testing.TB) *browser {
	tb.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(tb, err)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	tb.Cleanup(transport.CloseIdleConnections)
	// Where an answer leads is for the test to see.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{n: n, client: &http.Client{Jar: jar, Timeout: time.Minute, Transport: transport, CheckRedirect: stay}}
}

// elsewhere is the same browser, talking to another node.
func (b *browser) elsewhere(n *node) *browser {
	other := *b
	other.n = n
	return &other
}

type answer struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    []byte
}

// try is call for goroutines that a test started: it fails by its error alone.
func (b *browser) try(ctx context.Context, method, path string, body any) (*answer, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, b.n.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	if b.address != "" {
		r.Header.Set("X-Forwarded-For", b.address)
	}
	if b.agent != "" {
		r.Header.Set("User-Agent", b.agent)
	}
	response, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	received, err := io.ReadAll(response.Body)
	return &answer{status: response.StatusCode, header: response.Header, cookies: response.Cookies(), body: received}, err
}

func (b *browser) call(tb testing.TB, method, path string, body any) *answer {
	tb.Helper()
	a, err := b.try(tb.Context(), method, path, body)
	require.NoError(tb, err)
	require.NotEqual(tb, http.StatusInternalServerError, a.status, "%s %s: %s", method, path, a.body)
	return a
}

func (b *browser) get(tb testing.TB, path string) *answer {
	tb.Helper()
	return b.call(tb, http.MethodGet, path, nil)
}

func (b *browser) post(tb testing.TB, path string, body any) *answer {
	tb.Helper()
	return b.call(tb, http.MethodPost, path, body)
}

func (b *browser) patch(tb testing.TB, path string, body any) *answer {
	tb.Helper()
	return b.call(tb, http.MethodPatch, path, body)
}

func (b *browser) del(tb testing.TB, path string) *answer {
	tb.Helper()
	return b.call(tb, http.MethodDelete, path, nil)
}

// register opens an account in b.
func (b *browser) register(tb testing.TB, email string) *answer {
	tb.Helper()
	a := b.post(tb, "/api/auth/register", registration(email)).is(tb, http.StatusCreated)
	b.token = a.text(tb, "accessToken")
	return a
}

func registration(email string) doc {
	return doc{"name": "Ada", "email": email, "photoURL": "https://example.org/ada.png", "password": password}
}

// login tries to sign in and keeps the token.
func (b *browser) login(tb testing.TB, email, secret string) *answer {
	tb.Helper()
	a := b.post(tb, "/api/auth/login", doc{"email": email, "password": secret})
	if a.status == http.StatusOK {
		b.token = a.text(tb, "accessToken")
	}
	return a
}

// signedIn tells whether b's token is good.
func (b *browser) signedIn(tb testing.TB) bool {
	tb.Helper()
	a := b.get(tb, "/api/auth/account")
	if a.status != http.StatusOK {
		a.refused(tb, http.StatusUnauthorized, "unauthenticated")
	}
	return a.status == http.StatusOK
}

// endsWithinFiveSeconds waits until b's token is good no more. Who asks earlier may
// be answered later, on a slow machine: nobody who asks after five seconds gets in.
func (b *browser) endsWithinFiveSeconds(tb testing.TB) {
	tb.Helper()
	ended := time.Now()
	require.Eventually(tb, func() bool {
		asked := time.Since(ended)
		in := b.signedIn(tb)
		if in {
			assert.Less(tb, asked, 5*time.Second, "still let in")
		}
		return !in
	}, time.Minute, 50*time.Millisecond)
}

// renewed tells whether b's cookie is good.
func (b *browser) renewed(tb testing.TB) bool {
	tb.Helper()
	return b.get(tb, "/api/auth/session").is(tb, http.StatusOK).json(tb)["user"] != nil
}

func (a *answer) is(tb testing.TB, status int) *answer {
	tb.Helper()
	require.Equal(tb, status, a.status, "%s", a.body)
	return a
}

func (a *answer) refused(tb testing.TB, status int, code string) *answer {
	tb.Helper()
	a.is(tb, status)
	require.Equal(tb, code, a.text(tb, "code"), "%s", a.body)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		assert.NotEmpty(tb, a.header.Get("Retry-After"))
		assert.Contains(tb, a.text(tb, "detail"), "Please try again in ")
	}
	return a
}

func (a *answer) json(tb testing.TB) doc {
	tb.Helper()
	var d doc
	require.NoError(tb, json.Unmarshal(a.body, &d), "%s", a.body)
	return d
}

func (a *answer) text(tb testing.TB, name string) string {
	tb.Helper()
	s, ok := a.json(tb)[name].(string)
	require.True(tb, ok, "%s in %s", name, a.body)
	return s
}

func (a *answer) cookie(name string) *http.Cookie {
	for _, c := range a.cookies {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// crowd is how many clients do the same at once.
const crowd = 32

// atOnce runs f for a crowd and counts the statuses.
func atOnce(tb testing.TB, f func(n int) (*answer, error)) map[int]int {
	tb.Helper()
	var mu sync.Mutex
	var done sync.WaitGroup
	statuses, gate := map[int]int{}, make(chan struct{})
	for n := range crowd {
		done.Go(func() {
			<-gate
			a, err := f(n)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				tb.Errorf("client %d: %v", n, err)
				return
			}
			statuses[a.status]++
		})
	}
	close(gate)
	done.Wait()
	return statuses
}
