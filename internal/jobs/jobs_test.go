package jobs

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/stretchr/testify/require"
)

// Our migrations create River's tables. A River with newer migrations needs another migration here, with the content
// of its files.
func TestJobTablesAreThoseOfThisRiver(t *testing.T) {
	t.Parallel()
	for name, migrations := range map[string]fs.FS{
		"postgres": riverpgxv5.New(nil).GetMigrationFS(riverdriver.MigrationLineMain),
		"sqlite":   riversqlite.New(nil).GetMigrationFS(riverdriver.MigrationLineMain),
	} {
		files, err := fs.Glob(migrations, "migration/main/*.up.sql")
		require.NoError(t, err)
		require.Len(t, files, 7, name)
		require.True(t, strings.HasPrefix(files[6], "migration/main/007_"), files[6])
	}
}
