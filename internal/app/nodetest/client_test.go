package nodetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// doc is a JSON object, to send or as received.
type doc = map[string]any

// with returns a copy of d with the named fields replaced; the value absent removes a
// field.
func with(d doc, fields ...any) doc {
	out := maps.Clone(d)
	for i := 0; i < len(fields); i += 2 {
		name := fields[i].(string)
		if out[name] = fields[i+1]; fields[i+1] == (absent{}) {
			delete(out, name)
		}
	}
	return out
}

type absent struct{}

// raw is a body that is sent as it is.
type raw string

// header is set on one request; an empty value removes it.
type header struct{ name, value string }

// client calls the API. A visitor has no token; a user has one, with name and address; a
// browser keeps cookies.
type client struct {
	n     *node
	email string
	name  string
	token string
	// http is the browser's client with its cookies; nil for the node's client.
	http    *http.Client
	address string // sent as X-Forwarded-For
	agent   string
}

func (n *node) visitor() *client { return &client{n: n} }

// browser is a client that keeps cookies.
func (n *node) browser(tb testing.TB) *client {
	tb.Helper()
	own := httpClient()
	var err error
	own.Jar, err = cookiejar.New(nil)
	require.NoError(tb, err)
	tb.Cleanup(own.CloseIdleConnections)
	return &client{n: n, http: own}
}

const password = "Correct1Horse"

// passwordHash is computed once, with the parameters of the nodes: signing in checks it some thousand times.
var passwordHash = sync.OnceValues(func() (string, error) { return argon2id.CreateHash(password, cheap) })

// user adds an account with a session. Both go directly into the store: registration and
// login cost a hash each, and have their own tests.
func (n *node) user(tb testing.TB, name string) *client {
	tb.Helper()
	c := &client{n: n, email: strings.ToLower(name) + "@example.org", name: name}
	hash, err := passwordHash()
	require.NoError(tb, err)
	account := studycircle.User{ID: studycircle.NewID(n.clock.now()), Email: c.email, DisplayName: name, CreatedAt: n.clock.now()}
	require.NoError(tb, n.app.Store.Write(tb.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertAccount(ctx, studycircle.Account{User: account, PasswordHash: hash})
	}))
	c.hasSession(tb, account.ID)
	return c
}

// hasSession gives c a session of an account.
func (c *client) hasSession(tb testing.TB, accountID string) {
	tb.Helper()
	now, secret := c.n.clock.now(), studycircle.NewSecret()
	stored := sha256.Sum256([]byte(secret)) // sessions are stored by the hash of their secret
	require.NoError(tb, c.n.app.Store.Write(tb.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSession(ctx, store.NewSession{
			ID: studycircle.NewID(now), UserID: accountID, SecretHash: base64.RawURLEncoding.EncodeToString(stored[:]),
			CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
	}))
	who, _ := c.n.visitor().get(tb, "/api/auth/session", header{"Cookie", "session=" + secret}).is(tb, http.StatusOK).json(tb)["user"].(doc)
	require.NotNil(tb, who)
	c.token, _ = who["accessToken"].(string)
}

// at returns c as a client of another node.
func (c *client) at(n *node) *client {
	other := *c
	other.n = n
	return &other
}

// newSession signs in again and returns the session cookie's value.
func (c *client) newSession(tb testing.TB) string {
	tb.Helper()
	a := c.n.visitor().post(tb, "/api/auth/login", doc{"email": c.email, "password": password}).is(tb, http.StatusOK)
	c.token = a.text(tb, "accessToken")
	require.NotEmpty(tb, c.token)
	return a.sessionCookie(tb).Value
}

// register opens an account in a browser.
func (c *client) register(tb testing.TB, email string) *answer {
	tb.Helper()
	a := c.post(tb, "/api/auth/register", registration(email)).is(tb, http.StatusCreated)
	c.token = a.text(tb, "accessToken")
	return a
}

// login attempts to sign in and keeps the token.
func (c *client) login(tb testing.TB, email, secret string) *answer {
	tb.Helper()
	a := c.post(tb, "/api/auth/login", doc{"email": email, "password": secret})
	if a.status == http.StatusOK {
		c.token = a.text(tb, "accessToken")
	}
	return a
}

// signedIn reports whether c's token is valid, by a request that needs only the token: a
// node may know that the account is gone before it knows that the session is.
func (c *client) signedIn(tb testing.TB) bool {
	tb.Helper()
	a := c.get(tb, "/api/submissions?limit=1")
	if a.status != http.StatusOK {
		a.refused(tb, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
	}
	return a.status == http.StatusOK
}

// endsWithinFiveSeconds waits until c's token is refused. On a slow machine an earlier
// request may be answered later; no request sent after five seconds is accepted.
func (c *client) endsWithinFiveSeconds(tb testing.TB) {
	tb.Helper()
	ended := time.Now()
	require.Eventually(tb, func() bool {
		asked := time.Since(ended)
		for _, one := range c.n.each() { // a balancer may skip a node for a while
			there := *c
			if there.n = one; there.signedIn(tb) {
				assert.Less(tb, asked, 5*time.Second, "still let in")
				return false
			}
		}
		return true
	}, time.Minute, 50*time.Millisecond)
}

// ended waits until every node knows that a session has ended: the one that ended it at
// once, the others within five seconds. Without a balancer there is nothing to wait for.
func (c *client) ended(tb testing.TB) {
	tb.Helper()
	if c.n.balanced() {
		c.endsWithinFiveSeconds(tb)
	}
}

// renewed reports whether c's cookie is valid.
func (c *client) renewed(tb testing.TB) bool {
	tb.Helper()
	return c.get(tb, "/api/auth/session").is(tb, http.StatusOK).json(tb)["user"] != nil
}

func (c *client) get(tb testing.TB, path string, headers ...header) *answer {
	tb.Helper()
	return c.call(tb, http.MethodGet, path, nil, headers...)
}

func (c *client) post(tb testing.TB, path string, body any, headers ...header) *answer {
	tb.Helper()
	return c.call(tb, http.MethodPost, path, body, headers...)
}

func (c *client) put(tb testing.TB, path string, body any, headers ...header) *answer {
	tb.Helper()
	return c.call(tb, http.MethodPut, path, body, headers...)
}

func (c *client) patch(tb testing.TB, path string, body any, headers ...header) *answer {
	tb.Helper()
	return c.call(tb, http.MethodPatch, path, body, headers...)
}

func (c *client) del(tb testing.TB, path string, headers ...header) *answer {
	tb.Helper()
	return c.call(tb, http.MethodDelete, path, nil, headers...)
}

// call sends a request as c and checks what holds of every answer.
func (c *client) call(tb testing.TB, method, path string, body any, headers ...header) *answer {
	tb.Helper()
	a, err := c.try(tb.Context(), method, path, body, headers...)
	require.NoError(tb, err)
	a.soundness(tb)
	return a
}

// try is call for goroutines of a test: it returns its error.
func (c *client) try(ctx context.Context, method, path string, body any, headers ...header) (*answer, error) {
	text, err := encoded(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, c.n.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.address != "" {
		r.Header.Set("X-Forwarded-For", c.address)
	}
	if c.agent != "" {
		r.Header.Set("User-Agent", c.agent)
	}
	for _, h := range headers {
		if r.Header.Set(h.name, h.value); h.value == "" {
			r.Header.Del(h.name)
		}
	}
	return c.roundTrip(r, fmt.Sprintf("%s %s %.200s", method, path, text))
}

// roundTrip sends r; what names it in messages.
func (c *client) roundTrip(r *http.Request, what string) (*answer, error) {
	by := c.http
	if by == nil {
		by = c.n.http
	}
	response, err := by.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	received, err := io.ReadAll(response.Body)
	return &answer{what: what, status: response.StatusCode, header: response.Header, cookies: response.Cookies(), body: received}, err
}

func encoded(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case raw:
		return []byte(b), nil
	default:
		return json.Marshal(body)
	}
}
