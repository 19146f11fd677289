package nodetest

import (
	"net/http"
	"strings"
	"testing"

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
