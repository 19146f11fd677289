package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/teststore"
)

// A write while the store closes returns nil if and only if it was stored.
func TestClosingReportsAcknowledgedWrites(t *testing.T) {
	t.Parallel()
	for range 30 {
		c := store.Config{Dir: teststore.Dir(t)}
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		answers := make([]error, 16)
		var writers sync.WaitGroup
		for i := range answers {
			writers.Go(func() { _, answers[i] = s.SettingOr(t.Context(), fmt.Sprint("setting", i), "x") })
		}
		require.NoError(t, s.Close())
		writers.Wait()
		d := plainDB(t, c)
		for i, err := range answers {
			var n int
			require.NoError(t, d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM settings WHERE name = $1", fmt.Sprint("setting", i)).Scan(&n))
			require.Equal(t, err == nil, n == 1, "write %d: returned %v, read %v", i, err, n)
			if err != nil && !strings.HasSuffix(err.Error(), "sql: database is closed") {
				require.ErrorIs(t, err, engine.ErrClosed)
			}
		}
		require.NoError(t, d.Close())
	}
}
