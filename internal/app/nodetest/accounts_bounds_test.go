package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// weakPasswords are refused passwords, with the page's messages.
func weakPasswords() map[string]string {
	return map[string]string{
		"":                           "Password must have at least one uppercase letter",
		"abcdef1":                    "Password must have at least one uppercase letter",
		"ABCDEF1":                    "Password must have at least one lowercase letter",
		"123456":                     "Password must have at least one uppercase letter",
		"Abcde":                      "Password must be at least 6 characters",
		"Aa🎓🎓🎓":                      "Password must be at least 6 characters",
		"Aa" + repeated("1", 1023):   "Password must be at most 1024 bytes long",
		"Aa" + repeated("🎓", 256):    "Password must be at most 1024 bytes long",
		"Abcdef\x00" + "ghi":         "Password must not contain control characters",
		"Abcdef\x1b" + "ghi":         "Password must not contain control characters",
		repeated("a", 5) + "\u0085A": "Password must not contain control characters",
	}
}

func badRegistrations() []bound {
	return []bound{
		{field: "name", bad: join(notText(), invisible(), controls(), lineBreaks(), []any{repeated("x", 101), repeated("🎓", 101)})},
		{field: "email", bad: join(notText(), controls(), []any{
			"", " ", "x", "a@", "@b.org", "a b@c.org", "a@b c.org", "a@b@c.org", "a@-b.org", "a@b-.org", "a@b..org", "a@.org", "a@b.", ".a@b.org", "a.@b.org",
			"a\u202e@b.org", "a@b\u200b.org", "<a@b.org>", "a@b.org,c@d.org", `"a"@b.org`, `a\b@c.org`, "a@b.org\nBcc: c@d.org", repeated("a", 243) + "@example.org",
		})},
		{field: "photoURL", bad: append(badLinks(), "", " ")},
	}
}

func TestRegistrationBounds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for _, b := range badRegistrations() {
			for _, value := range b.bad {
				n.visitor().post(t, "/api/auth/register", with(newcomer(), b.field, value)).
					refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+b.field)
			}
		}
		for weak, message := range weakPasswords() {
			a := n.visitor().post(t, "/api/auth/register", with(newcomer(), "password", weak))
			a.refused(t, http.StatusUnprocessableEntity, studycircle.CodeWeakPassword, "body.password")
			require.Equal(t, message, a.json(t)["detail"])
		}
		for _, name := range fields(newcomer()) {
			n.visitor().post(t, "/api/auth/register", with(newcomer(), name, absent{})).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+name)
		}
		n.visitor().post(t, "/api/auth/register", with(newcomer(), "password", "x", "name", "")).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.name", "body.password")
		n.visitor().post(t, "/api/auth/login", doc{"email": "grace@example.org", "password": password}).
			refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
	})
}

func TestRegistrationTakes(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for i, changed := range []doc{
			{"name": repeated("🎓", 100)}, {"password": "Aa🎓🎓🎓🎓"}, {"password": "Aa" + repeated("1", 1022)}, {"password": "Пароль"},
			{"email": "a+b@c"}, {"email": "üser@exämple.org"}, {"email": repeated("a", 242) + "@example.org"}, {"photoURL": link(2048)},
		} {
			body := with(newcomer(), "email", fmt.Sprintf("n%d@example.org", i))
			maps.Copy(body, changed)
			n.visitor().post(t, "/api/auth/register", body).is(t, http.StatusCreated)
			n.visitor().post(t, "/api/auth/login", doc{"email": body["email"], "password": body["password"]}).is(t, http.StatusOK)
		}
	})
}

func TestProfileBounds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		good := doc{"displayName": "Ada", "photoURL": ""}
		for _, value := range join(notText(), invisible(), controls(), lineBreaks(), []any{repeated("x", 101)}) {
			ada.patch(t, "/api/auth/profile", with(good, "displayName", value)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.displayName")
		}
		for _, value := range badLinks() {
			ada.patch(t, "/api/auth/profile", with(good, "photoURL", value)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.photoURL")
		}
		ada.patch(t, "/api/auth/profile", with(good, "email", "eve@example.org")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.email")
		for _, sent := range append(goodLinks(), "") {
			require.Equal(t, sent, ada.patch(t, "/api/auth/profile", with(good, "photoURL", sent)).is(t, http.StatusOK).json(t)["photoURL"])
		}
	})
}
