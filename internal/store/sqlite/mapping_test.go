package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that the disk cannot read fails its reader only. The first read after the disk has recovered succeeds, and
// writes continue.
func TestReadsSurviveAFaultOfAMappedPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openDir(t, dir)
	publish(t, d, numbered100("a")...)
	_, err := d.writes.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	file := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	_, err = read(t, d, "a0")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 4096))
	for range d.rows.all {
		_, err := read(t, d, "a0")
		require.Error(t, err)
	}
	require.True(t, d.unmapped.Load())

	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.Write(whole)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for range d.rows.all {
		found, err := read(t, d, "a0")
		require.NoError(t, err)
		require.Equal(t, longText, found[0].Description)
	}
	for _, c := range d.rows.all {
		require.False(t, c.mapped)
	}
	publish(t, d, numbered100("b")...)
	_, total := newest(t, d)
	require.EqualValues(t, 200, total)
}

// A panic that is no memory fault passes through.
func TestGuardLetsOtherPanicsPass(t *testing.T) {
	t.Parallel()
	c := &conn{mapped: true}
	require.PanicsWithValue(t, "other", func() { _ = c.guard(&DB{}, func() error { panic("other") }) })
}
