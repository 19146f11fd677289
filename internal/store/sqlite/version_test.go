package sqlite

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// Both ways to read SQLite's version see every commit, and nothing else.
func TestSQLiteVersion(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(database string) (*walIndex, error){
		"WAL index":    openWALIndex,
		"data_version": func(string) (*walIndex, error) { return openWALIndex("there is none") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			d, err := sql.Open("sqlite", dsn(dir))
			require.NoError(t, err)
			_, err = d.ExecContext(t.Context(), "CREATE TABLE t (n INTEGER)")
			require.NoError(t, err)
			conn, err := d.Conn(t.Context())
			require.NoError(t, err)
			v, err := newVersions(t.Context(), conn, func() (*walIndex, error) { return open(FileIn(dir)) })
			require.NoError(t, err)
			require.Equal(t, name == "WAL index", v.index != nil)
			seen := map[state]bool{}
			for range 50 {
				version, err := v.now(t.Context())
				require.NoError(t, err)
				again, err := v.now(t.Context())
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
			version, err := v.now(t.Context())
			require.NoError(t, err)
			require.False(t, seen[version])
			require.NoError(t, v.close())
			require.NoError(t, d.Close())
			require.NoError(t, v.release())
		})
	}
}
