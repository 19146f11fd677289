package sqlite

import (
	"compress/gzip"
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/migrations"
)

// earlier puts a database of the first release into a folder, and returns its path.
func earlier(t *testing.T, dir string) string {
	t.Helper()
	packed, err := os.Open(filepath.Join("..", "migrations", "testdata", "sqlite-v9.db.gz"))
	require.NoError(t, err)
	defer func() { require.NoError(t, packed.Close()) }()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	content, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	file := FileIn(dir)
	require.NoError(t, os.WriteFile(file, content, 0o600))
	return file
}

// content returns all statements that would make a database, and its number of rows.
func content(t *testing.T, file string) (schema string, rows int) {
	t.Helper()
	d, err := sql.Open("sqlite", "file:"+file)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	var tables string
	require.NoError(t, d.QueryRowContext(t.Context(), "SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_schema").Scan(&schema))
	require.NoError(t, d.QueryRowContext(t.Context(),
		"SELECT group_concat('SELECT COUNT(*) AS n FROM ' || name, ' UNION ALL ') FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").Scan(&tables))
	require.NoError(t, d.QueryRowContext(t.Context(), "SELECT SUM(n) FROM ("+tables+")").Scan(&rows))
	var verdict string
	require.NoError(t, d.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict))
	require.Equal(t, "ok", verdict)
	return schema, rows
}

// failing returns a dialect with a fault in migration 37. It calls meanwhile after the copy and before the migrations.
func failing(meanwhile func()) migrations.Dialect {
	dialect := Dialect()
	var once sync.Once
	dialect.Spell = func(text string) string {
		if strings.Contains(text, "CREATE TABLE circles (") {
			once.Do(meanwhile)
			return strings.Replace(text, "CREATE TABLE circles (", "CREATE TABLE users (", 1)
		}
		return migrations.Numbered(text)
	}
	return dialect
}

// openOne returns the connection that upgrades.
func openOne(t *testing.T, dir string) *sql.DB {
	t.Helper()
	d, err := sql.Open("sqlite", dsn(dir))
	require.NoError(t, err)
	d.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func TestFailedUpgradeIsUndone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := earlier(t, dir)
	schema, rows := content(t, file)
	d := openOne(t, dir)
	err := upgrade(t.Context(), d, dir, failing(func() {
		_, err := os.Stat(file + ".schema-9")
		require.NoError(t, err, "the copy is there before the first change")
	}))
	require.ErrorContains(t, err, "as it was before, with schema 9")
	require.ErrorContains(t, err, "version:37", "those before it were applied")
	schemaNow, rowsNow := content(t, file)
	require.Equal(t, schema, schemaNow)
	require.Equal(t, rows, rowsNow)

	require.NoError(t, upgrade(t.Context(), d, dir, Dialect()), "a release without the fault upgrades it")
	schemaNow, _ = content(t, file)
	require.NotEqual(t, schema, schemaNow)
	aside, _ := content(t, file+".schema-9")
	require.Equal(t, schema, aside)
}

// What another program has written meanwhile is not lost.
func TestFailedUpgradeKeepsWritesOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := earlier(t, dir)
	d := openOne(t, dir)
	err := upgrade(t.Context(), d, dir, failing(func() {
		other, err := sql.Open("sqlite", dsn(dir))
		require.NoError(t, err)
		_, err = other.ExecContext(context.Background(), "INSERT INTO settings (name, value) VALUES ('written', 'meanwhile')")
		require.NoError(t, err)
		require.NoError(t, other.Close())
	}))
	require.ErrorContains(t, err, "not put back: another program has written")
	require.ErrorContains(t, err, file+".schema-9")
	var value string
	require.NoError(t, d.QueryRowContext(t.Context(), "SELECT value FROM settings WHERE name = 'written'").Scan(&value))
}

func TestUpgradeNeedsRoomForItsCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	schema, rows := content(t, earlier(t, dir))
	d := openOne(t, dir)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, copyName+"9", "in-the-way"), 0o700))
	require.Error(t, upgrade(t.Context(), d, dir, Dialect()))
	schemaNow, rowsNow := content(t, FileIn(dir))
	require.Equal(t, schema, schemaNow)
	require.Equal(t, rows, rowsNow)
}

func TestCopiesOfUpgradesAreRemovedAfterAWeek(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openOne(t, dir)
	require.NoError(t, upgrade(t.Context(), d, dir, Dialect()))
	require.Empty(t, copies(t, dir), "a new database needs none")
	recent, old := filepath.Join(dir, copyName+"26"), filepath.Join(dir, copyName+"20")
	for file, age := range map[string]time.Duration{recent: keepCopy - time.Hour, old: keepCopy + time.Hour} {
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		require.NoError(t, os.Chtimes(file, time.Now().Add(-age), time.Now().Add(-age)))
	}
	require.NoError(t, upgrade(t.Context(), d, dir, Dialect()))
	require.Equal(t, []string{recent}, copies(t, dir))
}

func copies(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, copyName+"*"))
	require.NoError(t, err)
	return names
}

func TestDowngradeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openOne(t, dir)
	require.NoError(t, upgrade(t.Context(), d, dir, Dialect()))
	_, err := d.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)")
	require.NoError(t, err)
	_, err = d.ExecContext(t.Context(), "INSERT INTO settings (name, value) VALUES ('schema-floor', '99999') ON CONFLICT (name) DO UPDATE SET value = '99999'")
	require.NoError(t, err)
	err = upgrade(t.Context(), d, dir, Dialect())
	require.ErrorContains(t, err, "start a newer studycircle")
	require.ErrorContains(t, err, "restore a backup from before the upgrade")
	require.ErrorContains(t, err, filepath.Join(dir, copyName))
}
