// Package teststore gives tests databases with the product's present schema, which is
// created once per test process.
package teststore

import (
	"context"

	"studycircle/internal/store"
	"studycircle/internal/testsqlite"
)

// Dir returns the folder of a new embedded database for a test, which is removed when the
// test ends.
var Dir = testsqlite.Dirs(func(dir string) error { return migrate(store.Config{Dir: dir}) })

// Migrate creates the schema in a PostgreSQL database, as testpg.Main requires.
func Migrate(url string) error { return migrate(store.Config{URL: url}) }

func migrate(c store.Config) error {
	s, err := store.Open(context.Background(), c)
	if err != nil {
		return err
	}
	return s.Close()
}
