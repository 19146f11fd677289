// Package migrations holds the history of the schema, one numbered set for all engines plus a few files for each
// engine, and brings a database up to date.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed *.sql postgres sqlite
var all embed.FS

// floorSetting holds the lowest schema version that a program must know to work on this database.
const floorSetting = "schema-floor"

// Dialect is one engine's variant of the set.
type Dialect struct {
	Goose goose.Dialect
	// Dir has the engine's own files.
	Dir string
	// Spell translates DDL for the engine; nil if no translation is needed.
	Spell   func(text string) string
	Options []goose.ProviderOption
}

// Run brings the schema up to date. The caller makes programs that start together take turns.
//
// Nodes of this release and the one before run side by side while one replaces the other, so a migration only adds. A
// part that only the release before needs is removed by a later release, whose migration raises the floor. A program
// that finds a newer schema than it knows continues if it reaches the floor, and refuses to start otherwise. A
// migration is one transaction, so a killed one leaves no changes. A migration that would block writers on PostgreSQL
// for long consists of repeatable steps instead.
func Run(ctx context.Context, d *sql.DB, dialect Dialect) error {
	current, target, err := Versions(ctx, d, dialect)
	if err != nil {
		return err
	}
	if current > target {
		return reachesFloor(ctx, d, current, target)
	}
	if current > 0 && current < target {
		slog.InfoContext(
			ctx, "bringing the schema up to date; with millions of rows that takes a minute or more",
			"schema", current, "to", target,
		)
	}
	provider, err := Provider(d, dialect)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema up to date: %w", err)
	}
	return nil
}

// Versions returns the version of a database's schema, 0 if it is empty, and the one that this program knows.
func Versions(ctx context.Context, d *sql.DB, dialect Dialect) (current, known int64, err error) {
	provider, err := Provider(d, dialect)
	if err != nil {
		return 0, 0, err
	}
	if current, known, err = provider.GetVersions(ctx); err != nil {
		return 0, 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return current, known, nil
}

// Known returns the version of the schema that this program knows.
func Known(dialect Dialect) (int64, error) {
	files, err := filesOf(dialect)
	if err != nil {
		return 0, err
	}
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(names[len(names)-1])
}

// Provider returns goose for a database.
func Provider(d *sql.DB, dialect Dialect) (*goose.Provider, error) {
	files, err := filesOf(dialect)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	provider, err := goose.NewProvider(dialect.Goose, d, files, dialect.Options...)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return provider, nil
}

// reachesFloor reports whether a program that knows the schema up to version known
// may work on a newer one.
func reachesFloor(ctx context.Context, d *sql.DB, current, known int64) error {
	var text string
	err := d.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", floorSetting).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the schema's floor: %w", err)
	}
	if floor, err := strconv.ParseInt(text, 10, 64); err != nil || floor > known {
		return fmt.Errorf("the database has schema version %d and this program knows %d: start a newer studycircle, or "+
			"restore a backup from before the upgrade into an empty folder or database", current, known)
	}
	slog.InfoContext(ctx, "the schema is newer than this release; continuing with it", "schema", current, "known", known)
	return nil
}

// filesOf joins the common files with the engine's own into one set.
func filesOf(dialect Dialect) (fs.FS, error) {
	own, err := fs.Sub(all, dialect.Dir)
	if err != nil {
		return nil, err
	}
	return set{dialect.Spell, []fs.FS{all, own}}, nil
}

// set joins the files of some folders into one folder, translated.
type set struct {
	spell   func(string) string
	folders []fs.FS
}

// Open implements fs.FS.
func (s set) Open(name string) (fs.File, error) {
	for _, folder := range s.folders {
		file, err := folder.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || s.spell == nil {
			return file, err
		}
		text, err := io.ReadAll(file)
		return spelled{file, strings.NewReader(s.spell(string(text)))}, err
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// spelled is a file with a translated text.
type spelled struct {
	fs.File
	text io.Reader
}

// Read implements fs.File.
func (s spelled) Read(p []byte) (int, error) { return s.text.Read(p) }

// Glob implements fs.GlobFS.
func (s set) Glob(pattern string) (names []string, err error) {
	for _, folder := range s.folders {
		found, err := fs.Glob(folder, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names) // the last one is the highest that the program knows
	return names, nil
}

// Numbered translates BIGSERIAL, in which the engines' DDL differs, to SQLite.
func Numbered(text string) string {
	return strings.ReplaceAll(text, "BIGSERIAL PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT")
}

// Current returns the version of a database's schema.
func Current(ctx context.Context, on interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (version int64, err error) {
	err = on.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&version)
	return version, err
}
