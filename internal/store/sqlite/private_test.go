package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The database and its copies hold the key of the access tokens: only their owner reads them, whatever the folder is.
func TestFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	open := func() {
		d, err := Open(t.Context(), dir)
		require.NoError(t, err)
		for _, name := range []string{FileIn(dir), FileIn(dir) + "-wal", FileIn(dir) + "-shm"} {
			private(t, name)
		}
		require.NoError(t, d.Close())
	}
	open()
	require.NoError(t, os.Chmod(FileIn(dir), 0o644))
	open()
	backup := filepath.Join(dir, "backup.db")
	require.NoError(t, Backup(t.Context(), dir, backup))
	private(t, backup)
	restored := filepath.Join(dir, "restored")
	require.NoError(t, Restore(t.Context(), restored, backup))
	private(t, FileIn(restored))
}

func private(t *testing.T, name string) {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
}
