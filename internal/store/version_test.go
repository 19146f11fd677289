package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// Both ways to tell SQLite's version see every commit, and nothing else.
func TestSQLiteVersion(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(database string) (*sharedMemory, error){
		"shared memory": openSharedMemory,
		"data_version":  func(string) (*sharedMemory, error) { return openSharedMemory("there is none") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			d, err := sql.Open("sqlite", sqliteName(dir))
			require.NoError(t, err)
			_, err = d.ExecContext(t.Context(), "CREATE TABLE t (n INTEGER)")
			require.NoError(t, err)
			conn, err := d.Conn(t.Context())
			require.NoError(t, err)
			v, err := newSQLiteVersions(t.Context(), conn, func() (*sharedMemory, error) { return open(filepath.Join(dir, fileName)) })
			require.NoError(t, err)
			require.Equal(t, name == "shared memory", v.memory != nil)
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

func TestSharedAnswersNobodyWithAnOlderQuestion(t *testing.T) {
	t.Parallel()
	var clock, asked atomic.Int64
	s := newShared(func() (int64, error) {
		asked.Add(1)
		return clock.Load(), nil
	})
	var all errgroup.Group
	for range 64 {
		all.Go(func() error {
			for range 200 {
				before := clock.Add(1)
				answer, err := s.get(t.Context())
				if err != nil {
					return err
				}
				if answer < before {
					return errors.New("an answer from before the question")
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	s.wait()
	require.LessOrEqual(t, asked.Load(), int64(64*200))
}

func TestSharedLetsGoOfThoseWhoLeave(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := newShared(func() (int, error) {
		<-release
		return 1, nil
	})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.get(gone)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	n, err := s.get(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
}
