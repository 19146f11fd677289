package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// maxGroup bounds the requests that share one commit, and so how long the first of them waits for the last.
const maxGroup = 128

// groupWriter runs all writes in one goroutine. It takes the functions of many requests
// into one transaction, each in a savepoint so that a function that fails undoes its own
// work only, and commits once: group commit. Counts, search and events are written once
// for the whole group. An engine.LongWrite is a group of its own, without a savepoint, for
// which SQLite would keep the earlier content of every page in memory.
type groupWriter struct {
	db   *DB
	pool *sql.DB // of one connection
	jobs chan *writeJob
	quit chan struct{}
	done chan struct{}
	once sync.Once
	// timeout bounds one run of a job's function, except in an engine.LongWrite.
	timeout time.Duration
	commit  func(*sql.Tx) error
	// doing is what the writer does now; nil while it is idle or runs an engine.LongWrite.
	doing atomic.Pointer[step]
}

// Statements of each job.
const (
	savepoint = "SAVEPOINT job"
	release   = "RELEASE job"
)

// beginning is the step that waits for the lock for writing.
const beginning = "the beginning of a transaction"

// step is one step of the writer.
type step struct {
	name  string
	since time.Time
}

// writeJob is a function for the writer to run.
type writeJob struct {
	ctx    context.Context
	f      func(context.Context, *engine.Tx) error
	err    error
	answer chan struct{} // closed once err is final
	state  atomic.Int32
}

// The states of a writeJob.
const (
	jobQueued int32 = iota
	jobRunning
	jobReturned  // the function has returned, its transaction has not ended
	jobAbandoned // the caller left before the function began
)

func newGroupWriter(d *DB, pool *sql.DB) *groupWriter {
	w := &groupWriter{
		db: d, pool: pool, timeout: engine.WriteTimeout, commit: (*sql.Tx).Commit,
		jobs: make(chan *writeJob, maxGroup), quit: make(chan struct{}), done: make(chan struct{}),
	}
	go w.loop()
	return w
}

// Write implements engine.Writer.
func (d *DB) Write(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	ctx, err := engine.EnterWrite(ctx)
	if err != nil {
		return err
	}
	err = d.writer.do(ctx, f)
	if isUnwritable(err) {
		// For Ping. A later success does not clear it: a small write may fit on a full disk.
		d.unwritable.Store(true)
	}
	return err
}

// do runs f and returns once its effects are on disk. It returns without running f if ctx ends or the writer is stuck
// before f's turn. Once f has begun, do waits for the commit; only if ctx has ended and the writer is stuck does it
// return earlier, and then the outcome is unknown.
func (w *groupWriter) do(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	job := &writeJob{ctx: ctx, f: f, answer: make(chan struct{})}
	look := time.NewTimer(stallPatience)
	defer look.Stop()
	queue := w.jobs
	for {
		select {
		case queue <- job:
			queue = nil
		case <-job.answer:
			return job.err
		case <-w.done:
			return job.lastAnswer()
		case <-ctx.Done():
			if queue != nil || job.abandon() {
				return ctx.Err()
			}
			return w.await(job)
		case <-look.C:
			if err := w.stalled(); err != nil && (queue != nil || job.abandon()) {
				return err
			}
			look.Reset(stallLookEvery)
		}
	}
}

// await waits for a job whose context has ended after its function began.
func (w *groupWriter) await(job *writeJob) error {
	look := time.NewTicker(stallLookEvery)
	defer look.Stop()
	for {
		select {
		case <-job.answer:
			return job.err
		case <-w.done:
			return job.lastAnswer()
		case <-look.C:
			if err := w.stalled(); err != nil && job.state.Load() == jobReturned {
				return err
			}
		}
	}
}

// abandon reports whether the job's function will never be run.
func (j *writeJob) abandon() bool { return j.state.CompareAndSwap(jobQueued, jobAbandoned) }

// lastAnswer returns the answer to a job once the writer has stopped, perhaps right after it.
func (j *writeJob) lastAnswer() error {
	select {
	case <-j.answer:
		return j.err
	default:
		return engine.ErrClosed
	}
}

// errStalled is returned while the writer is stuck, errLocked while it waits for the lock of another program.
var (
	errStalled = errors.New("writes are stuck")
	errLocked  = errors.New("another program holds the lock")
)

const (
	// stallPatience is how long one step of the writer may take before the database counts
	// as not ready. /readyz reports it within five seconds.
	stallPatience = 2 * time.Second
	// stallLookEvery is how often callers check for that.
	stallLookEvery = 100 * time.Millisecond
)

// stalled returns errStalled, with the step that takes too long.
func (w *groupWriter) stalled() error {
	now := w.doing.Load()
	if now == nil || time.Since(now.since) <= stallPatience {
		return nil
	}
	reason := errStalled
	if now.name == beginning {
		reason = fmt.Errorf("%w, perhaps because %w", errStalled, errLocked)
	}
	return fmt.Errorf("%w: %s has taken %s", reason, now.name, time.Since(now.since).Round(time.Second))
}

// begin records that the writer begins a step.
func (w *groupWriter) begin(name string) { w.doing.Store(&step{name, time.Now()}) }

// idle records that the writer is idle, or runs a step without a limit.
func (w *groupWriter) idle() { w.doing.Store(nil) }

// close waits for the running group; the database stays open.
func (w *groupWriter) close() {
	w.once.Do(func() { close(w.quit) })
	<-w.done
}

func (w *groupWriter) loop() {
	defer close(w.done)
	for {
		select {
		case first := <-w.jobs:
			group, long := w.gather(first)
			w.run(group)
			if long != nil {
				w.run([]*writeJob{long})
			}
		case <-w.quit:
			return
		}
	}
}

// gather returns first with the jobs queued behind it that share its transaction, and the long write that ends them, if
// one does.
func (w *groupWriter) gather(first *writeJob) (group []*writeJob, long *writeJob) {
	group = []*writeJob{first}
	for len(group) < maxGroup && !engine.IsLongWrite(first.ctx) {
		select {
		case job := <-w.jobs:
			if engine.IsLongWrite(job.ctx) {
				return group, job
			}
			group = append(group, job)
		default:
			return group, nil
		}
	}
	return group, nil
}

// run runs a group and answers each of its jobs.
func (w *groupWriter) run(group []*writeJob) {
	err := w.transact(group)
	w.idle()
	w.db.search.settle(err == nil)
	for _, job := range group {
		if job.err == nil {
			job.err = err
		}
		close(job.answer)
	}
}

// transact runs a group in one transaction.
func (w *groupWriter) transact(group []*writeJob) (err error) {
	w.begin(beginning)
	if err := w.db.file.check(); err != nil {
		return err
	}
	// The transaction belongs to all jobs: it does not end with the context of one.
	ctx := context.Background()
	tx, err := w.pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if err != nil {
			if rollback := tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
				err = errors.Join(err, rollback)
			}
		}
	}()
	written := 0
	all, query := engine.Effects{}, db.New(tx)
	begin := func() *engine.Tx {
		return &engine.Tx{Queries: query, DB: tx, Later: engine.Later{Queries: query, DB: tx}, Engine: w.db, Native: tx}
	}
	for _, job := range group {
		if !job.state.CompareAndSwap(jobQueued, jobRunning) {
			continue // abandoned
		}
		if job.err = job.ctx.Err(); job.err != nil {
			continue
		}
		if engine.ReadsFigures(job.ctx) {
			if err := applyFigures(ctx, begin(), all.Figures); err != nil {
				return err
			}
			all.Figures = nil
		}
		own := begin()
		run := w.inSavepoint
		if engine.IsLongWrite(job.ctx) {
			run = w.alone
		}
		if err := run(ctx, own, job); err != nil {
			return err
		}
		if job.err == nil {
			// A later job of the group may forget them.
			if err := storeNotices(ctx, own); err != nil {
				return err
			}
			all.Take(own.Effects)
			written++
		}
	}
	last := begin()
	last.Effects = all
	if err := w.db.apply(ctx, last); err != nil {
		return err
	}
	w.begin("a commit")
	if err := w.commit(tx); err != nil {
		return err
	}
	if w.db.committed != nil && written > 0 {
		w.db.committed(written)
	}
	if len(all.Events) > 0 {
		w.db.wake()
	}
	return nil
}

// alone runs a long write in a transaction of its own, which its error ends.
func (w *groupWriter) alone(_ context.Context, tx *engine.Tx, job *writeJob) error {
	w.idle()
	job.err = runJob(context.WithoutCancel(job.ctx), tx, job.f)
	job.state.Store(jobReturned)
	return job.err
}

// inSavepoint runs a job. It returns an error only if the shared transaction is lost.
func (w *groupWriter) inSavepoint(ctx context.Context, tx *engine.Tx, job *writeJob) error {
	w.begin("a write")
	if _, err := tx.DB.ExecContext(ctx, savepoint); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	// The request may end meanwhile; a function that has begun still completes.
	own, cancel := engine.WithWriteTimeout(context.WithoutCancel(job.ctx), w.timeout)
	job.err = runJob(own, tx, job.f)
	cancel()
	job.state.Store(jobReturned)
	if job.err != nil {
		w.db.search.settle(false)
		if _, err := tx.DB.ExecContext(ctx, "ROLLBACK TO job"); err != nil {
			return fmt.Errorf("undo: %w", errors.Join(err, job.err))
		}
	}
	if _, err := tx.DB.ExecContext(ctx, release); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// runJob turns a panic into the job's own error: the writer serves all requests.
func runJob(ctx context.Context, tx *engine.Tx, f func(context.Context, *engine.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = engine.Panicked(ctx, p)
		}
	}()
	return f(ctx, tx)
}
