package nodetest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

func (c *client) methods(tb testing.TB) doc {
	tb.Helper()
	return c.get(tb, "/api/auth/methods").is(tb, http.StatusOK).json(tb)
}

func (c *client) account(tb testing.TB) doc {
	tb.Helper()
	return c.get(tb, "/api/auth/account").is(tb, http.StatusOK).json(tb)
}

// users returns the accounts' addresses, by an export.
func (w *world) users(t *testing.T) []string {
	t.Helper()
	s, err := store.Open(t.Context(), w.database)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	var emails []string
	require.NoError(t, s.EachUser(t.Context(), func(u studycircle.User) error {
		emails = append(emails, u.Email)
		return nil
	}))
	return emails
}

func TestProviderOpensAnAccountAndSignsInToItAgain(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		b := n.browser(t)
		b.signInBy(t, p, "school").in(t, b)
		account := b.account(t)
		assert.Equal(t, ada, account["email"])
		assert.Equal(t, true, account["emailVerified"])
		assert.Equal(t, false, account["hasPassword"])
		assert.Equal(t, "Ada Lovelace", account["displayName"])
		assert.Equal(t, "https://example.org/picture.png", account["photoURL"])
		methods := b.methods(t)
		assert.Equal(t, false, methods["password"])
		assert.Equal(t, []any{}, methods["passkeys"])
		link := methods["providers"].([]any)[0].(doc)
		assert.NotEmpty(t, link["linkedAt"])
		delete(link, "linkedAt")
		assert.Equal(t, doc{"id": "school", "label": "The school", "email": ada}, link)

		// Identified by issuer and subject, whatever the address, on any node.
		b.patch(t, "/api/auth/profile", doc{"displayName": "Countess", "photoURL": ""}).is(t, http.StatusOK)
		p.is("subject-1", "Somebody", "new@example.org", false)
		again := w.start(t).browser(t)
		again.signInBy(t, p, "school").in(t, again)
		account = again.account(t)
		assert.Equal(t, ada, account["email"])
		assert.Equal(t, "Countess", account["displayName"])
		assert.Equal(t, []string{ada}, w.users(t))
	})
}

func TestProviderWithoutEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		for _, email := range []string{"", "no address", "a\u0000@example.org"} {
			p.is("subject-1", "Ada", email, true)
			b.signInBy(t, p, "school").out(t, b, http.StatusBadRequest, "auth/no-email")
		}
		assert.Empty(t, w.users(t))
	})
}

func TestProviderThatDoesNotVouchForTheAddressOpensAnUnverifiedAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		p.is("subject-1", "Ada", ada, false)
		b := w.start(t).browser(t)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, false, b.account(t)["emailVerified"])
		w.mails.waitFor(t, 1, ada, "/auth/verify")
		p.is("subject-1", "Ada", ada, true)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, true, b.account(t)["emailVerified"])
	})
}

func TestProviderThatReturnsTheAddressOnRequestOnly(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		p.thin = true
		b := w.start(t).browser(t)
		back := p.authorize(t, b.begin(t, "school", ""))
		p.is("subject-2", "Eve", "eve@example.org", true) // of another subject than the token's
		b.goTo(t, back.RequestURI()).out(t, b, http.StatusBadRequest, "auth/invalid-id-token")
		p.set(func() { p.refuse["/userinfo"] = http.StatusInternalServerError })
		b.signInBy(t, p, "school").out(t, b, http.StatusServiceUnavailable, "auth/provider-unavailable")
		p.set(func() { delete(p.refuse, "/userinfo") })
		p.is("subject-1", "Ada Lovelace", ada, true)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, ada, b.account(t)["email"])
		assert.Equal(t, true, b.account(t)["emailVerified"])
		assert.Equal(t, "Ada Lovelace", b.account(t)["displayName"])
	})
}

// Invalid addresses.

func TestAddressNotVerifiedByTheProvider(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		owner, b := n.browser(t), n.browser(t)
		owner.register(t, ada)
		for name, verified := range map[string]any{"false": false, "absent": nil, "the string false": "false", "the string true": "true", "a number": 1} {
			t.Run(name, func(t *testing.T) {
				p.is("subject-1", "Eve", ada, verified)
				b.signInBy(t, p, "school").out(t, b, http.StatusConflict, "auth/account-exists-with-different-credential")
				assert.True(t, owner.signedIn(t))
				owner.login(t, ada, password).is(t, http.StatusOK)
				assert.Empty(t, owner.methods(t)["providers"])
			})
		}
	})
}

// verified opens an account with a verified address.
func (c *client) verified(t *testing.T, email string) {
	t.Helper()
	c.register(t, email)
	_, code := c.n.mails.waitFor(t, 1, email, "/auth/verify")
	c.post(t, "/api/auth/email/verify", doc{"token": code}).is(t, http.StatusNoContent)
}

func TestVerifiedAddressJoinsAndKeepsThePassword(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		owner, b := n.browser(t), n.browser(t)
		owner.verified(t, ada)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, "Ada", b.account(t)["displayName"])
		assert.True(t, owner.signedIn(t))
		owner.login(t, ada, password).is(t, http.StatusOK)
		assert.Len(t, owner.methods(t)["providers"], 1)
	})
}

func TestSameAddressWithANewSubject(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		owner, b := n.browser(t), n.browser(t)
		owner.signInBy(t, p, "school").in(t, owner)
		p.is("subject-2", "Ada's successor", ada, true)
		b.signInBy(t, p, "school").out(t, b, http.StatusConflict, "auth/account-exists-with-different-credential")
		assert.True(t, owner.signedIn(t))
		p.is("subject-1", "Ada", ada, true)
		b.signInBy(t, p, "school").in(t, b)
	})
}

func TestSuspendedAccountIsRefusedAtTheProvider(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		b := n.browser(t)
		b.signInBy(t, p, "school").in(t, b)
		suspend(t, n, ada)
		b.signInBy(t, p, "school").out(t, b, http.StatusForbidden, "auth/user-disabled")

		other := n.browser(t)
		other.verified(t, "bo@example.org")
		suspend(t, n, "bo@example.org")
		p.is("subject-2", "Bo", "bo@example.org", true)
		b.signInBy(t, p, "school").out(t, b, http.StatusForbidden, "auth/user-disabled")
	})
}

func suspend(t *testing.T, n *node, email string) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		id, err := tx.SetSuspended(ctx, email, time.Now())
		if err == nil {
			_, err = tx.DeleteSessionsOf(ctx, id, "")
		}
		return err
	}))
}

// Unavailable providers.

func TestProviderDown(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		gone := w.provider(t, "gone")
		gone.server.Close()
		p.set(func() { p.down = true })
		b := w.start(t).browser(t) // a node starts without its providers
		for _, id := range []string{"school", "gone"} {
			b.goTo(t, "/api/auth/oidc/"+id+"?attempt=attempt-1").out(t, b, http.StatusServiceUnavailable, "auth/provider-unavailable")
		}
		p.set(func() { p.down = false })
		b.signInBy(t, p, "school").in(t, b) // the failure is not cached
	})
}

func TestProviderFailsMidway(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
			t.Run(path, func(t *testing.T) {
				w.providers = nil
				p := w.provider(t, "school")
				p.refuse[path] = http.StatusInternalServerError
				b := w.start(t).browser(t)
				got := b.get(t, "/api/auth/oidc/school?attempt=attempt-1")
				if got.status == http.StatusFound {
					got = b.get(t, p.authorize(t, got.header.Get("Location")).RequestURI())
				}
				ended, err := popUpOf(got)
				require.NoError(t, err)
				ended.out(t, b, http.StatusServiceUnavailable, "auth/provider-unavailable")
				p.set(func() { delete(p.refuse, path) })
				b.signInBy(t, p, "school").in(t, b)
			})
		}
	})
}

func TestProviderSlow(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.providerTimeout = 300 * time.Millisecond
		for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
			t.Run(path, func(t *testing.T) {
				w.providers = nil
				p := w.provider(t, "school")
				released := make(chan struct{})
				p.hold[path] = released
				b := w.start(t).browser(t)
				got := b.get(t, "/api/auth/oidc/school?attempt=attempt-1")
				if got.status == http.StatusFound {
					got = b.get(t, p.authorize(t, got.header.Get("Location")).RequestURI())
				}
				ended, err := popUpOf(got)
				require.NoError(t, err)
				ended.out(t, b, http.StatusServiceUnavailable, "auth/provider-unavailable")
				close(released)
			})
		}
	})
}

func TestProviderWithAnotherIssuer(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		for name, more := range map[string]doc{
			"another issuer":       {"issuer": "https://accounts.example.org"},
			"a token address http": {"token_endpoint": "http://login.example.org/token"},
			"a key address http":   {"jwks_uri": "http://login.example.org/keys"},
			"an http user info":    {"userinfo_endpoint": "http://login.example.org/me"},
			"a script for a login": {"authorization_endpoint": "javascript:alert(1)"},
		} {
			t.Run(name, func(t *testing.T) {
				p.set(func() { p.more = more })
				b.goTo(t, "/api/auth/oidc/school?attempt=attempt-1").out(t, b, http.StatusServiceUnavailable, "auth/provider-unavailable")
			})
		}
	})
}

func TestCancelledAtTheProvider(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		b := w.start(t).browser(t)
		for denial, want := range map[string]struct {
			status int
			code   string
		}{
			"access_denied":           {http.StatusBadRequest, "auth/cancelled"},
			"temporarily_unavailable": {http.StatusServiceUnavailable, "auth/provider-unavailable"},
		} {
			back := p.authorize(t, b.begin(t, "school", ""))
			ended := b.goTo(t, back.Path+"?error="+denial+"&state="+back.Query().Get("state"))
			assert.Equal(t, "attempt-1", ended.Attempt)
			ended.out(t, b, want.status, want.code)
		}
	})
}

func TestConcurrentSignInsOfOneSubjectOpenOneAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		nodes := []*node{w.start(t), w.start(t)}
		browsers := make([]*client, crowd)
		for n := range browsers {
			browsers[n] = nodes[n%2].browser(t)
		}
		statuses := atOnce(t, func(n int) (*answer, error) {
			ended, err := browsers[n].trySignIn(t.Context(), t, p, "school")
			if err != nil {
				return nil, err
			}
			return ended.answer, nil
		})
		assert.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		assert.Equal(t, []string{ada}, w.users(t))
		for _, b := range browsers {
			b.refresh(t)
			assert.Len(t, b.methods(t)["providers"], 1)
		}
	})
}

func TestFailuresAtTheCallbackAreLimitedByAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		p := w.provider(t, "school")
		n := w.start(t)
		b := n.browser(t)
		b.address = "192.0.2.7"
		for range 100 {
			back := p.authorize(t, b.begin(t, "school", ""))
			q := back.Query()
			q.Set("code", "guessed")
			b.goTo(t, back.Path+"?"+q.Encode()).out(t, b, http.StatusBadRequest, "auth/invalid-state")
		}
		b.goTo(t, "/api/auth/oidc/school?attempt=attempt-1").out(t, b, http.StatusTooManyRequests, "auth/rate-limited")
		other := n.browser(t)
		other.address = "192.0.2.8"
		other.signInBy(t, p, "school").in(t, other)
	})
}
