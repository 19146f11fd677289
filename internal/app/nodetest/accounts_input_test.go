package nodetest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }

func TestRegistrationWithAnEmailInAnotherCaseOrWithBlanks(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		assert.Equal(t, ada, b.register(t, " \tADA@Example.Org ").text(t, "email"))
		for _, same := range []string{ada, "Ada@Example.org", "  ada@example.org\n"} {
			b.post(t, "/api/auth/register", registration(same)).refused(t, http.StatusConflict, "auth/email-already-in-use")
			b.login(t, same, password).is(t, http.StatusOK)
		}
		for _, bad := range []string{"ada @example.org", "ada@exam ple.org", "a\u00a0da@example.org"} {
			b.post(t, "/api/auth/register", registration(bad)).refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

func TestRegistrationWithARightToLeftOverrideInTheEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		for _, bad := range []string{"\u202eada@example.org", "ada@\u202eexample.org", "ada\u200b@example.org", "ada@example.org\u2066", "nul\x00@example.org"} {
			b.post(t, "/api/auth/register", registration(bad)).refused(t, http.StatusUnprocessableEntity, "invalid")
			b.login(t, bad, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		}
	})
}

func TestPasswordOfAThousandCharacters(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		long := "Aa" + strings.Repeat("x", 998)
		r := registration(ada)
		r["password"] = long
		b.post(t, "/api/auth/register", r).is(t, http.StatusCreated)
		b.login(t, ada, long).is(t, http.StatusOK)
		b.login(t, ada, long[:999]).refused(t, http.StatusUnauthorized, "auth/invalid-credential") // every byte counts
		b.login(t, ada, strings.Repeat("x", 500_000)).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		r["email"], r["password"] = "bo@example.org", "Aa"+strings.Repeat("ü", 998) // more than 1,024 bytes
		b.post(t, "/api/auth/register", r).refused(t, http.StatusUnprocessableEntity, "auth/weak-password")
	})
}

func TestPasswordWithNUL(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		r := registration(ada)
		r["password"] = "Correct\x001Horse"
		b.post(t, "/api/auth/register", r).refused(t, http.StatusUnprocessableEntity, "auth/weak-password")
		b.register(t, ada)
		b.login(t, ada, "Correct\x001Horse").refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		b.login(t, ada, password+"\x00").refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		b.patch(t, "/api/auth/password", doc{"currentPassword": password, "newPassword": "Aa1234\x00"}).refused(t, http.StatusUnprocessableEntity, "auth/weak-password")
	})
}

func TestForgedAlteredAndEndedSessionCookiesAreRefused(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		secret := b.register(t, ada).cookie("session").Value
		for _, forged := range []string{"x", secret[1:], secret + "A", strings.ToLower(secret), "\xff", strings.Repeat("A", 10_000)} {
			f := n.browser(t)
			f.http.Transport = withCookie{"session=" + forged}
			assert.False(t, f.renewed(t))
			f.post(t, "/api/auth/logout", nil).is(t, http.StatusNoContent)
		}
		require.True(t, b.renewed(t))
		b.post(t, "/api/auth/logout", nil).is(t, http.StatusNoContent)
		b.http.Transport = withCookie{"session=" + secret}
		assert.False(t, b.renewed(t))
	})
}

func TestConcurrentRegistrationsOfOneAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.http.Jar = nil
		statuses := atOnce(t, func(i int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/register", registration([]string{ada, "ADA@example.org"}[i%2]))
		})
		assert.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: crowd - 1}, statuses)
	})
}

// Concurrent writes to one account cause no server error, and no session of a deleted
// account survives.
func TestConcurrentAccountWrites(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		b.http.Jar = nil
		calls := []struct {
			method, path string
			body         any
		}{
			{http.MethodPost, "/api/auth/login", doc{"email": ada, "password": password}},
			{http.MethodPatch, "/api/auth/profile", doc{"displayName": "Ada", "photoURL": ""}},
			{http.MethodPost, "/api/auth/password/forgot", doc{"email": ada}},
			{http.MethodPost, "/api/auth/email/verification", nil},
			{http.MethodDelete, "/api/auth/sessions", nil},
			{http.MethodGet, "/api/auth/export", nil},
		}
		all := func() map[int]int {
			return atOnce(t, func(i int) (*answer, error) {
				c := calls[i%len(calls)]
				return b.try(t.Context(), c.method, c.path, c.body)
			})
		}
		for status := range all() {
			assert.Less(t, status, 300)
		}
		calls = append(calls, struct {
			method, path string
			body         any
		}{http.MethodDelete, "/api/auth/account", nil})
		for status := range all() {
			assert.Contains(t, []int{http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusUnauthorized}, status)
		}
		assert.False(t, b.signedIn(t))
		b.login(t, ada, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
	})
}
