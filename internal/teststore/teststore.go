// Package teststore gives tests databases with the product's present schema, which is
// made once a test process.
package teststore

import (
	"context"

	"studycircle/internal/store"
	"studycircle/internal/testsqlite"
)

// Dir returns the folder of a new embedded database, which belongs to the test alone
// and goes when the test ends.
var Dir = testsqlite.Dirs(func(dir string) error { return migrate(store.Config{Dir: dir}) })

// Migrate gives a PostgreSQL database the schema, as testpg.Main asks for.
func Migrate(url string) error { return migrate(store.Config{URL: url}) }

func migrate(c store.Config) error {
	s, err := store.Open(context.Background(), c)
	if err != nil {
		return err
	}
	return s.Close()
}
