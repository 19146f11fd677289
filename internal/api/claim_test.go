package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/admission"
)

// Under load the addresses of one network count as one visitor.
func TestVisitorsAreCountedByNetwork(t *testing.T) {
	claim := func(address string) admission.Claim {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = address
		return Config{}.claim(r)
	}
	require.Equal(t, claim("[2001:db8::1]:80"), claim("[2001:db8::ffff:2]:81"))
	require.NotEqual(t, claim("[2001:db8::1]:80"), claim("[2001:db8:0:1::1]:80"))
	require.Equal(t, claim("192.0.2.1:80"), claim("[::ffff:192.0.2.1]:80"))
	require.NotEqual(t, claim("192.0.2.1:80"), claim("192.0.2.2:80"))
	require.False(t, claim("192.0.2.1:80").SignedIn)
}
