package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// Many readers of more texts than are kept get their own answers, also after the schema changed.
func TestPreparedReads(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	read := func(ctx context.Context, n, add int) (err error) {
		rows, err := d.Reads().QueryContext(ctx, fmt.Sprintf("SELECT %d + ?", n), add)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
		got := -1
		for rows.Next() {
			if err := rows.Scan(&got); err != nil {
				return err
			}
		}
		if got != n+add {
			return fmt.Errorf("%d and not %d", got, n+add)
		}
		return nil
	}
	d.prepared.most = 20
	readers, ctx := errgroup.WithContext(t.Context())
	for i := range 32 {
		readers.Go(func() error {
			for n := range 25 {
				if err := read(ctx, n, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, readers.Wait())
	kept := 0
	d.prepared.statements.Range(func(any, any) bool { kept++; return true })
	require.EqualValues(t, kept, d.prepared.kept.Load())
	require.GreaterOrEqual(t, kept, 20)
	require.LessOrEqual(t, kept, 25, "readers that prepare at once may pass the bound together")

	_, err = d.writes.ExecContext(t.Context(), "CREATE TABLE sample (a INTEGER)")
	require.NoError(t, err)
	require.NoError(t, read(t.Context(), 1, 1))
	d.prepared.most = 100
	require.NoError(t, read(t.Context(), 50, 1))
}
