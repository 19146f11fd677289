package testsqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/testsqlite"
)

func TestEveryTestHasItsOwnFolder(t *testing.T) {
	var made []string
	dirs := testsqlite.Dirs(func(dir string) error {
		made = append(made, dir)
		return os.WriteFile(filepath.Join(dir, "a.db"), []byte("prepared"), 0o600)
	})
	first, second := dirs(t), dirs(t)
	require.NoError(t, os.WriteFile(filepath.Join(first, "a.db"), []byte("changed"), 0o600))
	content, err := os.ReadFile(filepath.Join(second, "a.db"))
	require.NoError(t, err)
	assert.Equal(t, "prepared", string(content))
	require.Len(t, made, 1, "prepared once")
	assert.NoDirExists(t, made[0])
}

func TestFailedPreparationFailsTheTest(t *testing.T) {
	dirs := testsqlite.Dirs(func(string) error { return errors.New("no schema") })
	failed := &failing{TB: t}
	assert.PanicsWithValue(t, "testsqlite: no schema", func() { dirs(failed) })
}

// failing is a test that panics when it fails.
type failing struct{ testing.TB }

func (*failing) Helper() {}

func (*failing) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
