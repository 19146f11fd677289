package store

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/testpg"
)

// openFiles counts what this process has open below dir.
func openFiles(t *testing.T, dir string) (n int) {
	t.Helper()
	const descriptors = "/proc/self/fd"
	open, err := os.ReadDir(descriptors)
	require.NoError(t, err)
	for _, d := range open {
		target, err := os.Readlink(descriptors + "/" + d.Name())
		if err == nil && filepath.Dir(target) == dir {
			n++
		}
	}
	return n
}

// A store that cannot be opened leaves nothing open, however far it came.
func TestHalfOpenedStoreIsClosed(t *testing.T) {
	for n, broken := range []string{
		"",
		"DROP TABLE page_counts",
		"DROP TABLE assignment_search",
		"DROP TABLE event_log",
		"DROP TABLE users",
		"ALTER TABLE assignments RENAME COLUMN marks TO points",
	} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(t.Context(), Config{Dir: dir})
			require.NoError(t, err)
			_, err = s.writes.ExecContext(t.Context(), broken)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			s, err = Open(t.Context(), Config{Dir: dir})
			if broken == "" {
				require.NoError(t, err)
				require.Positive(t, openFiles(t, dir))
				require.NoError(t, s.Close())
			} else {
				require.Error(t, err)
			}
			require.Zero(t, openFiles(t, dir))
		})
	}
	_, err := Open(t.Context(), Config{URL: testpg.DB(t), Replicas: []string{"postgres://%zz"}})
	require.ErrorContains(t, err, "replica: the PostgreSQL address cannot be read")
}

// A database that answers and takes no writes is not ready, and is again as soon
// as it takes them, without anybody writing.
func TestPingTellsThatNothingCanBeWritten(t *testing.T) {
	write := func(s *Store) error {
		return s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			_, err := tx.raw.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('a', 'b') ON CONFLICT (name) DO UPDATE SET value = 'c'")
			return err
		})
	}
	check := func(t *testing.T, s *Store, full func(on string)) {
		t.Helper()
		require.NoError(t, write(s))
		full("on")
		require.NoError(t, s.Ping(t.Context()), "nobody has tried yet")
		require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(write(s)))
		for range 2 {
			require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(s.Ping(t.Context())))
		}
		full("off")
		require.NoError(t, s.Ping(t.Context()))
		require.NoError(t, write(s))
		require.ErrorIs(t, s.Write(t.Context(), func(context.Context, *Tx) error { return studycircle.ErrNotFound }), studycircle.ErrNotFound)
		require.NoError(t, s.Ping(t.Context()), "a write that is refused says nothing of the disk")
	}
	t.Run("sqlite", func(t *testing.T) {
		s, err := Open(t.Context(), Config{Dir: t.TempDir()})
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		check(t, s, func(on string) {
			_, err := s.writes.ExecContext(t.Context(), "PRAGMA query_only = "+on)
			require.NoError(t, err)
		})
	})
	t.Run("postgres", func(t *testing.T) {
		s, err := Open(t.Context(), Config{URL: testpg.DB(t)})
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		check(t, s, func(on string) {
			statements := `DROP TRIGGER full_disk ON settings`
			if on == "on" {
				statements = `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$;
					CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON settings EXECUTE FUNCTION full_disk()`
			}
			_, err := s.reads.ExecContext(t.Context(), statements)
			require.NoError(t, err)
		})
	})
}
