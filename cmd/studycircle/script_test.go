package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// The scripts run the program as an operator does: see testdata/script. samplecircles fills a database beforehand, archive
// makes a ZIP archive.
func TestMain(m *testing.M) {
	testscript.Main(withPostgres{m}, map[string]func(){"studycircle": main, "samplecircles": func() {
		if err := sampleCircles(context.Background(), os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}, "archive": func() {
		if err := archive(os.Args[1], os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}})
}

// withPostgres runs tests that may use PostgreSQL.
type withPostgres struct{ *testing.M }

// Run implements testscript.TestingM.
func (m withPostgres) Run() int { return testpg.Main(m.M, teststore.Migrate) }

// archive writes files into a ZIP archive.
func archive(path string, files []string) error {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := w.Create(filepath.Base(name))
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

func TestCommands(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.SQLite)
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// The scripts in testdata/both name no database: the environment does.
func TestCommandsOnBothEngines(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { t.Helper(); testengine.Need(t, testengine.SQLite); return "" },
		"postgres": func(t *testing.T) string { t.Helper(); return testpg.DB(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scripts, err := filepath.Glob("testdata/both/*.txtar")
			require.NoError(t, err)
			require.NotEmpty(t, scripts)
			for _, script := range scripts {
				url := database(t)
				testscript.Run(t, testscript.Params{Files: []string{script}, Setup: func(e *testscript.Env) error {
					e.Setenv("STUDYCIRCLE_DATABASE", url)
					return nil
				}})
			}
		})
	}
}

// sampleCircles writes users and their circles into the database in a folder, or that of the environment: readers, of Ada
// and Bob, writers, of Cleo, and bin, which is deleted. Ada has verified her address.
func sampleCircles(ctx context.Context, dir string) (err error) {
	s, err := store.Open(ctx, store.Config{Dir: dir, URL: os.Getenv("STUDYCIRCLE_DATABASE")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, name := range []string{"ada", "bob", "cleo", "dan"} {
			user := studycircle.User{ID: "id-of-" + name, Email: name + "@example.org", DisplayName: name, CreatedAt: now}
			if name == "ada" {
				user.EmailVerifiedAt = now
			}
			if err := tx.InsertAccount(ctx, studycircle.Account{User: user}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct{ id, owner string }{{"readers", "ada"}, {"writers", "cleo"}, {"bin", "dan"}} {
		in := studycircle.NewCircle
		in.Name = "The " + c.id
		err = errors.Join(err, s.Write(ctx, studycircle.ViewerOf("id-of-"+c.owner), func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertCircle(ctx, studycircle.Circle{ID: c.id, CircleInput: in, CreatedAt: now})
		}))
	}
	return errors.Join(err, s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertMember(ctx, studycircle.Membership{CircleID: "readers", UserID: "id-of-bob", Role: studycircle.CircleMember, JoinedAt: now}); err != nil {
			return err
		}
		return tx.SetCircleDeleted(ctx, "bin", now)
	}))
}
