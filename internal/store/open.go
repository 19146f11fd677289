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
	engine engine
	reads  *sql.DB // SQLite: refuses writes; PostgreSQL: the one pool
	query  *db.Queries
	writer *groupWriter // SQLite's only writer; nil on PostgreSQL
	search searcher
	stop   context.CancelFunc
	done   chan struct{}
}

// Config says where the database is.
type Config struct {
	// Dir holds the embedded database. It is made where it is missing.
	Dir string
	// URL, where given, is a PostgreSQL connection string and Dir holds no database.
	URL string
}

// Open opens the database and brings its schema up to date. The caller closes it.
func Open(ctx context.Context, c Config) (*Store, error) {
	s := &Store{done: make(chan struct{})}
	var err error
	if c.URL == "" {
		err = s.openSQLite(ctx, c.Dir)
	} else {
		err = s.openPostgres(ctx, c.URL)
	}
	if err != nil {
		return nil, err
	}
	if s.query, err = db.Prepare(ctx, s.reads); err != nil {
		if s.writer != nil {
			err = errors.Join(err, s.writer.close())
		}
		return nil, errors.Join(err, s.reads.Close())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	go s.foldPageDeltas(background)
	return s, nil
}

func (s *Store) openPostgres(ctx context.Context, address string) error {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// pgx's own words may repeat the password.
		return errors.New("the PostgreSQL address cannot be read; it looks like postgres://user:password@host:5432/name")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 4 * time.Second
	}
	s.engine, s.search = postgresEngine, postgresSearch{}
	s.reads = stdlib.OpenDB(*config)
	// PostgreSQL works best with a few connections a core; waiting here is
	// cheaper than waiting there.
	s.reads.SetMaxOpenConns(32)
	s.reads.SetMaxIdleConns(32)
	s.reads.SetConnMaxIdleTime(5 * time.Minute)
	if err := migrate(ctx, s.reads, s.engine); err != nil {
		return errors.Join(err, s.reads.Close())
	}
	return nil
}

func (s *Store) openSQLite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	// A cache of 32 MiB: the writer comes by all indexes again and again.
	writes, err := sql.Open("sqlite", sqliteName(dir, "cache_size(-32768)"))
	if err != nil {
		return fmt.Errorf("open the embedded database: %w", err)
	}
	writes.SetMaxOpenConns(1)
	if err := migrate(ctx, writes, sqliteEngine); err != nil {
		return errors.Join(err, writes.Close())
	}
	s.reads, err = sql.Open("sqlite", sqliteName(dir, "query_only(1)"))
	if err != nil {
		return fmt.Errorf("open the embedded database: %w", errors.Join(err, writes.Close()))
	}
	s.reads.SetMaxOpenConns(8)
	s.reads.SetMaxIdleConns(8)
	s.engine = sqliteEngine
	if s.search, err = newSQLiteSearch(ctx, writes); err == nil {
		s.writer, err = newGroupWriter(ctx, s, writes)
	}
	if err != nil {
		return errors.Join(err, s.reads.Close(), writes.Close())
	}
	return nil
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
	<-s.done
	var err error
	if s.writer != nil {
		err = s.writer.close()
	}
	return errors.Join(err, s.reads.Close())
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.query.GetSetting(ctx, "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return classify(err)
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
