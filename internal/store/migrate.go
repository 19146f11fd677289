package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrationFiles embed.FS

// floorSetting holds the schema version that a program must know at least to
// work on this database.
const floorSetting = "schema-floor"

// migrate brings the schema up to date. Programs that start together take turns:
// on PostgreSQL by a lock of the session's, on SQLite by lockDir.
//
// Nodes of this release and the one before run side by side while one is
// replaced by the other, so a migration only adds: what the release before needs
// goes with a later release, whose migration raises the floor. A program that
// finds a schema newer than it knows goes on if it reaches the floor, and refuses
// to start otherwise. A migration is one transaction: killed in the middle, it has
// not happened. One that would lock out for long those who write on PostgreSQL is
// steps that can be taken again instead.
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
		return reachesFloor(ctx, d, current, target)
	}
	if current > 0 && current < target {
		slog.InfoContext(ctx, "bringing the schema up to date; with millions of rows that takes a minute or more", "schema", current, "to", target)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema up to date: %w", err)
	}
	return nil
}

// reachesFloor tells whether a program that knows the schema up to version known
// may work on a newer one.
func reachesFloor(ctx context.Context, d *sql.DB, current, known int64) error {
	var text string
	err := d.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", floorSetting).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the schema's floor: %w", err)
	}
	if floor, err := strconv.ParseInt(text, 10, 64); err != nil || floor > known {
		return fmt.Errorf("the database has schema version %d and this program knows %d: start a newer studycircle", current, known)
	}
	slog.InfoContext(ctx, "a newer release has been here; going on beside it", "schema", current, "known", known)
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
