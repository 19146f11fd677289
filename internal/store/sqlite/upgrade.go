package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"modernc.org/sqlite"

	"studycircle/internal/store/migrations"
)

// keepCopy is how long the copy from before an upgrade stays. It holds what users have deleted since.
const keepCopy = 7 * 24 * time.Hour

// copyName is the beginning of the names of copies; their schema version follows.
const copyName = fileName + ".schema-"

// upgrade brings the schema up to date. It copies a database with an earlier schema aside first, and puts the copy back
// if a migration fails, so that the earlier release can go on with it. The caller holds the folder's lock, and d has
// one connection.
func upgrade(ctx context.Context, d *sql.DB, dir string, dialect migrations.Dialect) error {
	current, known, err := migrations.Versions(ctx, d, dialect)
	if err != nil {
		return err
	}
	if current == 0 || current == known {
		return errors.Join(migrations.Run(ctx, d, dialect), removeCopies(dir, time.Now().Add(-keepCopy)))
	}
	aside := filepath.Join(dir, copyName+strconv.FormatInt(current, 10))
	if current > known {
		err := migrations.Run(ctx, d, dialect)
		if err != nil {
			err = fmt.Errorf("%w. Copies from before an upgrade are named %s*", err, filepath.Join(dir, copyName))
		}
		return err
	}
	if err := removeCopies(dir, time.Now()); err != nil {
		return err
	}
	before, err := foreignWrites(ctx, d)
	if err != nil {
		return err
	}
	if err := copyInto(ctx, d, aside, unchecked); err != nil {
		return fmt.Errorf("nothing was upgraded, because the database could not be copied aside first; the copy needs as "+
			"much space as the database: %w", err)
	}
	slog.InfoContext(ctx, "the database is copied aside before its upgrade", "schema", current, "file", aside)
	failed := migrations.Run(ctx, d, dialect)
	if failed == nil {
		return nil
	}
	undo := context.WithoutCancel(ctx)
	after, err := foreignWrites(undo, d)
	if err == nil && after != before {
		err = errors.New("another program has written to the database meanwhile")
	}
	if err == nil {
		err = putBack(undo, d, aside)
	}
	if err != nil {
		return fmt.Errorf("%w. The copy from before the upgrade is %s; it was not put back: %w", failed, aside, err)
	}
	return fmt.Errorf(
		"%w. The database is as it was before, with schema %d: continue with the earlier release, and report this",
		failed, current,
	)
}

// unchecked accepts a copy of the database that is served: a check would double the time of an upgrade.
func unchecked(context.Context, string) error { return nil }

// foreignWrites returns a number that changes when another connection writes.
func foreignWrites(ctx context.Context, d *sql.DB) (n int64, err error) {
	err = d.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return n, err
}

// putBack makes a copy the content of the database again, in one transaction.
func putBack(ctx context.Context, d *sql.DB, aside string) (err error) {
	c, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return c.Raw(func(driver any) error {
		into, ok := driver.(interface {
			NewRestore(uri string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver cannot copy databases")
		}
		restore, err := into.NewRestore(aside)
		if err != nil {
			return err
		}
		_, err = restore.Step(-1)
		return errors.Join(err, restore.Finish())
	})
}

// removeCopies removes the copies of earlier upgrades that were made before an instant.
func removeCopies(dir string, before time.Time) error {
	copies, err := filepath.Glob(filepath.Join(dir, copyName+"*"))
	if err != nil {
		return err
	}
	for _, name := range copies {
		info, err := os.Stat(name)
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the copy of an earlier upgrade: %w", err)
		}
	}
	return nil
}
