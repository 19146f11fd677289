// Package jobs runs background work on any node: a queue of jobs in the product's database, and the jobs in it. It
// knows no engine: an engine provides River's driver.
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

// Jobs are rows of River's tables, in the product's database, on both engines: a job exists if and only if the
// transaction that queued it committed. Any node takes any job, and only one node takes it; if that node dies, the
// job returns.
//
// Nodes poll for jobs instead of being notified. A notification would have to be sent within the transaction, which
// on PostgreSQL makes all commits wait for each other. It would also start the work of a reset email right after the
// request, whose time must not reveal whether there is work.
const (
	// jobPoll is the interval of polling. An idle poll writes nothing.
	jobPoll = time.Second
	// jobTimeout bounds one run of a job. rescueAfter is when a job that is still marked as running counts as
	// orphaned and returns. Marks are checked every 30 seconds.
	jobTimeout  = 30 * time.Second
	rescueAfter = 2 * time.Minute
	// jobWorkers is the number of jobs that a node runs at once. Emails of notifications, of which thousands may be
	// due in one minute, have their own workers, so that a user who waits for a new password does not wait for them.
	jobWorkers          = 4
	notificationWorkers = 32
	// fetchPause is the least time between two fetches while there are jobs.
	fetchPause = 20 * time.Millisecond
	// softStop is the time that running jobs get when the node stops. A job that is cut runs again.
	softStop = 5 * time.Second
	// keepDone is how long an operator can look up a completed job.
	keepDone = time.Minute
	// keepFailed is the same for failed jobs.
	keepFailed = 24 * time.Hour
)

// addressWorkers is few: such emails are rare.
const addressWorkers = 2

// mailQueues are the queues of emails, with how many are sent at once.
var mailQueues = map[string]int{
	river.QueueDefault: jobWorkers, notificationQueue: notificationWorkers, addressQueue: addressWorkers,
}

// Queue is a queue of jobs.
type Queue interface {
	// Insert queues a job as part of tx. The error is the driver's.
	Insert(ctx context.Context, tx *engine.Tx, args river.JobArgs, opts *river.InsertOpts) error
	// InsertMany queues several jobs.
	InsertMany(ctx context.Context, tx *engine.Tx, jobs []river.InsertManyParams) error
	// Run runs jobs until ctx ends.
	Run(ctx context.Context, c *river.Config) error
	// List returns some jobs.
	List(ctx context.Context, params *river.JobListParams) (*river.JobListResult, error)
	// Retry makes a job due now.
	Retry(ctx context.Context, id int64) error
	Close()
}

// riverQueue is River on a driver whose transactions are T.
type riverQueue[T any] struct {
	driver riverdriver.Driver[T]
	// txOf returns River's form of a transaction.
	txOf    func(context.Context, *engine.Tx) (T, error)
	inserts *river.Client[T]
	release func()
}

// New returns a queue on a driver; txOf returns the driver's form of a transaction. Close calls release.
func New[T any](
	d riverdriver.Driver[T], txOf func(context.Context, *engine.Tx) (T, error), release func(),
) (Queue, error) {
	d = quiet[T]{d}
	inserts, err := river.NewClient(d, &river.Config{Logger: jobLog()})
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return &riverQueue[T]{driver: d, txOf: txOf, inserts: inserts, release: release}, nil
}

// quiet is a driver without notifications.
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
	// River's own stop follows ctx; if the database is away at the start, Run waits for it.
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

// List implements Queue.
func (q *riverQueue[T]) List(ctx context.Context, params *river.JobListParams) (*river.JobListResult, error) {
	return q.inserts.JobList(ctx, params)
}

// Retry implements Queue.
func (q *riverQueue[T]) Retry(ctx context.Context, id int64) error {
	_, err := q.inserts.JobRetry(ctx, id)
	return err
}

// Close implements Queue.
func (q *riverQueue[T]) Close() { q.release() }

// jobConfig returns River's configuration. clock, if not nil, is River's clock.
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

// testClock is a clock that a test can set.
type testClock func() time.Time

// Now implements rivertype.TimeGenerator.
func (c testClock) Now() time.Time { return c() }

// NowOrNil implements rivertype.TimeGenerator.
func (c testClock) NowOrNil() *time.Time { now := c(); return &now }

// jobLog passes on only River's warnings and errors, all as warnings: River retries later.
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
