package nodetest

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A provider vouches for an address that Unicode folds to that of an existing account:
// the sign-in does not join the account.
func TestUnicodeFoldedAddressJoinsNoAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		owner, b := n.browser(t), n.browser(t)
		owner.verified(t, "kim@example.org")
		for _, email := range []string{"\u212aim@example.org", "kim@example.org\u00a0", "KIM@EXAMPLE.OR\u0130"} {
			p.is("subject-1", "Not Kim", email, true)
			b.signInBy(t, p, "school").out(t, b, http.StatusBadRequest, "auth/no-email")
		}
		p.is("subject-2", "Kim", "KIM@Example.ORG", true)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, []string{"kim@example.org"}, w.users(t))
	})
}

// A provider that accepts requests and does not answer delays only users who chose it. A
// bounded number of them wait; the others are refused at once.
func TestSilentProviderDelaysNoOtherSignIn(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		silent := make(chan struct{})
		p.hold["/.well-known/openid-configuration"] = silent
		w.providerTimeout = time.Minute
		n := w.start(t)
		const starts = 700
		statuses := make(chan int, starts)
		var all sync.WaitGroup
		for range starts {
			all.Go(func() {
				got, err := n.browser(t).try(t.Context(), http.MethodGet, "/api/auth/oidc/school?attempt=attempt-1", nil)
				if !assert.NoError(t, err) {
					return
				}
				statuses <- got.status
			})
		}
		for range starts - 128 {
			require.Equal(t, http.StatusServiceUnavailable, <-statuses)
		}
		b := n.browser(t)
		b.get(t, "/api/assignments").is(t, http.StatusOK)
		b.register(t, ada)
		b.get(t, "/").is(t, http.StatusOK)
		close(silent)
		all.Wait()
		for range 128 {
			require.Equal(t, http.StatusFound, <-statuses, "who waited goes on")
		}
		require.Equal(t, 1, p.asked["/.well-known/openid-configuration"], "asked once for all")
	})
}
