package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// Jobs wait in River's tables, in the database they are about, on both engines:
// what a transaction queues is there if and only if the transaction is. Any node
// takes any job, each is taken by one, and one whose node dies comes back.
//
// Nodes look for jobs themselves instead of being told. A notification would
// have to be sent from within the transaction, which on PostgreSQL makes all
// commits wait for each other, and would start the work of a reset mail right
// behind the request whose time must not tell that there is work.
const (
	// jobPoll is how often a node looks. An idle look writes nothing.
	jobPoll = time.Second
	// jobTimeout bounds one run of a job; rescueAfter is when a job that is still
	// marked as running counts as its node's death and comes back. Its marks are
	// looked at every 30 seconds.
	jobTimeout  = 30 * time.Second
	rescueAfter = 2 * time.Minute
	// jobWorkers is how many jobs a node runs at once.
	jobWorkers = 4
	// softStop is how long jobs under way get when the node stops. A job that is
	// cut is tried again.
	softStop = 5 * time.Second
	// keepDone is how long what is done can still be looked up by an operator.
	keepDone = time.Minute
	// keepFailed is the same for jobs that were given up.
	keepFailed = 24 * time.Hour
)

// jobQueue is River on one engine.
type jobQueue interface {
	insert(ctx context.Context, tx *Tx, args river.JobArgs) error
	// run works until ctx ends.
	run(ctx context.Context, c *river.Config) error
	close()
}

// riverQueue is River over a driver whose transactions are T.
type riverQueue[T any] struct {
	driver riverdriver.Driver[T]
	// txOf is River's view of a transaction.
	txOf    func(*Tx) (T, error)
	inserts *river.Client[T]
	release func()
}

func newRiverQueue[T any](d riverdriver.Driver[T], txOf func(*Tx) (T, error), release func()) (*riverQueue[T], error) {
	d = quiet[T]{d}
	inserts, err := river.NewClient(d, &river.Config{Logger: jobLog()})
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return &riverQueue[T]{driver: d, txOf: txOf, inserts: inserts, release: release}, nil
}

// quiet is a driver that neither sends notifications nor waits for them.
type quiet[T any] struct{ riverdriver.Driver[T] }

// SupportsListener implements riverdriver.Driver.
func (quiet[T]) SupportsListener() bool { return false }

// SupportsListenNotify implements riverdriver.Driver.
func (quiet[T]) SupportsListenNotify() bool { return false }

func (q *riverQueue[T]) insert(ctx context.Context, tx *Tx, args river.JobArgs) error {
	own, err := q.txOf(tx)
	if err != nil {
		return err
	}
	_, err = q.inserts.InsertTx(ctx, own, args, nil)
	return classify(err)
}

func (q *riverQueue[T]) run(ctx context.Context, c *river.Config) error {
	client, err := river.NewClient(q.driver, c)
	if err != nil {
		return fmt.Errorf("set up the job queue: %w", err)
	}
	// River's own end follows ctx; a database that is away at the start is waited for.
	for ctx.Err() == nil {
		if err = client.Start(ctx); err == nil {
			<-client.Stopped()
			return nil
		}
		if ctx.Err() == nil {
			slog.WarnContext(ctx, "jobs not started; next try follows", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(jobPoll):
		}
	}
	return nil
}

func (q *riverQueue[T]) close() { q.release() }

// newSQLiteQueue shares the group writer's one connection: statements wait for
// each other in Go instead of failing as busy.
func newSQLiteQueue(writes *sql.DB) (jobQueue, error) {
	return newRiverQueue(riversqlite.New(writes), func(tx *Tx) (*sql.Tx, error) { return tx.lite, nil }, func() {})
}

// newPostgresQueue has a few connections of its own for looking and marking.
func newPostgresQueue(ctx context.Context, config *pgx.ConnConfig) (jobQueue, error) {
	c, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	c.ConnConfig, c.MaxConns, c.MaxConnIdleTime = config.Copy(), jobWorkers, 5*time.Minute
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), c)
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return newRiverQueue(riverpgxv5.New(pool), joinTx, pool.Close)
}

// joinTx lets River write in a transaction of ours.
func joinTx(tx *Tx) (joined pgx.Tx, err error) {
	err = withPgx(tx.conn, func(c *pgx.Conn) error {
		joined = joinedTx{c}
		return nil
	})
	return joined, err
}

type pgxConn = pgx.Conn

// joinedTx is a transaction whose end is somebody else's business.
type joinedTx struct{ *pgxConn }

var errNotOurs = errors.New("whoever began the transaction ends it")

// Begin implements pgx.Tx.
func (joinedTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotOurs }

// Commit implements pgx.Tx.
func (joinedTx) Commit(context.Context) error { return errNotOurs }

// Rollback implements pgx.Tx.
func (joinedTx) Rollback(context.Context) error { return errNotOurs }

// LargeObjects implements pgx.Tx.
func (joinedTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Conn implements pgx.Tx.
func (t joinedTx) Conn() *pgx.Conn { return t.pgxConn }

// jobConfig is how jobs are run. clock is River's where it is not nil.
func jobConfig(workers *river.Workers, clock func() time.Time) *river.Config {
	c := &river.Config{
		Workers:                     workers,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: jobWorkers}},
		PollOnly:                    true,
		FetchPollInterval:           jobPoll,
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		SoftStopTimeout:             softStop,
		CompletedJobRetentionPeriod: keepDone,
		CancelledJobRetentionPeriod: keepFailed,
		DiscardedJobRetentionPeriod: keepFailed,
		Logger:                      jobLog(),
	}
	if clock != nil {
		c.Test.Time = testClock(clock)
	}
	return c
}

// testClock is a clock that a test may move.
type testClock func() time.Time

// Now implements rivertype.TimeGenerator.
func (c testClock) Now() time.Time { return c() }

// NowOrNil implements rivertype.TimeGenerator.
func (c testClock) NowOrNil() *time.Time { now := c(); return &now }

// jobLog takes River's warnings and errors only, all as warnings: what it could
// not do now it does later.
func jobLog() *slog.Logger { return slog.New(calm{slog.Default().Handler()}) }

type calm struct{ slog.Handler }

// Enabled implements slog.Handler.
func (calm) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

// Handle implements slog.Handler.
func (h calm) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelWarn
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h calm) WithAttrs(a []slog.Attr) slog.Handler { return calm{h.Handler.WithAttrs(a)} }

// WithGroup implements slog.Handler.
func (h calm) WithGroup(name string) slog.Handler { return calm{h.Handler.WithGroup(name)} }
