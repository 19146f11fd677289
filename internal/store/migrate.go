package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrationFiles embed.FS

// migrate brings the schema up to date, or refuses a schema newer than this
// program knows. Nodes that start together take turns.
func migrate(ctx context.Context, d *sql.DB, e engine) error {
	files, err := migrationsFor(e)
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	var options []goose.ProviderOption
	if e == postgresEngine {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return fmt.Errorf("prepare the migration lock: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, d, files, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if current > target {
		return fmt.Errorf("the database has schema version %d and this program knows %d: start a newer studycircle", current, target)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema up to date: %w", err)
	}
	return nil
}

// migrationsFor joins the common files with the engine's own into one numbered
// set and spells the one word in which their DDL differs.
func migrationsFor(e engine) (fs.FS, error) {
	own, drop := "migrations/postgres", "migrations/sqlite"
	if e == sqliteEngine {
		own, drop = drop, own
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(migrationFiles, "migrations", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, drop+"/") {
			return err
		}
		f, err := migrationFiles.Open(path)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		if e == sqliteEngine {
			text = []byte(strings.ReplaceAll(string(text), "BIGSERIAL PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT"))
		}
		name := strings.TrimPrefix(strings.TrimPrefix(path, own+"/"), "migrations/")
		files[name] = &fstest.MapFile{Data: text}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return files, nil
}
