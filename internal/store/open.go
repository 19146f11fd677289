// Package store keeps the nouns in a database: SQLite in one file, or
// PostgreSQL. Both run the same SQL (queries/), but for full-text search.
//
// It knows rows and transactions. It does not decide who may do what, nor what
// is valid: that is the caller's.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"studycircle/internal/store/db"
)

type engine int

const (
	sqliteEngine engine = iota
	postgresEngine
)

// fileName is the embedded database's file in the data directory.
const fileName = "studycircle.db"

// Store is an open database. It is safe for concurrent use.
type Store struct {
	engine    engine
	reads     *sql.DB // SQLite: refuses writes; PostgreSQL: the one pool
	query     *db.Queries
	writes    *sql.DB      // SQLite's only connection that writes; nil on PostgreSQL
	writer    *groupWriter // which it belongs to
	publisher *publisher   // PostgreSQL's; nil on SQLite, as the next two
	submitter *submitter
	grader    *grader
	search    searcher
	jobs      jobQueue
	watch     *connWatch // PostgreSQL's connections
	versions  versions
	pages     locator
	rows      rowReads
	searches  *sqliteReads             // SQLite's connections for searches; nil on PostgreSQL
	replicas  *replicas                // nil where there are none
	version   atomic.Pointer[numbered] // the last one told
	log       eventLog
	// unwritable is set while the database answers and takes no writes.
	unwritable atomic.Bool
	release    func() error // comes last of all; nil where there is nothing to release
	stop       context.CancelFunc
	done       sync.WaitGroup
}

// Config says where the database is.
type Config struct {
	// Dir holds the embedded database. It is made where it is missing.
	Dir string
	// URL, where given, is a PostgreSQL connection string and Dir holds no database.
	URL string
	// Replicas are PostgreSQL connection strings of standbys of URL's server that
	// may answer reads in its place.
	Replicas []string
}

// Open opens the database and brings its schema up to date. The caller closes it.
func Open(ctx context.Context, c Config) (*Store, error) {
	s := &Store{}
	s.pages.store = s
	var err error
	switch {
	case c.URL != "":
		err = s.openPostgres(ctx, c)
	case len(c.Replicas) > 0:
		err = errors.New("only PostgreSQL has replicas to read from: name the primary too, as with --database")
	default:
		err = s.openSQLite(ctx, c.Dir)
	}
	if err == nil {
		err = s.prepare(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.closeAll())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.done.Go(func() { s.trimEvents(background) })
	if rows, own := s.rows.(*sqliteReads); own {
		s.done.Go(func() { rows.run(background) })
		s.done.Go(func() { rows.learnPlaces(background) })
		s.done.Go(func() { s.searches.run(background) })
		s.done.Go(func() { rows.log.saveLog(background, s) })
	}
	if search, own := s.search.(*sqliteSearch); own {
		s.done.Go(func() { search.mergeWhenCalm(background) })
	}
	if s.engine == postgresEngine {
		s.done.Go(func() { s.foldPageDeltas(background) })
		s.done.Go(func() { s.tidySearch(background) })
		s.done.Go(func() { s.watch.run(background) })
	}
	if s.replicas != nil {
		for _, r := range s.replicas.all {
			s.done.Go(func() { r.watch.run(background) })
		}
	}
	return s, nil
}

// prepare makes what both engines have alike.
func (s *Store) prepare(ctx context.Context) (err error) {
	if s.query, err = db.Prepare(ctx, s.reads); err != nil {
		return err
	}
	return s.openEventLog(ctx)
}

func parsePostgres(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// pgx's own words may repeat the password.
		return nil, errors.New("the PostgreSQL address cannot be read; it looks like postgres://user:password@host:5432/name")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = dialPatience
	}
	return config, nil
}

func (s *Store) openPostgres(ctx context.Context, c Config) error {
	config, err := parsePostgres(c.URL)
	if err != nil {
		return err
	}
	s.watch = newConnWatch(config, "primary")
	s.engine, s.search = postgresEngine, &postgresSearch{}
	s.reads = stdlib.OpenDB(*config)
	// PostgreSQL works best with a few connections a core; waiting here is
	// cheaper than waiting there.
	s.reads.SetMaxOpenConns(32)
	s.reads.SetMaxIdleConns(32)
	s.reads.SetConnMaxIdleTime(5 * time.Minute)
	if err := migrate(ctx, s.reads, s.engine); err != nil {
		return err
	}
	if s.jobs, err = newPostgresQueue(ctx, config); err != nil {
		return err
	}
	versions := newPostgresVersions(config, len(c.Replicas) > 0)
	s.versions = versions
	if len(c.Replicas) > 0 {
		if s.replicas, err = openReplicas(ctx, s, versions, c.Replicas); err != nil {
			return err
		}
	}
	s.log = newPostgresEvents(ctx, *config)
	s.rows = postgresReads{newReaders(config)}
	s.publisher, s.submitter, s.grader = newPublisher(s), newSubmitter(s), newGrader(s)
	return nil
}

func (s *Store) openSQLite(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	// A cache of 32 MiB: the writer comes by all indexes again and again.
	if s.writes, err = sql.Open("sqlite", sqliteName(dir, "cache_size(-32768)")); err != nil {
		return fmt.Errorf("open the embedded database: %w", err)
	}
	s.writes.SetMaxOpenConns(1)
	if err := migrate(ctx, s.writes, sqliteEngine); err != nil {
		return err
	}
	if err := dropSamples(ctx, s.writes); err != nil { // of a database from before they were dropped at once
		return fmt.Errorf("prepare the embedded database: %w", err)
	}
	if s.jobs, err = newSQLiteQueue(s.writes); err != nil {
		return err
	}
	if s.reads, err = sql.Open("sqlite", sqliteName(dir, "query_only(1)")); err != nil {
		return fmt.Errorf("open the embedded database: %w", err)
	}
	s.reads.SetMaxOpenConns(9) // one of them tells the version
	s.reads.SetMaxIdleConns(9)
	s.engine = sqliteEngine
	s.log = newSQLiteEvents(s.reads)
	v, err := s.watchSQLite(ctx, dir)
	if err != nil {
		return err
	}
	rows, err := newSQLiteReads(s, dir, v)
	if err != nil {
		return err
	}
	s.rows = rows
	if s.searches, err = newSQLiteReads(s, dir, v); err != nil {
		return err
	}
	if s.search, err = newSQLiteSearch(ctx, s.writes, s.searches); err != nil {
		return err
	}
	s.writer, err = newGroupWriter(ctx, s, s.writes)
	return err
}

func (s *Store) watchSQLite(ctx context.Context, dir string) (*sqliteVersions, error) {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the embedded database: %w", err)
	}
	v, err := newSQLiteVersions(ctx, conn, func() (*sharedMemory, error) {
		return openSharedMemory(filepath.Join(dir, fileName))
	})
	if err == nil {
		s.versions, s.release = v, v.release
	}
	return v, err
}

// sqliteName is the data source name that gives every pooled connection the
// same settings. synchronous(FULL) makes a commit wait for the disk: what was
// acknowledged survives a power cut.
func sqliteName(dir string, more ...string) string {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{
		"busy_timeout(5000)", "journal_mode(WAL)", "foreign_keys(1)", "synchronous(FULL)",
		"cache_size(-8192)", "temp_store(2)", "journal_size_limit(67108864)",
	}, more...)}
	path := filepath.ToSlash(filepath.Join(dir, fileName))
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: settings.Encode()}).String()
}

// Close waits for writes under way and closes the database.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	return s.closeAll()
}

// closeAll closes what is open: all of it, or what there is of a store that could
// not be opened.
func (s *Store) closeAll() (err error) {
	also := func(failed error) { err = errors.Join(err, failed) }
	if s.jobs != nil {
		s.jobs.close()
	}
	if s.versions != nil {
		also(s.versions.close())
	}
	if s.writer != nil {
		s.writer.close()
	}
	if s.publisher != nil {
		s.publisher.close()
		s.submitter.close()
		s.grader.close()
	}
	if s.rows != nil {
		also(s.rows.close())
	}
	if s.searches != nil {
		also(s.searches.close())
	}
	if s.log != nil {
		also(s.log.close())
	}
	for _, d := range []*sql.DB{s.writes, s.reads} {
		if d != nil {
			also(d.Close())
		}
	}
	if s.replicas != nil {
		also(s.replicas.close())
	}
	if s.release != nil {
		also(s.release())
	}
	return err
}

// Ping tells whether the database answers and, where the last write came to
// nothing through its fault, whether it takes writes again.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := s.query.GetSetting(ctx, ""); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return classify(err)
	}
	if !s.unwritable.Load() {
		return nil
	}
	if err := s.execute(ctx, "INSERT INTO settings (name, value) VALUES ('room', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value", strings.Repeat("x", room)); err != nil {
		return err
	}
	if err := s.execute(ctx, "DELETE FROM settings WHERE name = 'room'"); err != nil {
		return err
	}
	s.unwritable.Store(false)
	return nil
}

// room is what has to fit on the disk before the database is said to take writes
// again, in bytes: more than any request needs.
const room = 1 << 20

func (s *Store) execute(ctx context.Context, statement string, args ...any) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.raw.ExecContext(ctx, statement, args...)
		return err
	})
}

// Describe names the database in words without secrets.
func Describe(c Config) string {
	if c.URL == "" {
		return "embedded database in " + filepath.Join(c.Dir, fileName)
	}
	u, err := url.Parse(c.URL)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "PostgreSQL"
	}
	return "PostgreSQL at " + u.Host + u.Path
}
