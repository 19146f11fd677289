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
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// maxGroup bounds how many requests share one commit, and so how long the first
// of them waits for the last.
const maxGroup = 128

// groupWriter is the one writer. It runs the functions of many requests in one
// transaction, each in a savepoint so that one that fails takes nothing of the
// others along, commits once, waits for the disk once, and only then answers all
// of them: group commit. What the requests leave to do for counts, search and
// events is done once for the whole group.
type groupWriter struct {
	db    *DB
	pool  *sql.DB // of one connection
	query *db.Queries
	jobs  chan *writeJob
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once
	// commit ends a transaction, and committing is since when, in nanoseconds of
	// Unix time; 0 while it does not.
	commit     func(*sql.Tx) error
	committing atomic.Int64
}

type writeJob struct {
	ctx    context.Context
	f      func(context.Context, *engine.Tx) error
	err    error
	answer chan struct{}
}

func newGroupWriter(ctx context.Context, d *DB, pool *sql.DB) (*groupWriter, error) {
	query, err := db.Prepare(ctx, pool)
	if err != nil {
		return nil, err
	}
	w := &groupWriter{
		db: d, pool: pool, query: query, commit: (*sql.Tx).Commit,
		jobs: make(chan *writeJob, maxGroup), quit: make(chan struct{}), done: make(chan struct{}),
	}
	go w.loop()
	return w, nil
}

// Write implements engine.Engine.
func (d *DB) Write(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	err := d.writer.do(ctx, f)
	if isUnwritable(err) {
		// For Ping. That a further write succeeds says little: a small one may find room
		// on a disk that is full.
		d.unwritable.Store(true)
	}
	return err
}

// do runs f and returns once its effects are on disk. A request that is
// cancelled before its turn is not run; one that has been run is waited for,
// because its outcome is no longer open.
func (w *groupWriter) do(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	job := &writeJob{ctx: ctx, f: f, answer: make(chan struct{})}
	select {
	case w.jobs <- job:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return engine.ErrClosed
	}
	select {
	case <-job.answer:
		return job.err
	case <-w.done:
	}
	// The writer has stopped, perhaps right after this very job.
	select {
	case <-job.answer:
		return job.err
	default:
		return engine.ErrClosed
	}
}

// errStalled says that the disk does not answer the writer.
var errStalled = errors.New("a commit has been waiting for the disk for seconds")

// stallPatience is how long a commit may take until the database is said to take
// no writes.
const stallPatience = 2 * time.Second

func (w *groupWriter) stalled() error {
	since := w.committing.Load()
	if since != 0 && time.Since(time.Unix(0, since)) > stallPatience {
		return errStalled
	}
	return nil
}

// close waits for what has begun; the database stays open.
func (w *groupWriter) close() {
	w.once.Do(func() { close(w.quit) })
	<-w.done
}

func (w *groupWriter) loop() {
	defer close(w.done)
	for {
		select {
		case first := <-w.jobs:
			w.run(w.gather(first))
		case <-w.quit:
			return
		}
	}
}

func (w *groupWriter) gather(first *writeJob) []*writeJob {
	group := []*writeJob{first}
	for len(group) < maxGroup {
		select {
		case job := <-w.jobs:
			group = append(group, job)
		default:
			return group
		}
	}
	return group
}

// run runs a group and answers each of its jobs, whatever happens.
func (w *groupWriter) run(group []*writeJob) {
	err := w.transact(group)
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
	if err := w.db.file.check(); err != nil {
		return err
	}
	// Nobody's cancelled request may undo the work of the others.
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
	// From here to the commit nobody else commits.
	before, carried := w.db.commitVersion()
	query, all := w.query.WithTx(tx), engine.Effects{}
	begin := func() *engine.Tx {
		hot := hotTx{tx, w.db.hot}
		return &engine.Tx{Queries: query, DB: hot, Later: engine.Later{Queries: query, DB: hot}, Engine: w.db, Native: tx}
	}
	for _, job := range group {
		if job.err = job.ctx.Err(); job.err != nil {
			continue
		}
		own := begin()
		if err := w.inSavepoint(context.WithoutCancel(job.ctx), own, job); err != nil {
			return err
		}
		if job.err == nil {
			all.Take(own.Effects)
			carried = carried && own.CountedOnly()
		}
	}
	last := begin()
	last.Effects = all
	if err := w.db.apply(ctx, last); err != nil {
		return err
	}
	w.committing.Store(time.Now().UnixNano())
	err = w.commit(tx)
	w.committing.Store(0)
	if err != nil {
		return err
	}
	if carried {
		if now, _ := w.db.commitVersion(); now.commits == before.commits+1 {
			w.db.pages.Carry(before.number, now.number, all.Counts)
		}
	}
	if len(all.Events) > 0 {
		w.db.wake()
	}
	return nil
}

// inSavepoint returns an error only where the shared transaction itself is lost.
func (w *groupWriter) inSavepoint(ctx context.Context, tx *engine.Tx, job *writeJob) error {
	if _, err := tx.DB.ExecContext(ctx, "SAVEPOINT job"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	job.err = runJob(ctx, tx, job.f)
	if job.err != nil {
		w.db.search.settle(false)
		if _, err := tx.DB.ExecContext(ctx, "ROLLBACK TO job"); err != nil {
			return fmt.Errorf("undo: %w", errors.Join(err, job.err))
		}
	}
	if _, err := tx.DB.ExecContext(ctx, "RELEASE job"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// runJob turns a panic into the job's own error: the writer serves everybody.
func runJob(ctx context.Context, tx *engine.Tx, f func(context.Context, *engine.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = engine.Panicked(ctx, p)
		}
		err = errors.Join(err, tx.End())
	}()
	return f(ctx, tx)
}

// apply does what a group of requests has left to do.
func (d *DB) apply(ctx context.Context, tx *engine.Tx) error {
	if err := d.ApplySearch(ctx, tx); err != nil {
		return err
	}
	err := tx.Counts.Tiers(func(tier int64, k pages.Key, n int64) error {
		return tx.Queries.AddToPageCount(ctx, db.AddToPageCountParams{Scope: string(k.Scope), Tier: tier, Block: k.Block, N: n})
	})
	if err != nil {
		return err
	}
	for _, row := range tables.NoticeRows(tx.Notices) {
		if _, err := tx.DB.ExecContext(ctx, insertNotice, tables.Notices.Values(&row, tables.Notices.Inserted)...); err != nil {
			return err
		}
	}
	for _, l := range tx.Links {
		if err := tx.Queries.LookAtLink(ctx, db.LookAtLinkParams{ID: l.SubmissionID, At: l.At.UnixMicro()}); err != nil {
			return err
		}
	}
	if len(tx.Events) == 0 {
		return nil
	}
	return tx.Queries.InsertEvents(ctx, engine.EventLines(tx.Events))
}
