package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"studycircle/internal/store/db"
)

// maxGroup bounds how many requests share one commit, and so how long the first
// of them waits for the last.
const maxGroup = 128

// errClosed is the answer to a write after Close.
var errClosed = errors.New("the store is closed")

// groupWriter is SQLite's one writer. It runs each request's function in a
// savepoint of a shared transaction, commits once, waits for the disk once, and
// only then answers all of them: group commit. A request that fails undoes its
// own savepoint and nothing else.
type groupWriter struct {
	db    *sql.DB // of one connection
	query *db.Queries
	jobs  chan *writeJob
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once
}

type writeJob struct {
	ctx    context.Context
	f      func(context.Context, *sql.Tx) error
	err    error
	answer chan struct{}
}

func newGroupWriter(ctx context.Context, d *sql.DB) (*groupWriter, error) {
	query, err := db.Prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	w := &groupWriter{db: d, query: query, jobs: make(chan *writeJob, maxGroup), quit: make(chan struct{}), done: make(chan struct{})}
	go w.loop()
	return w, nil
}

// do runs f and returns once its effects are on disk. A request that is
// cancelled before its turn is not run; one that has been run is waited for,
// because its outcome is no longer open.
func (w *groupWriter) do(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	job := &writeJob{ctx: ctx, f: f, answer: make(chan struct{})}
	select {
	case w.jobs <- job:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return errClosed
	}
	select {
	case <-job.answer:
		return job.err
	case <-w.done:
		return errClosed
	}
}

func (w *groupWriter) close() error {
	w.once.Do(func() { close(w.quit) })
	<-w.done
	return w.db.Close()
}

func (w *groupWriter) loop() {
	defer close(w.done)
	for {
		select {
		case first := <-w.jobs:
			w.commit(w.gather(first))
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

// commit runs a group and answers each of its jobs, whatever happens.
func (w *groupWriter) commit(group []*writeJob) {
	if err := w.transact(group); err != nil {
		for _, job := range group {
			if job.err == nil {
				job.err = err
			}
		}
	}
	for _, job := range group {
		close(job.answer)
	}
}

func (w *groupWriter) transact(group []*writeJob) (err error) {
	// Nobody's cancelled request may undo the work of the others.
	ctx := context.Background()
	tx, err := w.db.BeginTx(ctx, nil)
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
	if len(group) == 1 {
		if err := runJob(context.WithoutCancel(group[0].ctx), tx, group[0].f); err != nil {
			return err
		}
		return tx.Commit()
	}
	for _, job := range group {
		if job.err = job.ctx.Err(); job.err != nil {
			continue
		}
		if err := runInSavepoint(context.WithoutCancel(job.ctx), tx, job); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// runInSavepoint returns an error only where the shared transaction itself is lost.
func runInSavepoint(ctx context.Context, tx *sql.Tx, job *writeJob) error {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT job"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	job.err = runJob(ctx, tx, job.f)
	if job.err != nil {
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO job"); err != nil {
			return fmt.Errorf("undo: %w", errors.Join(err, job.err))
		}
	}
	if _, err := tx.ExecContext(ctx, "RELEASE job"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// runJob turns a panic into the job's own error: the writer serves everybody.
func runJob(ctx context.Context, tx *sql.Tx, f func(context.Context, *sql.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write: %v", p)
		}
	}()
	return f(ctx, tx)
}
