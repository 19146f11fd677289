package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// A page that the disk does not give fails its reader and nobody else, and the
// first reader after the disk has healed gets an answer.
func TestReadsSurviveAFault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openDir(t, dir)
	publish(t, d, numbered100("a")...)
	var busy, frames, done int
	require.NoError(t, d.reads.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done))
	require.Zero(t, busy)
	keepAll(t, d)
	file := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 4096))
	for range d.rows.all {
		_, err := read(t, d, "a0")
		require.Equal(t, engine.Unavailable, d.Fault(err), "%v", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.Write(whole)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for range d.rows.all {
		a, err := read(t, d, "a0")
		require.NoError(t, err)
		require.Equal(t, longText, a[0].Description)
	}
}
