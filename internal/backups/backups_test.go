package backups_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/backups"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// A copy is made when one is due, checked, and kept until there are enough later ones. Files of others stay.
func TestCopiesAreMadeWhenDueAndKept(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	data, dir := teststore.Dir(t), filepath.Join(t.TempDir(), "deep", "copies")
	s, err := store.Open(t.Context(), store.Config{Dir: data}) // the copies are made beside a running server
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	c := backups.Config{Data: data, Dir: dir, Every: time.Hour, Keep: 2}
	job := c.Job(func() time.Time { return now })
	last, err := c.Last()
	require.NoError(t, err)
	require.Zero(t, last)
	require.NoError(t, job.Run(t.Context()))
	require.Equal(t, []string{"studycircle-20261126T120000Z.db"}, names(t, dir))
	now = now.Add(time.Hour - time.Second)
	require.NoError(t, job.Run(t.Context()))
	require.Len(t, names(t, dir), 1, "none is due")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "studycircle-20261126T115900Z.db.part"), []byte("cut"), 0o600))
	for range 3 {
		now = now.Add(time.Hour)
		require.NoError(t, job.Run(t.Context()))
	}
	require.Equal(t, []string{"notes.txt", "studycircle-20261126T145959Z.db", "studycircle-20261126T155959Z.db"}, names(t, dir))
	last, err = c.Last()
	require.NoError(t, err)
	require.Equal(t, now, last)
	require.NoError(t, store.Restore(t.Context(), t.TempDir(), filepath.Join(dir, "studycircle-20261126T155959Z.db")))
}

// A copy of a clock that was ahead keeps none from being made.
func TestACopyFromTheFutureStopsNone(t *testing.T) {
	t.Parallel()
	now := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	data, dir := teststore.Dir(t), t.TempDir()
	job := backups.Config{Data: data, Dir: dir, Every: time.Hour, Keep: 9}.Job(func() time.Time { return now })
	require.NoError(t, job.Run(t.Context()))
	now = now.AddDate(-13, 0, 0)
	require.NoError(t, job.Run(t.Context()))
	require.NoError(t, job.Run(t.Context()))
	require.Equal(t, []string{"studycircle-20270101T000000Z.db", "studycircle-20400101T000000Z.db"}, names(t, dir))
}

// A failure leaves the earlier copies, and no part of a new one under a copy's name.
func TestAFailedCopyIsNone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	data, dir := teststore.Dir(t), t.TempDir()
	job := backups.Config{Data: data, Dir: dir, Every: time.Hour, Keep: 1}.Job(func() time.Time { return now })
	require.NoError(t, job.Run(t.Context()))
	now = now.Add(2 * time.Hour)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, job.Run(ended))
	file := filepath.Join(data, "studycircle.db")
	require.NoError(t, os.WriteFile(file, []byte("no database at all, but long enough to be read as the head of one"), 0o600))
	require.Error(t, job.Run(t.Context()))
	require.NoError(t, os.Remove(file))
	require.ErrorContains(t, job.Run(t.Context()), "there is no embedded database")
	all, err := filepath.Glob(filepath.Join(dir, "*.db"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "studycircle-20261126T120000Z.db")}, all)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	require.NoError(t, backups.Config{}.Check())
	require.NoError(t, backups.Config{Dir: "x", Every: time.Minute, Keep: 1}.Check())
	require.ErrorContains(t, backups.Config{Dir: "x", Every: time.Second, Keep: 1}.Check(), "--backup-every")
	require.ErrorContains(t, backups.Config{Dir: "x", Every: time.Hour}.Check(), "--backup-keep")
}
