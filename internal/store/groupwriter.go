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

// carefulGroups is how many groups run in savepoints from the start once one of
// them had to be run again.
const carefulGroups = 16

// groupWriter is SQLite's one writer. It runs the functions of many requests in
// one transaction, commits once, waits for the disk once, and only then answers
// all of them: group commit. Savepoints cost a tenth of a write, so a group is
// run without them first; where a request fails, all is undone and run again,
// each in a savepoint, so that it takes nothing of the others along. What the
// requests leave to do for counts and search is done once for the whole group.
type groupWriter struct {
	store   *Store
	db      *sql.DB // of one connection
	query   *db.Queries
	jobs    chan *writeJob
	quit    chan struct{}
	done    chan struct{}
	once    sync.Once
	careful int // how many groups more run in savepoints
}

type writeJob struct {
	ctx    context.Context
	f      func(context.Context, *Tx) error
	err    error
	answer chan struct{}
}

func newGroupWriter(ctx context.Context, s *Store, d *sql.DB) (*groupWriter, error) {
	query, err := db.Prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	w := &groupWriter{
		store: s, db: d, query: query,
		jobs: make(chan *writeJob, maxGroup), quit: make(chan struct{}), done: make(chan struct{}),
	}
	go w.loop()
	return w, nil
}

// do runs f and returns once its effects are on disk. A request that is
// cancelled before its turn is not run; one that has been run is waited for,
// because its outcome is no longer open.
func (w *groupWriter) do(ctx context.Context, f func(context.Context, *Tx) error) error {
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
	}
	// The writer has stopped, perhaps right after this very job.
	select {
	case <-job.answer:
		return job.err
	default:
		return errClosed
	}
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
	careful := w.careful > 0 && len(group) > 1
	if careful {
		w.careful--
	}
	err := w.transact(group, careful)
	w.store.search.settle(err == nil)
	if errors.Is(err, errSpoiled) {
		w.careful = carefulGroups
		for _, job := range group {
			job.err = nil
		}
		err = w.transact(group, true)
		w.store.search.settle(err == nil)
	}
	if err != nil {
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

// errSpoiled says that a request failed where nothing but all can be undone.
var errSpoiled = errors.New("a write of a group failed")

// transact runs a group in one transaction, each of several in a savepoint of
// its own where careful.
func (w *groupWriter) transact(group []*writeJob, careful bool) (err error) {
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
	// From here to the commit nobody else commits.
	before, carried := w.store.told()
	query, all := w.query.WithTx(tx), effects{}
	newTx := func() *Tx { return &Tx{query: query, raw: tx, lite: tx, store: w.store} }
	for _, job := range group {
		if job.err = job.ctx.Err(); job.err != nil {
			continue
		}
		own, jobCtx := newTx(), context.WithoutCancel(job.ctx)
		if careful {
			if err := runInSavepoint(jobCtx, own, job); err != nil {
				return err
			}
		} else if job.err = runJob(jobCtx, own, job.f); job.err != nil {
			if len(group) > 1 {
				return errSpoiled
			}
			return job.err
		}
		if job.err == nil {
			all.add(own.effects)
			carried = carried && own.countedOnly()
		}
	}
	if err := all.apply(ctx, newTx()); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if carried {
		if now, _ := w.store.told(); now.commits == before.commits+1 {
			w.store.pages.carry(before.number, now.number, all.counts)
		}
	}
	if len(all.events) > 0 {
		w.store.log.wake()
	}
	return nil
}

// runInSavepoint returns an error only where the shared transaction itself is lost.
func runInSavepoint(ctx context.Context, tx *Tx, job *writeJob) error {
	if _, err := tx.raw.ExecContext(ctx, "SAVEPOINT job"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	job.err = runJob(ctx, tx, job.f)
	if job.err != nil {
		tx.store.search.settle(false)
		if _, err := tx.raw.ExecContext(ctx, "ROLLBACK TO job"); err != nil {
			return fmt.Errorf("undo: %w", errors.Join(err, job.err))
		}
	}
	if _, err := tx.raw.ExecContext(ctx, "RELEASE job"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// runJob turns a panic into the job's own error: the writer serves everybody.
func runJob(ctx context.Context, tx *Tx, f func(context.Context, *Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write: %v", p)
		}
	}()
	return f(ctx, tx)
}
