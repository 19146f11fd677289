package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/migrations"
)

// Look reads facts about the embedded database in dir, beside readers and writers, and changes nothing. deep adds a
// check of its integrity, which reads all of it.
func Look(ctx context.Context, dir string, deep bool) (f engine.Facts, err error) {
	if f.Known, err = migrations.Known(Dialect()); err != nil {
		return f, err
	}
	info, err := os.Stat(FileIn(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	f.Bytes = info.Size()
	path := (&url.URL{
		Scheme: "file", OmitHost: true, Path: filepath.ToSlash(FileIn(dir)), RawQuery: "mode=ro&_pragma=busy_timeout(5000)",
	}).String()
	d, err := sql.Open("sqlite", path)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if f.Schema, err = migrations.Current(ctx, d); err != nil {
		return f, fmt.Errorf("this is no database of StudyCircle: %w", err)
	}
	var latest sql.NullInt64
	if err := d.QueryRowContext(ctx, engine.LatestSession).Scan(&latest); err != nil {
		return f, err
	}
	if latest.Valid {
		f.Latest = time.UnixMicro(latest.Int64).UTC()
	}
	if !deep {
		return f, nil
	}
	var verdict string
	if err := d.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return f, err
	}
	if verdict != "ok" {
		return f, fmt.Errorf("the database is damaged: %s", verdict)
	}
	return f, nil
}
