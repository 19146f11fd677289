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

func (n *node) browser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &browser{n: n, client: &http.Client{Jar: jar, Timeout: time.Minute, Transport: transport}}
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

func (b *browser) call(t testing.TB, method, path string, body any) *answer {
	t.Helper()
	a, err := b.try(t.Context(), method, path, body)
	require.NoError(t, err)
	require.NotEqual(t, http.StatusInternalServerError, a.status, "%s %s: %s", method, path, a.body)
	return a
}

func (b *browser) get(t testing.TB, path string) *answer {
	t.Helper()
	return b.call(t, http.MethodGet, path, nil)
}

func (b *browser) post(t testing.TB, path string, body any) *answer {
	t.Helper()
	return b.call(t, http.MethodPost, path, body)
}

func (b *browser) patch(t testing.TB, path string, body any) *answer {
	t.Helper()
	return b.call(t, http.MethodPatch, path, body)
}

func (b *browser) del(t testing.TB, path string) *answer {
	t.Helper()
	return b.call(t, http.MethodDelete, path, nil)
}

// register opens an account in b.
func (b *browser) register(t testing.TB, email string) *answer {
	t.Helper()
	a := b.post(t, "/api/auth/register", registration(email)).is(t, http.StatusCreated)
	b.token = a.text(t, "accessToken")
	return a
}

func registration(email string) doc {
	return doc{"name": "Ada", "email": email, "photoURL": "https://example.org/ada.png", "password": password}
}

// login tries to sign in and keeps the token.
func (b *browser) login(t testing.TB, email, secret string) *answer {
	t.Helper()
	a := b.post(t, "/api/auth/login", doc{"email": email, "password": secret})
	if a.status == http.StatusOK {
		b.token = a.text(t, "accessToken")
	}
	return a
}

// signedIn tells whether b's token is good.
func (b *browser) signedIn(t testing.TB) bool {
	t.Helper()
	a := b.get(t, "/api/auth/account")
	if a.status != http.StatusOK {
		a.refused(t, http.StatusUnauthorized, "unauthenticated")
	}
	return a.status == http.StatusOK
}

// renewed tells whether b's cookie is good.
func (b *browser) renewed(t testing.TB) bool {
	t.Helper()
	return b.get(t, "/api/auth/session").is(t, http.StatusOK).json(t)["user"] != nil
}

func (a *answer) is(t testing.TB, status int) *answer {
	t.Helper()
	require.Equal(t, status, a.status, "%s", a.body)
	return a
}

func (a *answer) refused(t testing.TB, status int, code string) *answer {
	t.Helper()
	a.is(t, status)
	require.Equal(t, code, a.text(t, "code"), "%s", a.body)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		assert.NotEmpty(t, a.header.Get("Retry-After"))
		assert.Contains(t, a.text(t, "detail"), "Please try again in ")
	}
	return a
}

func (a *answer) json(t testing.TB) doc {
	t.Helper()
	var d doc
	require.NoError(t, json.Unmarshal(a.body, &d), "%s", a.body)
	return d
}

func (a *answer) text(t testing.TB, name string) string {
	t.Helper()
	s, ok := a.json(t)[name].(string)
	require.True(t, ok, "%s in %s", name, a.body)
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
func atOnce(t testing.TB, f func(n int) (*answer, error)) map[int]int {
	t.Helper()
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
				t.Errorf("client %d: %v", n, err)
				return
			}
			statuses[a.status]++
		})
	}
	close(gate)
	done.Wait()
	return statuses
}
