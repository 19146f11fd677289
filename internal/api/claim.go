package api

import (
	"net/http"

	"studycircle/internal/admission"
	"studycircle/internal/limit"
)

// claim returns the claim of r for admission, without reading the database: a client with a token signed here counts
// as signed in.
func (c Config) claim(r *http.Request) admission.Claim {
	if token := accessToken(authorization(r)); token != "" {
		if session := c.Identity.SignedSession(token); session != "" {
			return admission.Claim{Key: session, SignedIn: true}
		}
	}
	return admission.Claim{Key: limit.Network(clientAddress(r, c.TrustedProxies))}
}
