package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"studycircle"
)

// Every changed, missing or additional character makes a token invalid.
func TestAlteredTokensAreRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		token := n.user(t, "Ada").token
		try := func(altered string) {
			t.Helper()
			(&client{n: n, token: altered}).get(t, "/api/submissions").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		for i, c := range token {
			for _, other := range "AaB09-_.=" {
				if other != c {
					try(token[:i] + string(other) + token[i+1:])
				}
			}
			try(token[:i] + token[i+1:])
		}
		last := token[len(token)-1]
		for _, other := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
			if byte(other) != last {
				try(token[:len(token)-1] + string(other))
			}
		}
		for _, altered := range []string{token + ".", token + "A", token + "=", "." + token, strings.ToUpper(token), token + token} {
			try(altered)
		}
	})
}

func TestAuthorizationHeaders(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, value := range []string{"", "Bearer", "Bearer ", ada.token, "Basic " + ada.token, "Token " + ada.token, "Bearer\t" + ada.token, "Bearer  " + ada.token, "Bearer " + ada.token + ", Bearer x"} {
			n.visitor().get(t, "/api/submissions", header{"Authorization", value}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		n.visitor().get(t, "/api/submissions?access_token="+ada.token).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER "} {
			n.visitor().get(t, "/api/submissions", header{"Authorization", scheme + ada.token}).is(t, http.StatusOK)
		}
	})
}

// A visitor learns of no assignment of a circle, nor of a hidden one. A client with a token that is not valid any more
// learns that, rather than that the assignment is gone.
func TestAnAssignmentOfACircleIsNotMissingForABadToken(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators = []string{"mo@example.org"}
		n := w.start(t)
		ada, mo := n.user(t, "Ada"), n.user(t, "Mo")
		mo.verify(t)
		public, hidden := "/api/assignment/"+ada.publish(t), ada.publish(t)
		inCircle := "/api/assignment/" + ada.publish(t, "circleId", ada.circle(t, "Readers"))
		mo.post(t, "/api/assignment/"+hidden+"/report", doc{"reason": "spam"}).is(t, http.StatusCreated)
		report := mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["_id"].(string)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		hidden = "/api/assignment/" + hidden

		refused := func(t *testing.T, c *client) {
			t.Helper()
			c.get(t, public).is(t, http.StatusOK)
			for _, path := range []string{inCircle, hidden} {
				c.get(t, path).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			}
		}
		for _, path := range []string{inCircle, hidden} {
			ada.get(t, path).is(t, http.StatusOK)
			n.visitor().get(t, path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			mo.get(t, "/api/assignment/nothing").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		mo.get(t, inCircle).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		refused(t, &client{n: n, token: ada.token + "A"})
		leaver := *ada
		cookie := leaver.newSession(t)
		n.visitor().post(t, "/api/auth/logout", nil, header{"Cookie", "session=" + cookie}).is(t, http.StatusNoContent)
		leaver.ended(t)
		refused(t, &leaver)
		w.clock.advance(15*time.Minute + time.Second)
		refused(t, ada)
	})
}
