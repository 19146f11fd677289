package store

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

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
