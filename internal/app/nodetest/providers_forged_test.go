package nodetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Invalid states.

func TestStateMissing(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		back := p.authorize(t, b.begin(t, "school", ""))
		b.goTo(t, back.Path+"?code="+back.Query().Get("code")).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, back.Path).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, "/api/auth/oidc/school").out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, "/api/auth/oidc/school?attempt=%3Cscript%3E").out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, "/api/auth/oidc/nobody?attempt=a").out(t, b, http.StatusNotFound, "auth/invalid-state")
		b.goTo(t, "/api/auth/oidc/nobody/callback?code=a&state=b").out(t, b, http.StatusNotFound, "auth/invalid-state")
		assert.Zero(t, p.asked["/token"], "nothing was asked of the provider")
	})
}

func TestStateForeign(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		other := w.provider(t, "work")
		n := w.start(t)
		eve, b := n.browser(t), n.browser(t)
		theirs := p.authorize(t, eve.begin(t, "school", "")).RequestURI()
		b.goTo(t, theirs).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.begin(t, "school", "") // an own flow does not help
		b.goTo(t, theirs).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		// Nor does a flow with another provider help (mix-up).
		mixed := other.authorize(t, b.begin(t, "work", ""))
		b.goTo(t, "/api/auth/oidc/school/callback?"+mixed.RawQuery).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		assert.Zero(t, p.asked["/token"])
		assert.Zero(t, other.asked["/token"])
	})
}

func TestStateReplayed(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		back := p.authorize(t, b.begin(t, "school", ""))
		here, err := url.Parse(first.url)
		require.NoError(t, err)
		kept := b.http.Jar.Cookies(here)
		require.Len(t, kept, 1)
		b.goTo(t, back.RequestURI()).in(t, b)
		thief := second.browser(t)
		there, err := url.Parse(second.url)
		require.NoError(t, err)
		thief.http.Jar.SetCookies(there, kept) // even with the cookie, and on another node
		thief.goTo(t, back.RequestURI()).out(t, thief, http.StatusBadRequest, "auth/invalid-state")
		assert.Equal(t, 1, p.asked["/token"])
	})
}

// Link previews use HEAD.
func TestHeadDoesNotConsumeASignIn(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		back := p.authorize(t, b.begin(t, "school", "")).RequestURI()
		for _, path := range []string{back, "/api/auth/oidc/school?attempt=attempt-1"} {
			refused := b.call(t, http.MethodHead, path, nil).is(t, http.StatusMethodNotAllowed)
			assert.Equal(t, http.MethodGet, refused.header.Get("Allow"))
			assert.Empty(t, refused.header.Values("Set-Cookie"))
		}
		b.goTo(t, back).in(t, b)
	})
}

func TestStateTooOld(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		back := p.authorize(t, b.begin(t, "school", ""))
		w.clock.advance(10*time.Minute + time.Second)
		b.goTo(t, back.RequestURI()).out(t, b, http.StatusBadRequest, "auth/invalid-state")
	})
}

func TestSeveralFlowsSideBySide(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		first, second := p.authorize(t, b.begin(t, "school", "")), p.authorize(t, b.begin(t, "school", ""))
		b.goTo(t, second.RequestURI()).in(t, b)
		b.goTo(t, first.RequestURI()).in(t, b)
		oldest := p.authorize(t, b.begin(t, "school", ""))
		for range 30 {
			b.begin(t, "school", "")
		}
		gone := b.goTo(t, oldest.RequestURI())
		assert.Equal(t, "auth/invalid-state", gone.Code)
		assert.Contains(t, gone.Message, "was replaced by newer ones")
		assert.Contains(t, gone.Message, "start again")
		assert.Empty(t, gone.Attempt, "there is no opener: the window shows the error")
		here, err := url.Parse(b.n.url)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(b.http.Jar.Cookies(here)), 8+2, "the oldest went")
		b.signInBy(t, p, "school").in(t, b)
	})
}

func TestCodeWithoutItsVerifier(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		eve, b := n.browser(t), n.browser(t)
		// Eve's code, injected into a flow that b began.
		stolen := p.authorize(t, eve.begin(t, "school", "")).Query().Get("code")
		back := p.authorize(t, b.begin(t, "school", ""))
		q := back.Query()
		q.Set("code", stolen)
		b.goTo(t, back.Path+"?"+q.Encode()).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		assert.Equal(t, 1, p.asked["/token"])
		assert.Empty(t, w.users(t))
	})
}

// Invalid ID tokens.

func TestIDTokenRefused(t *testing.T) {
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	claim := func(name string, value any) func(*idp) func(doc) string {
		return func(p *idp) func(doc) string {
			return func(c doc) string {
				if c[name] = value; value == nil {
					delete(c, name)
				}
				return p.signed(c)
			}
		}
	}
	cases := map[string]func(*idp) func(doc) string{
		"nonce missing":          claim("nonce", nil),
		"nonce wrong":            claim("nonce", "another"),
		"nonce empty":            claim("nonce", ""),
		"for another client":     claim("aud", "another-client"),
		"without an audience":    claim("aud", nil),
		"for several clients":    claim("aud", []string{clientID, "another-client"}),
		"authorized another":     claim("azp", "another-client"),
		"from another issuer":    claim("iss", "https://accounts.example.org"),
		"from no issuer":         claim("iss", nil),
		"expired":                claim("exp", time.Now().Add(-time.Minute).Unix()),
		"without an end":         claim("exp", nil),
		"issued in the future":   claim("iat", time.Now().Add(time.Hour).Unix()),
		"not valid yet":          claim("nbf", time.Now().Add(time.Hour).Unix()),
		"without a subject":      claim("sub", ""),
		"with a subject too odd": claim("sub", "a\x00b"),
		"unsigned": func(*idp) func(doc) string {
			return func(c doc) string {
				payload, err := json.Marshal(c)
				if err != nil {
					t.Errorf("write the claims: %v", err)
				}
				return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString(payload) + "."
			}
		},
		"signed by another key": func(*idp) func(doc) string {
			return func(c doc) string { return signedBy(t, jose.ES256, stranger, keyID, c) }
		},
		"signed by an unknown key": func(*idp) func(doc) string {
			return func(c doc) string { return signedBy(t, jose.ES256, stranger, "another", c) }
		},
		"signed with the client's secret": func(*idp) func(doc) string {
			return func(c doc) string { return signedBy(t, jose.HS256, []byte(clientSecret+clientSecret), keyID, c) }
		},
		"altered": func(p *idp) func(doc) string {
			return func(c doc) string { text := p.signed(c); return text[:len(text)-8] + "AAAAAAAA" }
		},
		"no token": func(*idp) func(doc) string { return func(doc) string { return "" } },
		"rubbish":  func(*idp) func(doc) string { return func(doc) string { return "a.b.c" } },
	}
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		for name, tokenOf := range cases {
			t.Run(name, func(t *testing.T) {
				p.set(func() { p.tokenOf = tokenOf(p) })
				b.signInBy(t, p, "school").out(t, b, http.StatusBadRequest, "auth/invalid-id-token")
			})
		}
		assert.Empty(t, w.users(t))
		p.set(func() { p.tokenOf = nil })
		b.signInBy(t, p, "school").in(t, b) // the next attempt succeeds
	})
}

func TestIDTokenForSeveralClientsThatNamesThisOne(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		p.tokenOf = func(c doc) string {
			c["aud"], c["azp"] = []string{clientID, "another-client"}, clientID
			return p.signed(c)
		}
		b := w.start(t).browser(t)
		b.signInBy(t, p, "school").in(t, b)
	})
}

func TestIssuerInTheAnswer(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		p.more = doc{"authorization_response_iss_parameter_supported": true}
		b := w.start(t).browser(t)
		b.signInBy(t, p, "school").out(t, b, http.StatusBadRequest, "auth/invalid-state") // announced and missing
		b.goTo(t, p.authorize(t, b.begin(t, "school", "")).RequestURI()+"&iss="+url.QueryEscape("https://evil.example")).
			out(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, p.authorize(t, b.begin(t, "school", "")).RequestURI()+"&iss="+url.QueryEscape(p.issuer)).in(t, b)
	})
}
