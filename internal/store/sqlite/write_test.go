package sqlite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// endless is a statement that never ends.
const endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"

// A write whose function or statement takes too long is ended, and the next one runs.
func TestAWriteHasADeadline(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	d.writer.timeout = 100 * time.Millisecond // before the first write
	for name, f := range map[string]func(context.Context, *engine.Tx) error{
		"function": func(ctx context.Context, _ *engine.Tx) error {
			<-ctx.Done()
			return ctx.Err()
		},
		"statement": func(ctx context.Context, tx *engine.Tx) error {
			var n int
			return tx.DB.QueryRowContext(ctx, endless).Scan(&n)
		},
		"writing statement": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "UPDATE settings SET value = ("+endless+")")
			return err
		},
	} {
		require.Equal(t, engine.Unavailable, d.Fault(d.Write(t.Context(), f)), name)
		require.NoError(t, d.Write(engine.WithLongWrite(t.Context(), engine.LongCopy), func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('next', '') ON CONFLICT DO NOTHING")
			return err
		}), name)
	}
}

// An import or a copy may take any time.
func TestALongWriteHasNoDeadline(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	require.NoError(t, d.Write(engine.WithLongWrite(t.Context(), engine.LongCopy), func(ctx context.Context, _ *engine.Tx) error {
		_, bounded := ctx.Deadline()
		require.False(t, bounded)
		require.Nil(t, d.writer.doing.Load(), "it is not reported as stuck")
		return nil
	}))
}
