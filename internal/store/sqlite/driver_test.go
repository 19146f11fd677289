package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// Many readers of more texts than are kept get their own answers, also after the schema changed.
func TestStatementsAreKept(t *testing.T) {
	t.Parallel()
	d := openDirAlone(t, t.TempDir())
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
	all, ctx := errgroup.WithContext(t.Context())
	for i := range 16 {
		all.Go(func() error {
			for n := range maxKept + 20 {
				if err := read(ctx, n, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	one, err := d.reads.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, one.Raw(func(own any) error {
		c, is := own.(*conn)
		require.True(t, is)
		require.LessOrEqual(t, len(c.kept), maxKept)
		return nil
	}))
	require.NoError(t, one.Close())

	_, err = d.writes.ExecContext(t.Context(), "CREATE TABLE sample (a INTEGER)")
	require.NoError(t, err)
	require.NoError(t, read(t.Context(), 1, 1))
}

// A text that runs again while its rows are read is a statement of its own.
func TestAStatementRunsWithinItself(t *testing.T) {
	t.Parallel()
	d := openDirAlone(t, t.TempDir())
	const text = "SELECT column1 FROM (VALUES (1), (2), (3)) WHERE column1 > ?"
	tx, err := d.writes.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	sums := 0
	outer, err := tx.QueryContext(t.Context(), text, 0)
	require.NoError(t, err)
	defer func() { require.NoError(t, outer.Close()) }()
	for outer.Next() {
		var n, largest int
		require.NoError(t, outer.Scan(&n))
		require.NoError(t, tx.QueryRowContext(t.Context(), text, 2).Scan(&largest))
		sums += n * largest
	}
	require.NoError(t, outer.Err())
	require.NoError(t, tx.Commit())
	require.Equal(t, (1+2+3)*3, sums)
}

// A cancelled query ends, and its connection is replaced.
func TestACancelledQueryEnds(t *testing.T) {
	t.Parallel()
	d := openDirAlone(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Reads().ExecContext(ctx, "SELECT 1")
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, driver.ErrBadConn)
	_, err = d.Reads().ExecContext(t.Context(), "SELECT 1")
	require.NoError(t, err)
}
