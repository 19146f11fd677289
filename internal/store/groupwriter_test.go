package store

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/db"
)

// Whoever writes while the store closes is told the truth: what was reported as
// written is there, and what was not is not.
func TestClosingTellsTheTruth(t *testing.T) {
	t.Parallel()
	for range 30 {
		dir := t.TempDir()
		s, err := Open(t.Context(), Config{Dir: dir})
		require.NoError(t, err)
		told := make([]error, 16)
		var writers sync.WaitGroup
		for i := range told {
			writers.Go(func() {
				told[i] = s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
					return tx.query.PutSettingIfAbsent(ctx, settingNamed(i))
				})
			})
		}
		require.NoError(t, s.Close())
		writers.Wait()
		s, err = Open(t.Context(), Config{Dir: dir})
		require.NoError(t, err)
		for i, err := range told {
			_, missing := s.query.GetSetting(t.Context(), settingNamed(i).Name)
			require.Equal(t, err == nil, missing == nil, "write %d: told %v, read %v", i, err, missing)
			if err != nil {
				require.ErrorIs(t, err, errClosed)
			}
		}
		require.NoError(t, s.Close())
	}
}

func settingNamed(i int) db.PutSettingIfAbsentParams {
	return db.PutSettingIfAbsentParams{Name: string(rune('a' + i)), Value: "x"}
}
