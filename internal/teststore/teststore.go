// Package teststore gives tests databases with the product's present schema, which is
// created once per test process.
package teststore

import (
	"context"
	"testing"

	"studycircle/internal/store"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/testsqlite"
)

var copied = testsqlite.Dirs(func(dir string) error { return migrate(store.Config{Dir: dir}) })

// Dir returns the folder of a new embedded database for a test, which is removed when the
// test ends.
func Dir(tb testing.TB) string {
	tb.Helper()
	testengine.Need(tb, testengine.SQLite)
	return copied(tb)
}

// DirBeside is Dir for a test that has a database of either engine already.
func DirBeside(tb testing.TB) string {
	tb.Helper()
	return copied(tb)
}

// OnBothEngines runs f with a new database of each engine, side by side.
func OnBothEngines(t *testing.T, f func(t *testing.T, c store.Config)) {
	t.Helper()
	onBothEngines(t, Dir, f)
}

// OnBothEnginesBesidePostgres is OnBothEngines for a test that copies from each engine to PostgreSQL.
func OnBothEnginesBesidePostgres(t *testing.T, f func(t *testing.T, c store.Config)) {
	t.Helper()
	onBothEngines(t, func(tb testing.TB) string {
		tb.Helper()
		testengine.Need(tb, testengine.Postgres)
		return DirBeside(tb)
	}, f)
}

func onBothEngines(t *testing.T, dir func(testing.TB) string, f func(t *testing.T, c store.Config)) {
	t.Helper()
	t.Run(string(testengine.SQLite), func(t *testing.T) {
		t.Parallel()
		f(t, store.Config{Dir: dir(t)})
	})
	t.Run(string(testengine.Postgres), func(t *testing.T) {
		t.Parallel()
		f(t, store.Config{URL: testpg.DB(t)})
	})
}

// Migrate creates the schema in a PostgreSQL database, as testpg.Main requires.
func Migrate(url string) error { return migrate(store.Config{URL: url}) }

func migrate(c store.Config) error {
	s, err := store.Open(context.Background(), c)
	if err != nil {
		return err
	}
	return s.Close()
}
