package nodetest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestRegister(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		a := n.visitor().post(t, "/api/auth/register", with(newcomer(), "email", " Grace@Example.ORG ", "name", " Grace ")).is(t, http.StatusCreated)
		got := a.json(t)
		require.Equal(t, doc{
			"email": "grace@example.org", "displayName": "Grace", "photoURL": "https://example.org/g.png", "accessToken": got["accessToken"],
		}, got)
		requireSessionCookie(t, a.sessionCookie(t))

		grace := &client{n: n, token: got["accessToken"].(string)}
		grace.publish(t)

		for _, email := range []string{"grace@example.org", "GRACE@EXAMPLE.ORG"} {
			again := n.visitor().post(t, "/api/auth/register", with(newcomer(), "email", email, "password", "Other1Secret"))
			again.refused(t, http.StatusConflict, studycircle.CodeEmailInUse)
			require.Empty(t, again.cookies)
		}
		n.visitor().post(t, "/api/auth/login", doc{"email": "grace@example.org", "password": password}).is(t, http.StatusOK)
	})
}

func requireSessionCookie(t *testing.T, c *http.Cookie) {
	t.Helper()
	require.Equal(t, "session", c.Name)
	require.NotEmpty(t, c.Value)
	require.Equal(t, "/", c.Path)
	require.Empty(t, c.Domain)
	require.True(t, c.HttpOnly)
	require.False(t, c.Secure, "a browser on plain http would throw it away")
	require.Equal(t, http.SameSiteLaxMode, c.SameSite)
	require.Positive(t, c.MaxAge)
}

func TestCookieOverTLS(t *testing.T) {
	t.Parallel()
	w := onSQLite(t)
	w.scheme = "https"
	n := w.start(t)
	c := n.visitor().post(t, "/api/auth/register", newcomer()).is(t, http.StatusCreated).sessionCookie(t)
	require.Equal(t, "__Host-session", c.Name)
	require.True(t, c.Secure)
	require.Equal(t, "/", c.Path)
	require.Empty(t, c.Domain)
	require.True(t, c.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, c.SameSite)
}

func TestLogin(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		a := n.visitor().post(t, "/api/auth/login", doc{"email": "ADA@example.org ", "password": password}).is(t, http.StatusOK)
		requireSessionCookie(t, a.sessionCookie(t))
		require.Equal(t, doc{"email": ada.email, "displayName": "Ada", "photoURL": "", "accessToken": a.json(t)["accessToken"]}, a.json(t))

		wrong := n.visitor().post(t, "/api/auth/login", doc{"email": ada.email, "password": "Wrong1Horse"})
		wrong.refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		unknown := n.visitor().post(t, "/api/auth/login", doc{"email": "nobody@example.org", "password": password})
		unknown.refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		require.Equal(t, string(wrong.body), string(unknown.body))
		require.Empty(t, wrong.cookies)
		require.Empty(t, unknown.cookies)
	})
}

func TestLoginWithHostileText(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for _, text := range []string{"", " ", "a\x00b", "a\x00b@example.org", strings.Repeat("Aa1", 1000), "\u202eada@example.org", "' OR 1=1 --"} {
			n.visitor().post(t, "/api/auth/login", doc{"email": text, "password": password}).
				refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		}
		ada := n.user(t, "Ada")
		for _, text := range []string{"", "\x00", password + "\x00", strings.Repeat("Aa1", 1000)} {
			n.visitor().post(t, "/api/auth/login", doc{"email": ada.email, "password": text}).
				refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		}
		for _, missing := range []string{"email", "password"} {
			n.visitor().post(t, "/api/auth/login", with(doc{"email": ada.email, "password": password}, missing, absent{})).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+missing)
		}
	})
}

func TestSession(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		for name, h := range map[string]header{
			"none": {"Cookie", ""}, "empty": {"Cookie", "session="}, "false": {"Cookie", "session=abc"},
			"the other name": {"Cookie", "__Host-" + cookie.value}, "the token": {"Cookie", "session=" + ada.token},
		} {
			t.Run(name, func(t *testing.T) {
				require.Equal(t, doc{"user": nil}, n.visitor().get(t, "/api/auth/session", h).is(t, http.StatusOK).json(t))
			})
		}
		a := n.visitor().get(t, "/api/auth/session", cookie).is(t, http.StatusOK)
		who := a.json(t)["user"].(doc)
		require.Equal(t, doc{"email": ada.email, "displayName": "Ada", "photoURL": "", "accessToken": who["accessToken"]}, who)
		require.Equal(t, "no-store", a.header.Get("Cache-Control"))
		(&client{n: n, token: who["accessToken"].(string)}).publish(t)

		n.visitor().post(t, "/api/assignments", assignment(), cookie).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
	})
}

func TestLogout(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		elsewhere := ada.token
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		ada.publish(t)
		a := n.visitor().call(t, http.MethodPost, "/api/auth/logout", nil, cookie).is(t, http.StatusNoContent)
		require.Empty(t, a.body)
		require.Empty(t, a.sessionCookie(t).Value)
		require.Negative(t, a.sessionCookie(t).MaxAge)
		require.Equal(t, doc{"user": nil}, n.visitor().get(t, "/api/auth/session", cookie).json(t))
		ada.ended(t)
		ada.post(t, "/api/assignments", assignment()).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		(&client{n: n, token: elsewhere}).publish(t)

		for _, h := range []header{cookie, {"Cookie", ""}, {"Cookie", "session=abc"}} {
			n.visitor().call(t, http.MethodPost, "/api/auth/logout", nil, h).is(t, http.StatusNoContent)
		}
	})
}

func TestProfile(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		n.visitor().patch(t, "/api/auth/profile", doc{"displayName": "Eve", "photoURL": ""}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		n.visitor().patch(t, "/api/auth/profile", doc{"displayName": "Eve", "photoURL": ""}, cookie).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)

		a := ada.patch(t, "/api/auth/profile", doc{"displayName": " Ada L. ", "photoURL": "https://example.org/a.png"}).is(t, http.StatusOK)
		got := a.json(t)
		require.Equal(t, doc{"email": ada.email, "displayName": "Ada L.", "photoURL": "https://example.org/a.png", "accessToken": got["accessToken"]}, got)
		session := n.visitor().get(t, "/api/auth/session", cookie).json(t)["user"].(doc)
		require.Equal(t, "Ada L.", session["displayName"])
		require.Equal(t, "https://example.org/a.png", session["photoURL"])
		(&client{n: n, token: got["accessToken"].(string)}).publish(t)
	})
}
