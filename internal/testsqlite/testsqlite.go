// Package testsqlite gives tests embedded databases: a fresh folder for every test, with
// a copy of one prepared database. It knows nothing of the product; [Dirs] takes the
// contents.
package testsqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Prepare creates in an empty folder what every test starts from, usually the product's
// schema. It must close what it opens: files are copied, not databases.
type Prepare func(dir string) error

// Dirs returns a function that returns the folder of a new database for a test, which is
// removed when the test ends. prepare runs once, when the first test needs it.
func Dirs(prepare Prepare) func(tb testing.TB) string {
	template := sync.OnceValues(func() (map[string][]byte, error) { return prepared(prepare) })
	return func(tb testing.TB) string {
		tb.Helper()
		files, err := template()
		if err != nil {
			tb.Fatalf("testsqlite: %v", err)
		}
		dir := tb.TempDir()
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				tb.Fatalf("testsqlite: %v", err)
			}
		}
		return dir
	}
}

// prepared holds the template in memory, so that no test process leaves files behind.
func prepared(prepare Prepare) (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "testsqlite-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := prepare(dir); err != nil {
		return nil, err
	}
	folder := os.DirFS(dir)
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = fs.ReadFile(folder, entry.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}
