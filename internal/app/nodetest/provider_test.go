package nodetest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/openid"
)

const (
	clientID     = "studycircle-client"
	clientSecret = "not-to-be-logged"
	keyID        = "key-1"
	accessToken  = "of-the-provider"
)

// idp is an OpenID provider with the behaviour that a test sets.
type idp struct {
	t      *testing.T
	issuer string
	clock  *clock
	key    *ecdsa.PrivateKey
	server *httptest.Server

	mu     sync.Mutex
	person doc            // claims of the next sign-in
	codes  map[string]doc // by code
	asked  map[string]int // by path
	// tokenOf makes the ID token of claims; if nil, it is signed by key.
	tokenOf func(claims doc) string
	// refuse, if set, maps paths to error statuses.
	refuse map[string]int
	// hold, if set, delays answers of a path until the channel is closed.
	hold map[string]chan struct{}
	// thin omits everything but the subject from ID tokens; /userinfo has it.
	thin bool
	// down closes every connection.
	down bool
	// more is added to the provider's metadata.
	more doc
}

// provider starts an identity provider that w's nodes know as id.
func (w *world) provider(t *testing.T, id string) *idp {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p := &idp{t: t, clock: w.clock, key: key, codes: map[string]doc{}, asked: map[string]int{}, refuse: map[string]int{}, hold: map[string]chan struct{}{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	p.server = httptest.NewServer(p.moody(mux))
	t.Cleanup(p.server.Close)
	p.issuer = p.server.URL
	p.is("subject-1", "Ada Lovelace", ada, true)
	w.providers = append(w.providers, openid.Entry{ID: id, Label: "The " + id, Issuer: p.issuer, ClientID: clientID, ClientSecret: clientSecret})
	return p
}

// is sets the person who signs in next. verified may be of any type; nil omits it.
func (p *idp) is(subject, name, email string, verified any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.person = doc{"sub": subject, "name": name, "email": email, "picture": "https://example.org/picture.png"}
	if verified != nil {
		p.person["email_verified"] = verified
	}
}

func (p *idp) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// moody applies the test's faults before the provider answers.
func (p *idp) moody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked[r.URL.Path]++
		status, hold, down := p.refuse[r.URL.Path], p.hold[r.URL.Path], p.down
		p.mu.Unlock()
		if down {
			panic(http.ErrAbortHandler)
		}
		if hold != nil {
			select {
			case <-hold:
			case <-r.Context().Done():
				return
			}
		}
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (p *idp) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	assert.NoError(p.t, json.NewEncoder(w).Encode(v))
}

func (p *idp) describe(w http.ResponseWriter, _ *http.Request) {
	d := doc{
		"issuer": p.issuer, "authorization_endpoint": p.issuer + "/authorize", "token_endpoint": p.issuer + "/token", "jwks_uri": p.issuer + "/keys",
		// Offered but never accepted.
		"id_token_signing_alg_values_supported": []string{"ES256", "none", "HS256"},
	}
	p.set(func() {
		if p.thin {
			d["userinfo_endpoint"] = p.issuer + "/userinfo"
		}
		maps.Copy(d, p.more)
	})
	p.answer(w, http.StatusOK, d)
}

func (p *idp) keys(w http.ResponseWriter, _ *http.Request) {
	p.answer(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: keyID, Algorithm: "ES256", Use: "sig"}}})
}

// authorize acts as the person who signs in at the provider and consents. It returns the
// address that the browser is sent back to.
func (p *idp) authorize(t *testing.T, location string) *url.URL {
	t.Helper()
	u, err := url.Parse(location)
	require.NoError(t, err)
	q := u.Query()
	require.Equal(t, p.issuer+"/authorize", u.Scheme+"://"+u.Host+u.Path)
	require.Equal(t, "code", q.Get("response_type"))
	require.Equal(t, clientID, q.Get("client_id"))
	require.Equal(t, "openid email profile", q.Get("scope"))
	require.Equal(t, "S256", q.Get("code_challenge_method"))
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		require.Len(t, q.Get(name), 43, name)
	}
	code := studycircle.NewSecret()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.codes[code] = doc{
		"redirect": q.Get("redirect_uri"), "challenge": q.Get("code_challenge"), "nonce": q.Get("nonce"), "person": maps.Clone(p.person),
	}
	back, err := url.Parse(q.Get("redirect_uri"))
	require.NoError(t, err)
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	return back
}

// token checks everything that RFC 6749 and RFC 7636 require.
func (p *idp) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	given, known := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	token := p.tokenOf
	p.mu.Unlock()
	id, secret, basic := r.BasicAuth()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case !basic || id != clientID || secret != clientSecret:
		p.answer(w, http.StatusUnauthorized, doc{"error": "invalid_client"})
		return
	case !known, r.PostFormValue("grant_type") != "authorization_code", r.PostFormValue("redirect_uri") != given["redirect"],
		base64.RawURLEncoding.EncodeToString(challenge[:]) != given["challenge"]:
		p.answer(w, http.StatusBadRequest, doc{"error": "invalid_grant", "error_description": "of " + ada})
		return
	}
	claims := given["person"].(doc)
	if p.thin {
		claims = doc{"sub": claims["sub"]}
	}
	now := p.clock.now()
	maps.Copy(claims, doc{"iss": p.issuer, "aud": clientID, "nonce": given["nonce"], "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()})
	if token == nil {
		token = p.signed
	}
	p.answer(w, http.StatusOK, doc{"access_token": accessToken, "token_type": "Bearer", "id_token": token(claims)})
}

// userInfo answers with the person who signed in last.
func (p *idp) userInfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+accessToken {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var known doc
	p.set(func() { known = maps.Clone(p.person) })
	p.answer(w, http.StatusOK, known)
}

func (p *idp) signed(claims doc) string { return signedBy(p.t, jose.ES256, p.key, keyID, claims) }

func signedBy(t *testing.T, algorithm jose.SignatureAlgorithm, key any, id string, claims doc) string {
	t.Helper()
	text, err := func() (string, error) {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", id))
		if err != nil {
			return "", err
		}
		payload, err := json.Marshal(claims)
		if err != nil {
			return "", err
		}
		signed, err := signer.Sign(payload)
		if err != nil {
			return "", err
		}
		return signed.CompactSerialize()
	}()
	if err != nil { // in a goroutine of the provider
		t.Errorf("sign an ID token: %v", err)
	}
	return text
}

// popUp is what the last page sends to its opener.
type popUp struct {
	*answer
	Attempt, Status, Code, Message, Ticket string
}

var popUpData = regexp.MustCompile(`<script type="application/json" id="result">(.*?)</script>`)

func popUpOf(a *answer) (*popUp, error) {
	m := popUpData.FindSubmatch(a.body)
	if m == nil {
		return nil, fmt.Errorf("no result in %d %s", a.status, a.body)
	}
	p := &popUp{answer: a}
	return p, json.Unmarshal(m[1], p)
}

// goTo opens an address of the node in a pop-up.
func (c *client) goTo(tb testing.TB, path string) *popUp {
	tb.Helper()
	p, err := popUpOf(c.get(tb, path))
	require.NoError(tb, err)
	assert.Contains(tb, p.header.Get("Content-Type"), "text/html")
	assert.Equal(tb, "no-store", p.header.Get("Cache-Control"))
	assert.Contains(tb, p.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'sha256-")
	assert.Equal(tb, "same-origin-allow-popups", p.header.Get("Cross-Origin-Opener-Policy"))
	return p
}

// begin begins a sign-in and returns the address that the browser is sent to.
func (c *client) begin(tb testing.TB, id, query string) string {
	tb.Helper()
	a := c.get(tb, "/api/auth/oidc/"+id+"?attempt=attempt-1"+query).is(tb, http.StatusFound)
	return a.header.Get("Location")
}

// signInBy runs a complete sign-in.
func (c *client) signInBy(t *testing.T, p *idp, id string) *popUp {
	t.Helper()
	return c.goTo(t, p.authorize(t, c.begin(t, id, "")).RequestURI())
}

// in requires that a pop-up signed b in.
func (p *popUp) in(t *testing.T, b *client) {
	t.Helper()
	require.Equal(t, http.StatusOK, p.status, "%s", p.body)
	require.Equal(t, "signed-in", p.Status, "%s", p.body)
	require.Equal(t, "attempt-1", p.Attempt)
	b.refresh(t)
}

// refresh gets a token for the session cookie.
func (c *client) refresh(tb testing.TB) {
	tb.Helper()
	user, ok := c.get(tb, "/api/auth/session").is(tb, http.StatusOK).json(tb)["user"].(doc)
	require.True(tb, ok, "not signed in")
	c.token = user["accessToken"].(string)
}

// out requires that a pop-up ended with an error and b is not signed in.
func (p *popUp) out(t *testing.T, b *client, status int, code string) {
	t.Helper()
	assert.Equal(t, "error", p.Status)
	assert.Equal(t, code, p.Code)
	assert.Equal(t, status, p.status)
	assert.NotEmpty(t, p.Message)
	assert.Empty(t, p.Ticket)
	assert.Nil(t, p.cookie("session"))
	assert.False(t, b.renewed(t))
}

// trySignIn is signInBy for goroutines.
func (c *client) trySignIn(ctx context.Context, t *testing.T, p *idp, id string) (*popUp, error) {
	a, err := c.try(ctx, http.MethodGet, "/api/auth/oidc/"+id+"?attempt=attempt-1", nil)
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusFound {
		return nil, fmt.Errorf("%d: %s", a.status, a.body)
	}
	if a, err = c.try(ctx, http.MethodGet, p.authorize(t, a.header.Get("Location")).RequestURI(), nil); err != nil {
		return nil, err
	}
	return popUpOf(a)
}
