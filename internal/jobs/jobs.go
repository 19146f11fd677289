// Package jobs has what is to be done later, by any node: a queue in the database
// that the jobs are about, and what runs in it. It knows no engine: those hand it
// River's driver.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"studycircle/internal/store/engine"
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
	// jobWorkers is how many jobs a node runs at once; notifications, of which many
	// thousands may be due in one minute, have workers of their own, so that whoever
	// waits for a new password does not wait for those.
	jobWorkers          = 4
	notificationWorkers = 32
	// fetchPause is the least time between two looks for jobs while there are some.
	fetchPause = 20 * time.Millisecond
	// softStop is how long jobs under way get when the node stops. A job that is
	// cut is tried again.
	softStop = 5 * time.Second
	// keepDone is how long what is done can still be looked up by an operator.
	keepDone = time.Minute
	// keepFailed is the same for jobs that were given up.
	keepFailed = 24 * time.Hour
)

// mailQueues are the queues of emails, with how many are sent at once.
var mailQueues = map[string]int{river.QueueDefault: jobWorkers, notificationQueue: notificationWorkers}

// Queue is where jobs wait.
type Queue interface {
	// Insert queues a job as part of tx. The error is the driver's.
	Insert(ctx context.Context, tx *engine.Tx, args river.JobArgs, opts *river.InsertOpts) error
	// InsertMany queues several.
	InsertMany(ctx context.Context, tx *engine.Tx, jobs []river.InsertManyParams) error
	// Run works until ctx ends.
	Run(ctx context.Context, c *river.Config) error
	Close()
}

// riverQueue is River over a driver whose transactions are T.
type riverQueue[T any] struct {
	driver riverdriver.Driver[T]
	// txOf is River's view of a transaction.
	txOf    func(context.Context, *engine.Tx) (T, error)
	inserts *river.Client[T]
	release func()
}

// New makes a queue of a driver, whose view of a transaction txOf gives. release is
// called at the end.
func New[T any](d riverdriver.Driver[T], txOf func(context.Context, *engine.Tx) (T, error), release func()) (Queue, error) {
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

// Insert implements Queue.
func (q *riverQueue[T]) Insert(ctx context.Context, tx *engine.Tx, args river.JobArgs, opts *river.InsertOpts) error {
	own, err := q.txOf(ctx, tx)
	if err != nil {
		return err
	}
	_, err = q.inserts.InsertTx(ctx, own, args, opts)
	return err
}

// InsertMany implements Queue.
func (q *riverQueue[T]) InsertMany(ctx context.Context, tx *engine.Tx, jobs []river.InsertManyParams) error {
	own, err := q.txOf(ctx, tx)
	if err != nil {
		return err
	}
	_, err = q.inserts.InsertManyFastTx(ctx, own, jobs)
	return err
}

// Run implements Queue.
func (q *riverQueue[T]) Run(ctx context.Context, c *river.Config) error {
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
			slog.WarnContext(ctx, "starting the job queue failed; will retry", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(jobPoll):
		}
	}
	return nil
}

// Close implements Queue.
func (q *riverQueue[T]) Close() { q.release() }

// jobConfig is how jobs are run. clock is River's where it is not nil.
func jobConfig(workers *river.Workers, clock func() time.Time) *river.Config {
	c := &river.Config{
		Workers:                     workers,
		Queues:                      map[string]river.QueueConfig{},
		FetchCooldown:               fetchPause,
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
func jobLog() *slog.Logger { return slog.New(warnings{slog.Default().Handler()}) }

type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

// Handle implements slog.Handler.
func (h warnings) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelWarn
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h warnings) WithAttrs(a []slog.Attr) slog.Handler { return warnings{h.Handler.WithAttrs(a)} }

// WithGroup implements slog.Handler.
func (h warnings) WithGroup(name string) slog.Handler { return warnings{h.Handler.WithGroup(name)} }
