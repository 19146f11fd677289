package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// Each commit makes another version, and nothing else does.
func TestSQLiteVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := newConnector(dsn(dir))
	require.NoError(t, err)
	d := c.pool(2)
	_, err = d.ExecContext(t.Context(), "CREATE TABLE t (n INTEGER)")
	require.NoError(t, err)
	v, err := newVersions(t.Context(), c)
	require.NoError(t, err)
	seen := map[int64]bool{}
	for range 50 {
		version, err := v.now()
		require.NoError(t, err)
		again, err := v.now()
		require.NoError(t, err)
		require.Equal(t, version, again)
		require.False(t, seen[version])
		seen[version] = true
		_, err = d.ExecContext(t.Context(), "INSERT INTO t VALUES (1)")
		require.NoError(t, err)
	}
	// A checkpoint that starts the log anew changes no data; the next commit does.
	_, err = d.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	_, err = d.ExecContext(t.Context(), "INSERT INTO t VALUES (1)")
	require.NoError(t, err)
	version, err := v.now()
	require.NoError(t, err)
	require.False(t, seen[version])
	for range 2 {
		require.NoError(t, v.close())
		_, err = v.now()
		require.ErrorIs(t, err, engine.ErrClosed)
	}
	require.NoError(t, d.Close())
}
