package api

import (
	"net/http"

	"studycircle/internal/admission"
	"studycircle/internal/limit"
)

// claim says on whose behalf r is made, without asking the database: for admission, a
// client with a token that was signed here is signed in.
func (c Config) claim(r *http.Request) admission.Claim {
	if token := accessToken(r.Header.Get("Authorization")); token != "" {
		if session := c.Identity.SignedSession(token); session != "" {
			return admission.Claim{Key: session, SignedIn: true}
		}
	}
	return admission.Claim{Key: limit.Network(clientAddress(r, c.TrustedProxies))}
}
