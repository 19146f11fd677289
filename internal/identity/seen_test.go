package identity

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Uses of sessions that cannot be stored are stored by the next run, also those of later batches.
func TestUsesOfSessionsOutliveAFault(t *testing.T) {
	began := time.Unix(1_800_000_000, 0).UTC()
	now := began
	i := with(t, func() time.Time { return now })
	ids := make([]string, 2*seenBatch+1)
	require.NoError(t, i.write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for n := range ids {
			ids[n] = studycircle.NewID(now)
			err := tx.InsertSession(ctx, store.NewSession{
				ID: ids[n], UserID: i.ada.ID, SecretHash: ids[n], CreatedAt: now, ExpiresAt: now.Add(SessionLifetime),
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	now = began.Add(time.Hour)
	for _, id := range ids {
		i.seen.note(id, now)
	}
	away, cancel := context.WithCancel(t.Context())
	writes := 0
	i.admit = func() {
		if writes++; writes == 2 {
			cancel()
		}
	}
	require.Error(t, i.WriteSeen(away))
	i.admit = nil
	require.NoError(t, i.WriteSeen(t.Context()))
	var lost int
	rows := i.store.Engine().Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM sessions WHERE last_seen_at < $1", now.UnixMicro())
	require.NoError(t, rows.Scan(&lost))
	require.Zero(t, lost)
}
