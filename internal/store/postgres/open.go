// Package postgres is the engine for many nodes: PostgreSQL, with concurrent requests sent in batches.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/migrations"
	"studycircle/internal/store/pages"
)

// DB is an open PostgreSQL database.
type DB struct {
	config   *pgx.ConnConfig
	pool     *sql.DB
	group    *engine.Group
	query    *db.Queries
	watch    *connWatch
	versions *versions
	numbers  engine.Numbering[state]
	pages    *pages.Locator
	reads    *sql.DB
	events   *events
	search   searcher
	// writeTimeout bounds one run of a function given to Write, except in an engine.LongWrite.
	writeTimeout time.Duration

	// committed is called after each commit with 1; nil if no one counts them.
	committed func(writes int)

	// unwritable is set while the database answers and accepts no writes. readOnlySince is when it first refused with
	// 25006, in nanoseconds of Unix time; 0 for never.
	unwritable    atomic.Bool
	readOnlySince atomic.Int64
}

// Config parses an address. The error does not repeat it, because it may contain a password.
func Config(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the PostgreSQL address cannot be read; it looks like postgres://user:password@host:5432/name")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = dialPatience
	}
	return config, nil
}

// lockPatience bounds a statement's wait for another transaction's lock. Requests are answered within five seconds.
const lockPatience = 4 * time.Second

// Open connects to the database at an address and brings its schema up to date. The
// caller closes it.
func Open(ctx context.Context, address string) (*DB, error) {
	config, err := Config(address)
	if err != nil {
		return nil, err
	}
	d := &DB{config: config, writeTimeout: engine.WriteTimeout}
	if err := d.open(ctx); err != nil {
		return nil, errors.Join(engine.Opening(d, err), d.Close())
	}
	return d, nil
}

func (d *DB) open(ctx context.Context) error {
	d.watch = newConnWatch(d.config)
	if err := migrate(ctx, d.config); err != nil {
		return err
	}
	d.versions = newVersions(d.config)
	d.events = newEvents(ctx, *d.config)
	bounded := d.config.Copy()
	bounded.RuntimeParams["lock_timeout"] = strconv.FormatInt(lockPatience.Milliseconds(), 10)
	d.pool = stdlib.OpenDB(*bounded)
	// PostgreSQL works best with a few connections for each core; waiting here is cheaper than waiting there.
	d.pool.SetMaxOpenConns(32)
	d.pool.SetMaxIdleConns(32)
	d.pool.SetConnMaxIdleTime(5 * time.Minute)
	d.reads = stdlib.OpenDB(*bounded)
	d.reads.SetMaxOpenConns(maxReading)
	d.reads.SetMaxIdleConns(maxReading)
	if err := forgetForeignEvents(ctx, d.pool); err != nil {
		return err
	}
	d.query = db.New(d.pool)
	d.pages = pages.NewLocator(d.pool, d)
	d.search.found = newPartMatches()
	d.group = engine.NewGroup(maxGroup, d.transact)
	return nil
}

// Dialect returns the engine's variant of the migrations.
func Dialect() migrations.Dialect {
	return migrations.Dialect{Goose: goose.DialectPostgres, Dir: "postgres"}
}

// migrate has its own connections, because it waits for locks without a limit.
func migrate(ctx context.Context, config *pgx.ConnConfig) (err error) {
	pool := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, pool.Close()) }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("prepare the migration lock: %w", err)
	}
	dialect := Dialect()
	dialect.Options = []goose.ProviderOption{goose.WithSessionLocker(locker)}
	return migrations.Run(ctx, pool, dialect)
}

// jobConnections are for fetching and marking jobs.
const jobConnections = 4

// Queue returns the job queue, which has a few connections of its own.
func (d *DB) Queue(ctx context.Context) (jobs.Queue, error) {
	c, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	c.ConnConfig, c.MaxConns, c.MaxConnIdleTime = d.config.Copy(), jobConnections, 5*time.Minute
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), c)
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return jobs.New(riverpgxv5.New(pool), joinTx, pool.Close)
}

// Run implements engine.Database.
func (d *DB) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() {
		periodic.Job{
			Name: "folding page counts", Every: foldEvery, Timeout: time.Minute,
			Meaning: "page counts stay exact and take longer to read", Run: d.FoldCounts,
		}.Tick(ctx)
	})
	all.Go(func() {
		periodic.Job{
			Name: "tidying search indexes", Every: tidyEvery, Timeout: 10 * time.Minute,
			Meaning: "new words are found more slowly", Run: d.tidyIndexes,
		}.Tick(ctx)
	})
	all.Go(func() { d.watch.run(ctx) })
	all.Wait()
}

// Close implements engine.Database.
func (d *DB) Close() (err error) {
	also := func(failed error) { err = errors.Join(err, failed) }
	if d.group != nil {
		d.group.Close()
	}
	if d.versions != nil {
		d.versions.close()
	}
	if d.reads != nil {
		also(d.reads.Close())
	}
	if d.events != nil {
		also(d.events.close())
	}
	if d.pool != nil {
		also(d.pool.Close())
	}
	return err
}

// Parts returns the database as an engine.
func (d *DB) Parts() engine.Engine {
	return engine.Engine{Database: d, Writer: d, Reader: d, Searcher: d, EventLog: d, Transfer: d}
}

// OnCommit makes d call f after each commit, of one write. It is called before the first write.
func (d *DB) OnCommit(f func(writes int)) { d.committed = f }

// Queries implements engine.Database.
func (d *DB) Queries() *db.Queries { return d.query }

// Reads implements engine.Database.
func (d *DB) Reads() db.DBTX { return d.pool }

// AtOnce implements engine.Database: a request mostly waits for PostgreSQL, which takes 33 at once.
func (*DB) AtOnce() int { return 64 }

// Counts implements engine.Database.
func (d *DB) Counts() *pages.Locator { return d.pages }

// Placeholder implements engine.TxEngine.
func (*DB) Placeholder(n int) string { return engine.Dollar(n) }

// readOnlyPatience is how long PostgreSQL may be read-only before Ping reports it: a standby is read-only until it
// has taken over.
const readOnlyPatience = 2 * time.Second

// noteUnwritable records for Ping that the database accepts no writes. A later success does not clear it: a small
// write may fit on a full disk.
func (d *DB) noteUnwritable(err error) error {
	switch {
	case isUnwritable(err):
		d.unwritable.Store(true)
	case isReadOnly(err):
		d.readOnlySince.CompareAndSwap(0, time.Now().UnixNano())
	case err == nil && d.readOnlySince.Load() != 0:
		d.readOnlySince.Store(0)
	}
	return err
}

// Ping implements engine.Database. If the last write failed through the database's fault, it tries one.
func (d *DB) Ping(ctx context.Context) error {
	if _, err := d.query.GetSetting(ctx, ""); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	since := d.readOnlySince.Load()
	if !d.unwritable.Load() && (since == 0 || time.Since(time.Unix(0, since)) < readOnlyPatience) {
		return nil
	}
	if err := engine.TryRoom(ctx, d); err != nil {
		return err
	}
	d.unwritable.Store(false)
	return nil
}
