package pages_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"studycircle/internal/store/pages"
)

// clock is a database's version that a test sets.
type clock struct{ version atomic.Uint64 }

func (c *clock) Version(context.Context) (uint64, error) { return c.version.Load(), nil }

func open(t *testing.T) *sql.DB {
	t.Helper()
	d, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "counts.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	_, err = d.ExecContext(t.Context(), `CREATE TABLE page_counts (scope TEXT, tier BIGINT, block BIGINT, n BIGINT, PRIMARY KEY (scope, tier, block));
		CREATE TABLE page_deltas (id INTEGER PRIMARY KEY, scope TEXT, block BIGINT, n BIGINT)`)
	require.NoError(t, err)
	return d
}

func add(t *testing.T, d *sql.DB, c pages.Counts) {
	t.Helper()
	tx, err := d.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, c.Tiers(func(tier int64, k pages.Key, n int64) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO page_counts VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE SET n = n + excluded.n", string(k.Scope), tier, k.Block, n)
		return err
	}))
	require.NoError(t, tx.Commit())
}

// A list may be the sum of any number of scopes, of any noun.
func TestPagesOfAnyNumberOfScopes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 7, 40} {
		d := open(t)
		l := pages.NewLocator(d, &clock{})
		counts := pages.Counts{}
		var scopes []pages.Scope
		for i := range n {
			s := pages.Scope(fmt.Sprint("comments/", i))
			scopes = append(scopes, s)
			for row := range int64(1000) {
				counts.Add(s, row*int64(n)+int64(i), 1)
			}
		}
		add(t, d, counts)
		for _, at := range []int64{0, 1, 999, int64(n)*1000 - 1} {
			start, err := l.Locate(t.Context(), pages.OldestFirst, at, pages.Of(scopes...))
			require.NoError(t, err)
			require.EqualValues(t, 1000*n, start.Total)
			require.Equal(t, at, start.From+start.Skip, "%d scopes: every position has a row", n)
			start, err = l.Locate(t.Context(), pages.OldestFirst, at/int64(n), pages.Of(scopes[0]))
			require.NoError(t, err)
			require.EqualValues(t, 1000, start.Total)
		}
		past, err := l.Locate(t.Context(), pages.NewestFirst, int64(n)*1000, pages.Of(scopes...))
		require.NoError(t, err)
		require.False(t, past.Found)
	}
}

// Counts are read again once there is another version.
func TestCountsAreKeptUnderTheirVersion(t *testing.T) {
	t.Parallel()
	d, now := open(t), &clock{}
	now.version.Store(1)
	l := pages.NewLocator(d, now)
	total := func() int64 {
		t.Helper()
		start, err := l.Locate(t.Context(), pages.NewestFirst, 0, pages.Of("a", "b"))
		require.NoError(t, err)
		return start.Total
	}
	counts := pages.Counts{}
	for row := range int64(300) {
		counts.Add("a", row, 1)
	}
	add(t, d, counts)
	require.EqualValues(t, 300, total())
	add(t, d, pages.Counts{{Scope: "b", Block: 1}: 1})
	require.EqualValues(t, 300, total(), "the version is the same")
	now.version.Store(2)
	require.EqualValues(t, 301, total())
}
