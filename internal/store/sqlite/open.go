// Package sqlite is the embedded engine: one file, one writer that commits for many requests at once, and concurrent
// readers.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"studycircle/internal/jobs"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/migrations"
	"studycircle/internal/store/pages"
)

// fileName is the database's file in the data directory.
const fileName = "studycircle.db"

// FileIn names the database's file in a data directory.
func FileIn(dir string) string { return filepath.Join(dir, fileName) }

// DB is an open embedded database.
type DB struct {
	dir      string
	reads    *sql.DB // refuses writes
	query    *db.Queries
	writes   *sql.DB // the only connection that writes
	writer   *groupWriter
	search   *searcher
	versions *versions
	numbers  engine.Numbering[int64]
	pages    *pages.Locator
	woken    chan struct{} // signals a new event
	file     *databaseFile
	// committed is called after each commit of the writer with the number of writes; nil if no one counts them.
	committed func(writes int)
	// unwritable is set while the database answers and accepts no writes.
	unwritable atomic.Bool
}

// Dialect returns the engine's variant of the migrations.
func Dialect() migrations.Dialect {
	return migrations.Dialect{Goose: goose.DialectSQLite3, Dir: "sqlite", Spell: migrations.Numbered}
}

// Open opens the database in dir, which it creates if it is missing, and brings its schema up to date. The caller
// closes it.
func Open(ctx context.Context, dir string) (*DB, error) {
	d := &DB{dir: dir, woken: make(chan struct{}, 1)}
	if err := d.open(ctx, dir); err != nil {
		return nil, errors.Join(engine.Opening(d, err), d.Close())
	}
	return d, nil
}

// keepPrivate creates the file of a database, or takes it from other users of the machine. SQLite gives its log the
// same permissions.
func keepPrivate(ctx context.Context, file string) error {
	err := createFile(file)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			if err := os.Chmod(name, mode&^0o077); err != nil {
				slog.WarnContext(ctx, "other users of this machine may open the database, and with it forge sign-ins", "error", err)
			}
		}
	}
	return nil
}

func (d *DB) open(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	unlock, err := lockDir(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	// SQLite opens a file that it may not write to for reading only.
	for _, path := range []string{dir, FileIn(dir), FileIn(dir) + "-wal", FileIn(dir) + "-shm"} {
		if err := writable(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("open the embedded database: %w", err)
		}
	}
	if err := keepPrivate(ctx, FileIn(dir)); err != nil {
		return fmt.Errorf("create the embedded database: %w", err)
	}
	// A cache of 32 MiB: the writer uses all indexes repeatedly. Deleted data is overwritten, so that it cannot be
	// found in the file.
	writing, err := newConnector(dsn(dir, "cache_size(-32768)", "secure_delete(1)"))
	if err != nil {
		return err
	}
	d.writes = writing.pool(1)
	if err := upgrade(ctx, d.writes, dir, Dialect()); err != nil {
		return err
	}
	if d.file, err = watchFile(FileIn(dir)); err != nil {
		return err
	}
	if err := dropStatistics(ctx, d.writes); err != nil {
		return fmt.Errorf("prepare the embedded database: %w", err)
	}
	reading, err := newConnector(dsn(dir, "query_only(1)"))
	if err != nil {
		return err
	}
	reading.file = d.file
	d.reads = reading.pool(readers())
	d.query = db.New(brief{d.reads})
	if d.versions, err = newVersions(ctx, reading); err != nil {
		return err
	}
	d.pages = pages.NewLocator(brief{d.reads}, d)
	d.search = newSearcher(d.reads)
	d.writer = newGroupWriter(d, d.writes)
	return nil
}

// readers is the number of reading connections: one for each request that runs at once, and some for long reads.
func readers() int { return placesPerProcessor*runtime.GOMAXPROCS(0) + 2 }

// dsn is the data source name that gives every pooled connection the same
// settings. synchronous(FULL) makes a commit wait for the disk: what was
// acknowledged survives a power cut.
func dsn(dir string, more ...string) string {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{
		"busy_timeout(5000)", "journal_mode(WAL)", "foreign_keys(1)", "synchronous(FULL)",
		"cache_size(-8192)", "temp_store(2)", "journal_size_limit(67108864)",
	}, more...)}
	path := filepath.ToSlash(FileIn(dir))
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: settings.Encode()}).String()
}

// Queue is the job queue. It shares the group writer's one connection: statements
// wait for each other in Go instead of failing as busy.
func (d *DB) Queue(context.Context) (jobs.Queue, error) {
	join := func(_ context.Context, tx *engine.Tx) (*sql.Tx, error) { return native(tx), nil }
	return jobs.New(riversqlite.New(d.writes), join, func() {})
}

// native returns the engine's form of one of its transactions.
func native(tx *engine.Tx) *sql.Tx {
	own, _ := tx.Native.(*sql.Tx) // the group writer has put it there
	return own
}

// Run implements engine.Database.
func (d *DB) Run(ctx context.Context) {
	d.search.forgetNowAndThen(ctx, d)
}

// Close implements engine.Database.
func (d *DB) Close() (err error) {
	also := func(failed error) { err = errors.Join(err, failed) }
	if d.writer != nil {
		d.writer.Close()
	}
	if d.versions != nil {
		also(d.versions.close())
	}
	for _, pool := range []*sql.DB{d.writes, d.reads} {
		if pool != nil {
			also(pool.Close())
		}
	}
	// After all connections: a process that closes a file loses its POSIX locks on it, also those that SQLite took by
	// another descriptor.
	if d.file != nil {
		also(d.file.close())
	}
	return err
}

// Parts returns the database as an engine.
func (d *DB) Parts() engine.Engine {
	lists := engine.Lists{DB: brief{d.reads}}
	return engine.Engine{Database: d, Writer: d, Reader: lists, Searcher: d, EventLog: d, Transfer: d}
}

// OnCommit makes d call f after each commit with the number of writes in it. It is called before the first write.
func (d *DB) OnCommit(f func(writes int)) { d.committed = f }

// Queries implements engine.Database.
func (d *DB) Queries() *db.Queries { return d.query }

// Reads implements engine.Database.
func (d *DB) Reads() db.DBTX { return d.reads }

// AtOnce implements engine.Database. Work is CPU-bound; more concurrency only adds contention.
func (*DB) AtOnce() int { return placesPerProcessor * runtime.GOMAXPROCS(0) }

// placesPerProcessor keeps a processor busy while one request waits.
const placesPerProcessor = 2

// Counts implements engine.Database.
func (d *DB) Counts() *pages.Locator { return d.pages }

// FoldCounts implements engine.Database: the one writer adds counts at once.
func (*DB) FoldCounts(context.Context) error { return nil }

// LockRows implements engine.TxEngine: the writer is alone.
func (*DB) LockRows(context.Context, *engine.Tx, engine.Selection, ...any) error { return nil }

// ShareRows implements engine.TxEngine: the writer is alone.
func (*DB) ShareRows(context.Context, *engine.Tx, engine.Selection, ...any) error { return nil }

// SealRows implements engine.TxEngine: the writer is alone.
func (*DB) SealRows(context.Context, *engine.Tx, engine.Selection, ...any) error { return nil }

// Ask implements engine.TxEngine.
func (*DB) Ask(ctx context.Context, tx *engine.Tx, into engine.Sink, text string, args ...any) error {
	return engine.Select(ctx, tx.DB, into, text, args...)
}

// Answered implements engine.TxEngine: Ask has answered.
func (*DB) Answered(context.Context, *engine.Tx) error { return nil }

// Lock implements engine.TxEngine: the writer is alone.
func (*DB) Lock(context.Context, *engine.Tx, int64) error { return nil }

// DropCounts implements engine.TxEngine.
func (*DB) DropCounts(ctx context.Context, tx *engine.Tx, scopes ...pages.Scope) error {
	for _, s := range scopes {
		if err := tx.Queries.DropPageCounts(ctx, string(s)); err != nil {
			return err
		}
	}
	return nil
}

// Placeholder implements engine.TxEngine. SQLite treats numbered parameters as names, and searches all of them at
// each binding.
func (*DB) Placeholder(n int) string { return question(n) }

// Ping implements engine.Database. If the last write failed through the database's fault, it tries one.
func (d *DB) Ping(ctx context.Context) error {
	if err := d.file.check(); err != nil {
		return err
	}
	if err := d.writer.Stalled(); err != nil {
		return err
	}
	if _, err := d.query.GetSetting(ctx, ""); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if !d.unwritable.Load() {
		return nil
	}
	if err := engine.TryRoom(ctx, d); err != nil {
		return err
	}
	d.unwritable.Store(false)
	return nil
}
