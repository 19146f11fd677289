package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a copy of the embedded database in dir to file, beside readers and writers: the copy is the state of
// one moment. It checks the copy, and refuses to overwrite a file.
func Backup(ctx context.Context, dir, file string) (err error) {
	if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
		return fmt.Errorf("there is no embedded database in %s", dir)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", file)
	}
	d, err := sql.Open("sqlite", dsn(dir))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return copyInto(ctx, d, file, checkFile)
}

// partial ends the name of a copy until it is complete.
const partial = ".part"

// copyInto writes a copy of a database. It gets its name once it is complete, on disk, and check returns nil.
func copyInto(ctx context.Context, d *sql.DB, file string, check func(ctx context.Context, part string) error) error {
	part := file + partial
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := createFile(part); err != nil {
		return err
	}
	if _, err := d.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if err := syncFile(part); err != nil {
		return err
	}
	if err := check(ctx, part); err != nil {
		return err
	}
	if err := os.Rename(part, file); err != nil {
		return err
	}
	return syncFile(filepath.Dir(file))
}

// Restore puts the backup in file into dir, which must hold no database, nor the log of one: SQLite would replay it. It
// checks the backup first.
func Restore(ctx context.Context, dir, file string) error {
	target := filepath.Join(dir, fileName)
	for _, there := range []string{target, target + "-wal"} {
		if _, err := os.Stat(there); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already; restore writes over nothing", there)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	part := target + ".part"
	if err := copyFile(file, part); err != nil {
		return err
	}
	if err := checkFile(ctx, part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := beginHistory(ctx, part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, target); err != nil {
		return err
	}
	return syncFile(dir)
}

func checkFile(ctx context.Context, file string) (err error) {
	d, err := sql.Open("sqlite", "file:"+file+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var verdict string
	if err := d.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil {
		return fmt.Errorf("this is no intact backup: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("this is no intact backup: %s", verdict)
	}
	var tables int
	err = d.QueryRowContext(
		ctx, "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('users', 'assignments', 'submissions')",
	).Scan(&tables)
	if err != nil || tables != 3 {
		return errors.New("this is no backup of StudyCircle")
	}
	return nil
}

// beginHistory deletes the events of a restored database and begins a new history: a reader with a cursor from after
// the backup must not skip new events. A backup of an older version has no events.
func beginHistory(ctx context.Context, file string) (err error) {
	d, err := sql.Open("sqlite", "file:"+file+"?_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var tables int
	if err := d.QueryRowContext(
		ctx, "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'event_log'",
	).Scan(&tables); err != nil || tables == 0 {
		return err
	}
	_, err = d.ExecContext(ctx, "DELETE FROM event_log; DELETE FROM events")
	return err
}

// createFile creates an empty file that its owner alone may read: a database holds the key of the access tokens. SQLite
// would create it readable for all.
func createFile(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	return f.Close()
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from) //nolint:gosec // the operator names this file
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // see above
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// syncFile waits until a file, or a folder's list of names, is on disk.
func syncFile(name string) error {
	f, err := os.Open(name) //nolint:gosec // made by this package
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
