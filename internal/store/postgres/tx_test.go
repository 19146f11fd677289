package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
	"studycircle/internal/testpg"
)

// A write whose function or statement takes too long is ended, and the next one runs.
func TestAWriteHasADeadline(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), testpg.DB(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	for name, f := range map[string]func(context.Context, *engine.Tx) error{
		"function": func(ctx context.Context, _ *engine.Tx) error {
			<-ctx.Done()
			return ctx.Err()
		},
		"statement": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "SELECT pg_sleep(60)")
			return err
		},
	} {
		d.writeTimeout = 100 * time.Millisecond
		require.Equal(t, engine.Unavailable, d.Fault(d.Write(t.Context(), f)), name)
		d.writeTimeout = engine.WriteTimeout
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('next', '') ON CONFLICT DO NOTHING")
			return err
		}), name)
	}
}
