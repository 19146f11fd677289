package nodetest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// sessions returns the list of c's sessions.
func (c *client) sessions(t *testing.T) []doc {
	t.Helper()
	var out []doc
	a := c.get(t, "/api/auth/sessions").is(t, http.StatusOK)
	require.NoError(t, unmarshal(a.body, &out))
	return out
}

func TestCookiesFollowTheContract(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		b := w.start(t).browser(t)
		c := b.register(t, ada).cookie("session")
		require.NotNil(t, c)
		assert.True(t, c.HttpOnly)
		assert.False(t, c.Secure)
		assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
		assert.Equal(t, "/", c.Path)
		assert.Empty(t, c.Domain)

		w.scheme = "https"
		over := w.start(t).browser(t)
		a := over.login(t, ada, password).is(t, http.StatusOK)
		for _, name := range []string{"__Host-session", "__Host-device"} {
			c := a.cookie(name)
			require.NotNil(t, c, name)
			assert.True(t, c.Secure && c.HttpOnly && c.SameSite == http.SameSiteLaxMode && c.Path == "/" && c.Domain == "", name)
		}
		assert.Nil(t, a.cookie("session"))
	})
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		desk, phone := n.browser(t), n.browser(t)
		desk.agent = firefox
		desk.register(t, ada)
		w.clock.advance(time.Hour)
		phone.agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1"
		phone.login(t, ada, password).is(t, http.StatusOK)

		desk.token = "" // older than its 15 minutes
		desk.token = desk.get(t, "/api/auth/session").json(t)["user"].(doc)["accessToken"].(string)
		list := desk.sessions(t)
		require.Len(t, list, 2)
		byDevice := map[string]doc{}
		for _, s := range list {
			byDevice[s["device"].(string)] = s
			for name := range s {
				assert.Contains(t, []string{"_id", "current", "device", "createdAt", "lastSeenAt", "expiresAt"}, name)
			}
		}
		assert.Equal(t, true, byDevice["Firefox on Linux"]["current"])
		assert.Equal(t, false, byDevice["Safari on iPhone"]["current"])
		assert.Less(t, byDevice["Firefox on Linux"]["createdAt"], byDevice["Firefox on Linux"]["lastSeenAt"], "seen just now")

		id := byDevice["Safari on iPhone"]["_id"].(string)
		require.True(t, phone.signedIn(t))
		assert.InDelta(t, 1, desk.del(t, "/api/auth/sessions/"+id).is(t, http.StatusOK).json(t)["deletedCount"], 0)
		assert.False(t, phone.signedIn(t))
		assert.False(t, phone.renewed(t))
		assert.True(t, desk.signedIn(t))
		desk.del(t, "/api/auth/sessions/"+id).refused(t, http.StatusNotFound, "not-found")
		desk.del(t, "/api/auth/sessions/%00").refused(t, http.StatusNotFound, "not-found")
	})
}

func TestConcurrentEndsOfOneSession(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		nodes := []*node{w.start(t), w.start(t)}
		desk, phone := nodes[0].browser(t), nodes[0].browser(t)
		phone.register(t, ada)
		id := phone.sessions(t)[0]["_id"].(string)
		desk.login(t, ada, password).is(t, http.StatusOK)
		statuses := atOnce(t, func(k int) (*answer, error) {
			return desk.at(nodes[k%2]).try(t.Context(), http.MethodDelete, "/api/auth/sessions/"+id, nil)
		})
		assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusNotFound: crowd - 1}, statuses)
		assert.False(t, phone.renewed(t))

		statuses = atOnce(t, func(k int) (*answer, error) {
			return desk.at(nodes[k%2]).try(t.Context(), http.MethodPost, "/api/auth/logout", nil)
		})
		assert.Equal(t, map[int]int{http.StatusNoContent: crowd}, statuses)
		assert.False(t, desk.renewed(t))
	})
}

func TestSessionsOfOthersCannotBeEnded(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		one, other := n.browser(t), n.browser(t)
		one.register(t, ada)
		other.register(t, "eve@example.org")
		id := one.sessions(t)[0]["_id"].(string)
		other.del(t, "/api/auth/sessions/"+id).refused(t, http.StatusNotFound, "not-found")
		other.del(t, "/api/auth/sessions").is(t, http.StatusOK)
		assert.True(t, one.signedIn(t))
		assert.Len(t, one.sessions(t), 1)
	})
}

func TestEndingAllOtherSessionsKeepsThisOne(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		var others []*client
		for range 3 {
			o := n.browser(t)
			o.login(t, ada, password).is(t, http.StatusOK)
			require.True(t, o.signedIn(t))
			others = append(others, o)
		}
		assert.InDelta(t, 3, b.del(t, "/api/auth/sessions").is(t, http.StatusOK).json(t)["deletedCount"], 0)
		for _, o := range others {
			assert.False(t, o.signedIn(t))
		}
		assert.True(t, b.signedIn(t) && b.renewed(t))
	})
}

func TestEndingTheOwnSessionClearsTheCookie(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		c := b.del(t, "/api/auth/sessions/"+b.sessions(t)[0]["_id"].(string)).is(t, http.StatusOK).cookie("session")
		require.NotNil(t, c)
		assert.Negative(t, c.MaxAge)
		assert.False(t, b.signedIn(t))
	})
}

func TestPasswordChangeEndsAllOtherSessions(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b, other := n.browser(t), n.browser(t)
		b.register(t, ada)
		other.login(t, ada, password).is(t, http.StatusOK)
		open := b.forgot(t, 1, ada)
		change := func(current, next string) *answer {
			return b.patch(t, "/api/auth/password", doc{"currentPassword": current, "newPassword": next})
		}
		change("Wrong1Horse", newSecret).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		weak := change(password, "weak").refused(t, http.StatusUnprocessableEntity, "auth/weak-password")
		assert.Contains(t, string(weak.body), `"body.newPassword"`)
		require.True(t, other.signedIn(t), "a refused change changes nothing")

		change(password, newSecret).is(t, http.StatusNoContent)
		assert.True(t, b.signedIn(t) && b.renewed(t), "the session that asked goes on")
		assert.False(t, other.signedIn(t) || other.renewed(t))
		badLink(t, b.reset(t, open)) // an open link is invalid, too
		other.login(t, ada, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		other.login(t, ada, newSecret).is(t, http.StatusOK)
	})
}

func TestConcurrentPasswordChanges(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		statuses := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPatch, "/api/auth/password", doc{"currentPassword": password, "newPassword": newSecret})
		})
		assert.Equal(t, map[int]int{http.StatusNoContent: 1, http.StatusUnauthorized: crowd - 1}, statuses)
		assert.True(t, b.signedIn(t))
	})
}

func TestOldHashIsReplacedAtSignIn(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.hash = owasp
		n := w.start(t)
		old, err := argon2id.CreateHash(password, cheap)
		require.NoError(t, err)
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertAccount(ctx, studycircle.Account{PasswordHash: old, User: studycircle.User{
				ID: studycircle.NewID(w.clock.now()), Email: ada, DisplayName: "Ada", CreatedAt: w.clock.now(),
			}})
		}))
		b := n.browser(t)
		b.login(t, ada, wrong).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		hash := func() string {
			account, err := n.app.Store.AccountByEmail(t.Context(), ada)
			require.NoError(t, err)
			return account.PasswordHash
		}
		require.Equal(t, old, hash())
		b.login(t, ada, password).is(t, http.StatusOK)
		today := hash()
		assert.Contains(t, today, "m=19456,t=2,p=1")
		b.login(t, ada, password).is(t, http.StatusOK)
		assert.Equal(t, today, hash())
	})
}

func TestTwoTabsRenewAtOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		tokens := make([]string, crowd)
		statuses := atOnce(t, func(n int) (*answer, error) {
			a, err := b.try(t.Context(), http.MethodGet, "/api/auth/session", nil)
			if err == nil {
				tokens[n], _ = a.json(t)["user"].(doc)["accessToken"].(string)
			}
			return a, err
		})
		assert.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		for _, token := range tokens {
			b.token = token
			assert.True(t, b.signedIn(t))
		}
	})
}

func TestSignInEndsTheSessionTheBrowserHad(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		before := b.register(t, ada)
		old := *b
		require.True(t, old.signedIn(t))
		after := b.login(t, ada, password).is(t, http.StatusOK)
		assert.NotEqual(t, before.cookie("session").Value, after.cookie("session").Value)
		old.token = before.text(t, "accessToken")
		assert.False(t, old.signedIn(t))
		assert.Len(t, b.sessions(t), 1)

		b.register(t, "eve@example.org") // registering ends it, too
		old.token = after.text(t, "accessToken")
		assert.False(t, old.signedIn(t))
	})
}

func TestSessionExpiresAndIsRemoved(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, stop := w.startUntil(t)
		b := n.browser(t)
		b.register(t, ada)
		w.clock.advance(30*24*time.Hour + time.Second)
		assert.False(t, b.renewed(t))
		stop()
		again := b.at(w.start(t)) // a node cleans up when it starts
		again.token = ""
		again.login(t, ada, password).is(t, http.StatusOK)
		assert.Len(t, again.sessions(t), 1)
	})
}

func TestSuspensionEndsTokensWithinFiveSeconds(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		require.True(t, b.signedIn(t))
		suspend := func(at time.Time) {
			require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.SetSuspended(ctx, ada, at)
				return err
			}))
		}
		suspend(w.clock.now())
		b.endsWithinFiveSeconds(t)
		assert.False(t, b.renewed(t))
		b.login(t, ada, password).refused(t, http.StatusForbidden, "auth/user-disabled")
		b.login(t, ada, "Wrong1Horse").refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		b.post(t, "/api/auth/password/forgot", doc{"email": ada}).is(t, http.StatusAccepted)
		n.sendsAllMails(t) // a queued email is sent if the suspension has ended
		suspend(time.Time{})
		b.login(t, ada, password).is(t, http.StatusOK)
		assert.Empty(t, w.mails.to(ada, resetPath))
	})
}

func TestLastSeenIsKeptWithoutAWritePerRequest(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, stop := w.startUntil(t)
		b := n.browser(t)
		b.register(t, ada)
		stored := func(s *store.Store) time.Time {
			account, err := s.AccountByEmail(t.Context(), ada)
			require.NoError(t, err)
			list, err := s.SessionsOf(t.Context(), account.ID, w.clock.now())
			require.NoError(t, err)
			return list[0].LastSeenAt
		}
		signedInAt := stored(n.app.Store)
		w.clock.advance(10 * time.Minute)
		for range 50 {
			require.True(t, b.signedIn(t))
		}
		assert.Equal(t, signedInAt, stored(n.app.Store), "nothing is written yet")
		stop() // stores pending uses
		again := w.start(t)
		assert.WithinDuration(t, signedInAt.Add(10*time.Minute), stored(again.app.Store), time.Minute)
	})
}

func TestProfileChangeIsSeenByItsWriterOnEveryNode(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		b.register(t, ada)
		there := b.at(second)
		require.True(t, b.signedIn(t) && there.signedIn(t), "warm in both caches")
		b.patch(t, "/api/auth/profile", doc{"displayName": "Ada L.", "photoURL": ""}).is(t, http.StatusOK)
		for _, at := range []*client{b, there} {
			assert.Equal(t, "Ada L.", at.get(t, "/api/auth/account").text(t, "displayName"))
			assert.Equal(t, "Ada L.", at.get(t, "/api/auth/session").json(t)["user"].(doc)["displayName"])
		}
	})
}

func TestLogoutIsSeenAtOnceHereAndWithinFiveSecondsElsewhere(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		b.register(t, ada)
		there := b.at(second)
		require.True(t, b.signedIn(t) && there.signedIn(t))
		b.post(t, "/api/auth/logout", nil).is(t, http.StatusNoContent)
		assert.False(t, b.signedIn(t))
		there.endsWithinFiveSeconds(t)
	})
}
