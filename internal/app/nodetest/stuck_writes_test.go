package nodetest

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// writesAtOnce is at least the number of writes that a node runs at a time.
const writesAtOnce = 32

// While functions that ignore their context block all writes, /readyz says so and a
// request that writes is refused in time.
func TestReadinessReportsHangingWrites(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		n := w.start(t)
		ada := n.user(t, "Ada")
		release := make(chan struct{})
		var hanging sync.WaitGroup
		free := sync.OnceFunc(func() { close(release); hanging.Wait() })
		defer free()
		began := make(chan struct{}, writesAtOnce)
		for range writesAtOnce {
			hanging.Go(func() {
				_ = n.app.Store.Write(context.WithoutCancel(t.Context()), studycircle.System(), func(context.Context, *store.Tx) error {
					began <- struct{}{}
					<-release
					return nil
				})
			})
		}
		<-began
		since := time.Now()
		require.Eventually(t, func() bool {
			a, err := n.visitor().try(t.Context(), http.MethodGet, "/readyz", nil)
			return err == nil && a.status == http.StatusServiceUnavailable
		}, 20*time.Second, 50*time.Millisecond)
		require.Less(t, time.Since(since), 6*time.Second) // five, and the last request's time

		since = time.Now()
		ada.post(t, "/api/assignments", assignment()).refused(t, http.StatusServiceUnavailable, studycircle.CodeUnavailable)
		require.Less(t, time.Since(since), 12*time.Second) // ten to answer within, and some for a busy machine
		n.visitor().get(t, "/livez").is(t, http.StatusOK)

		free()
		require.Eventually(t, func() bool {
			a, err := n.visitor().try(t.Context(), http.MethodGet, "/readyz", nil)
			return err == nil && a.status == http.StatusOK
		}, 20*time.Second, 50*time.Millisecond)
		ada.post(t, "/api/assignments", assignment()).is(t, http.StatusCreated)
	})
}
