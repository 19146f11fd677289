package apitest

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
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/identity"
	"studycircle/internal/store"
)

// doc is a JSON object, to send or as received.
type doc = map[string]any

// with is a copy of d in which the named fields are others; the value absent
// takes a field out.
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

// header is set on one request; an empty value takes it out.
type header struct{ name, value string }

// user calls the API as somebody; a token of "" is a visitor.
type user struct {
	n     *node
	email string
	name  string
	token string
}

func (n *node) visitor() *user { return &user{n: n} }

const password = "Correct1Horse"

// passwordHash is made once: accounts are plenty and hashes are dear.
var passwordHash = sync.OnceValues(func() (string, error) { return identity.HashPassword(password) })

// user opens an account and signs in. Account and session go straight into the
// store: a registration and a login cost a hash each, and have tests of their own.
func (n *node) user(t *testing.T, name string) *user {
	t.Helper()
	u := &user{n: n, email: strings.ToLower(name) + "@example.org", name: name}
	hash, err := passwordHash()
	require.NoError(t, err)
	now, secret := n.clock.now(), studycircle.NewSecret()
	stored := sha256.Sum256([]byte(secret)) // a session is kept under its secret's hash
	account := studycircle.User{ID: studycircle.NewID(now), Email: u.email, DisplayName: name, CreatedAt: now}
	require.NoError(t, n.app.Store.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertAccount(ctx, studycircle.Account{User: account, PasswordHash: hash}); err != nil {
			return err
		}
		return tx.InsertSession(ctx, store.NewSession{
			ID: studycircle.NewID(now), UserID: account.ID, SecretHash: base64.RawURLEncoding.EncodeToString(stored[:]),
			CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
	}))
	who, _ := n.visitor().get(t, "/api/auth/session", header{"Cookie", "session=" + secret}).is(t, http.StatusOK).json(t)["user"].(doc)
	require.NotNil(t, who)
	u.token, _ = who["accessToken"].(string)
	return u
}

// login signs in anew and returns the session cookie's value.
func (u *user) login(t *testing.T) string {
	t.Helper()
	a := u.n.visitor().post(t, "/api/auth/login", doc{"email": u.email, "password": password}).is(t, http.StatusOK)
	u.token = a.json(t)["accessToken"].(string)
	require.NotEmpty(t, u.token)
	return a.cookie(t).Value
}

func (u *user) get(t *testing.T, path string, headers ...header) *answer {
	t.Helper()
	return u.call(t, http.MethodGet, path, nil, headers...)
}

func (u *user) post(t *testing.T, path string, body any, headers ...header) *answer {
	t.Helper()
	return u.call(t, http.MethodPost, path, body, headers...)
}

func (u *user) put(t *testing.T, path string, body any, headers ...header) *answer {
	t.Helper()
	return u.call(t, http.MethodPut, path, body, headers...)
}

func (u *user) patch(t *testing.T, path string, body any, headers ...header) *answer {
	t.Helper()
	return u.call(t, http.MethodPatch, path, body, headers...)
}

func (u *user) del(t *testing.T, path string, headers ...header) *answer {
	t.Helper()
	return u.call(t, http.MethodDelete, path, nil, headers...)
}

// call sends a request as u and checks what holds of every answer.
func (u *user) call(t *testing.T, method, path string, body any, headers ...header) *answer {
	t.Helper()
	a, err := u.try(t.Context(), method, path, body, headers...)
	require.NoError(t, err)
	a.soundness(t)
	return a
}

// try is call for goroutines that a test started: it fails by its error alone.
func (u *user) try(ctx context.Context, method, path string, body any, headers ...header) (*answer, error) {
	text, err := encoded(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, u.n.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if u.token != "" {
		r.Header.Set("Authorization", "Bearer "+u.token)
	}
	for _, h := range headers {
		if r.Header.Set(h.name, h.value); h.value == "" {
			r.Header.Del(h.name)
		}
	}
	return u.n.roundTrip(r, fmt.Sprintf("%s %s %.200s", method, path, text))
}

// roundTrip sends r; what names it in messages.
func (n *node) roundTrip(r *http.Request, what string) (*answer, error) {
	response, err := n.client.Do(r)
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

// answer is what came back.
type answer struct {
	what    string // the request, for messages
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    []byte
}

// secrets are traces of the server's inside that no error may carry.
var secrets = []string{"goroutine ", ".go:", "SELECT ", "INSERT ", "SQLSTATE", "sqlite", "constraint", "/internal/", "runtime error", "argon2id$"}

// soundness holds of every answer, whatever was asked.
func (a *answer) soundness(t *testing.T) {
	t.Helper()
	assert.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"), a.what)
	assert.NotEqual(t, http.StatusInternalServerError, a.status, a.what)
	if a.status < http.StatusBadRequest {
		return
	}
	for _, s := range secrets {
		assert.NotContains(t, string(a.body), s, a.what)
	}
	assert.Equal(t, "application/problem+json", a.header.Get("Content-Type"), a.what)
	p := a.json(t)
	assert.InDelta(t, a.status, p["status"], 0, a.what)
	assert.NotEmpty(t, p["type"], a.what)
	assert.Equal(t, http.StatusText(a.status), p["title"], a.what)
	assert.NotEmpty(t, p["detail"], a.what)
	assert.NotEmpty(t, p["code"], a.what)
	_, invalid := p["errors"]
	assert.Equal(t, a.status == http.StatusUnprocessableEntity, invalid, "errors name fields in a 422 and only there: %s", a.what)
}

// is requires a status.
func (a *answer) is(t *testing.T, status int) *answer {
	t.Helper()
	require.Equal(t, status, a.status, "%s\n%s", a.what, a.body)
	return a
}

// refused requires a status, a code and the places of the faulty fields, all of
// them and in order.
func (a *answer) refused(t *testing.T, status int, code studycircle.Code, locations ...string) *answer {
	t.Helper()
	a.is(t, status)
	require.Equal(t, string(code), a.json(t)["code"], "%s\n%s", a.what, a.body)
	if locations != nil {
		require.ElementsMatch(t, locations, a.locations(t), "%s\n%s", a.what, a.body)
	}
	return a
}

func (a *answer) locations(t *testing.T) []string {
	t.Helper()
	var p struct {
		Errors []struct{ Location, Message string }
	}
	require.NoError(t, json.Unmarshal(a.body, &p))
	var out []string
	for _, e := range p.Errors {
		require.NotEmpty(t, e.Message, a.what)
		out = append(out, e.Location)
	}
	return out
}

func (a *answer) json(t *testing.T) doc {
	t.Helper()
	var d doc
	require.NoError(t, json.Unmarshal(a.body, &d), "%s\n%s", a.what, a.body)
	return d
}

func (a *answer) array(t *testing.T) []doc {
	t.Helper()
	var d []doc
	require.NoError(t, json.Unmarshal(a.body, &d), "%s\n%s", a.what, a.body)
	require.NotNil(t, d, "null is no array: %s", a.what)
	return d
}

// id is the insertedId of a create.
func (a *answer) id(t *testing.T) string {
	t.Helper()
	a.is(t, http.StatusCreated)
	id, _ := a.json(t)["insertedId"].(string)
	require.NotEmpty(t, id, a.what)
	return id
}

// cookie is the session cookie that a sets.
func (a *answer) cookie(t *testing.T) *http.Cookie {
	t.Helper()
	for _, c := range a.cookies {
		if strings.HasSuffix(c.Name, "session") {
			return c
		}
	}
	require.Failf(t, "no session cookie", "%s: %v", a.what, a.cookies)
	return nil
}
