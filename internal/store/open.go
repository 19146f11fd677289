// Package store keeps the nouns in a database. It knows rows and transactions, one file a noun, and no engine: see
// package engine. Its callers decide who may do what, and what is valid.
package store

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/postgres"
	"studycircle/internal/store/sqlite"
)

// Store is an open database. It is safe for concurrent use.
type Store struct {
	reads
	engine   engine.Engine
	queue    jobs.Queue
	own      *ownPlaces
	circles  *ownCircles
	hall     studycircle.HallMode
	observer Observer
	admit    func(ctx context.Context, write func() error) error
	troubles troubles
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// Config is the location of the database.
type Config struct {
	// Dir is the folder of the embedded database, created if it is missing.
	Dir string
	// URL, if given, is a PostgreSQL connection string, and Dir holds no database.
	URL string
	// Hall says whether users are notified of what is in the hall; they are, unless it is off.
	Hall studycircle.HallMode
	// Observer is called for metrics.
	Observer Observer
	// Admit, if not nil, runs each write of Store.Write and returns its error, or refuses it.
	Admit func(ctx context.Context, write func() error) error
}

// opened is an engine that has a job queue.
type opened interface {
	Parts() engine.Engine
	// OnCommit makes the engine call f after each commit that several writes may share, with their number. It is
	// called before the first write.
	OnCommit(f func(writes int))
	Queue(ctx context.Context) (jobs.Queue, error)
}

// pick opens the engine that c names.
func pick(ctx context.Context, c Config) (opened, error) {
	if c.URL != "" {
		return postgres.Open(ctx, c.URL)
	}
	return sqlite.Open(ctx, c.Dir)
}

// Open opens the database and brings its schema up to date. The caller closes it.
func Open(ctx context.Context, c Config) (*Store, error) {
	e, err := pick(ctx, c)
	if err != nil {
		return nil, err
	}
	s := &Store{
		engine: e.Parts(), hall: c.Hall, observer: c.Observer, admit: c.Admit, own: newOwnPlaces(), circles: newOwnCircles(),
	}
	if s.admit == nil {
		s.admit = func(_ context.Context, write func() error) error { return write() }
	}
	if c.Observer.Took != nil {
		s.engine = engine.Timed(s.engine, c.Observer.Took)
	}
	s.reads = reads{s, s.engine.Queries(), s.engine.Reads()}
	e.OnCommit(c.Observer.Committed)
	if s.queue, err = e.Queue(ctx); err == nil {
		err = s.openEventLog(ctx)
	}
	if err != nil {
		return nil, errors.Join(engine.Opening(s.engine, err), s.closeAll())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.done.Go(func() { s.engine.Run(background) })
	s.done.Go(func() { s.watchTroubles(background) })
	return s, nil
}

// Close waits for writes under way and closes the database.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	return s.closeAll()
}

func (s *Store) closeAll() error {
	if s.queue != nil {
		s.queue.Close()
	}
	return s.engine.Close()
}

// Engine returns the engine, for code that copies whole databases.
func (s *Store) Engine() engine.Engine { return s.engine }

// Queue returns the job queue.
func (s *Store) Queue() jobs.Queue { return s.queue }

// Version numbers the committed state: while it returns the same number, no commit has changed data, and data read
// after a call is current. It grows with each commit of any node or program.
func (s *Store) Version(ctx context.Context) (uint64, error) {
	version, err := s.engine.Version(ctx)
	return version, s.classify(err)
}

// WithVersion returns a ctx for reads under a known version: they see that version or a later one, without asking for
// it.
func WithVersion(ctx context.Context, version uint64) context.Context {
	return engine.WithVersion(ctx, version)
}

// Ping reports whether the database answers and, if the last write failed through its fault, whether it takes writes
// again.
func (s *Store) Ping(ctx context.Context) error { return s.classify(s.engine.Ping(ctx)) }

// AtOnce returns the useful number of concurrent requests over this database.
func (s *Store) AtOnce() int { return s.engine.AtOnce() }

// FoldPageDeltas folds all pending changes of counts.
func (s *Store) FoldPageDeltas(ctx context.Context) (err error) {
	defer s.operation(&err, "Store.FoldPageDeltas")
	return s.engine.FoldCounts(ctx)
}

func (s *Store) classify(err error) error {
	if err == nil {
		return nil
	}
	if t := s.engine.Trouble(err); t != (engine.Trouble{}) {
		s.troubles.begin(t, err)
	}
	return engine.Classify(s.engine.Database, err)
}

type (
	// NotOpened is the error of Open if an operator can remove the cause.
	NotOpened = engine.NotOpened
	// Trouble is what NotOpened tells the operator.
	Trouble = engine.Trouble
)

// Backup writes a copy of the embedded database in dir to file, beside readers and writers: the copy is the state of
// one moment. It checks the copy, which has another name until it is intact and on disk, and refuses to overwrite a
// file.
func Backup(ctx context.Context, dir, file string) error { return sqlite.Backup(ctx, dir, file) }

// Facts are what a look at a database tells.
type Facts = engine.Facts

// Look reads facts about a database, and changes nothing: a schema that is not up to date stays. deep adds a check of
// the embedded database's integrity, which reads all of it.
func Look(ctx context.Context, c Config, deep bool) (Facts, error) {
	if c.URL != "" {
		return postgres.Look(ctx, c.URL)
	}
	return sqlite.Look(ctx, c.Dir, deep)
}

// Restore puts the backup in file into dir, which must hold no database. It checks the backup first.
func Restore(ctx context.Context, dir, file string) error { return sqlite.Restore(ctx, dir, file) }

// WAL returns the path of the embedded database's write-ahead log; "" if c names PostgreSQL.
func WAL(c Config) string {
	if c.URL != "" {
		return ""
	}
	return sqlite.FileIn(c.Dir) + "-wal"
}

// Describe names the database in words without secrets.
func Describe(c Config) string {
	if c.URL == "" {
		return "embedded database in " + sqlite.FileIn(c.Dir)
	}
	u, err := url.Parse(c.URL)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "PostgreSQL"
	}
	return "PostgreSQL at " + u.Host + u.Path
}
