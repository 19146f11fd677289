package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// maxGroup bounds the requests that share one commit, and so how long the first of them waits for the last.
const maxGroup = 128

// groupWriter writes counts, search and events once for a whole group. An engine.LongWrite
// has no savepoint, for which SQLite would keep the earlier content of every page in memory.
type groupWriter struct {
	*engine.Group
	db   *DB
	pool *sql.DB // of one connection
	// timeout bounds one run of a job's function, except in an engine.LongWrite.
	timeout time.Duration
	commit  func(*sql.Tx) error
}

func newGroupWriter(d *DB, pool *sql.DB) *groupWriter {
	w := &groupWriter{db: d, pool: pool, timeout: engine.WriteTimeout, commit: (*sql.Tx).Commit}
	w.Group = engine.NewGroup(maxGroup, w.transact)
	return w
}

// Write implements engine.Writer.
func (d *DB) Write(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	ctx, err := engine.EnterWrite(ctx)
	if err != nil {
		return err
	}
	err = d.writer.Do(ctx, f)
	if isUnwritable(err) {
		// For Ping. A later success does not clear it: a small write may fit on a full disk.
		d.unwritable.Store(true)
	}
	return err
}

// transact runs a group in one transaction.
func (w *groupWriter) transact(group []*engine.Job) (err error) {
	defer func() { w.db.search.settle(err == nil) }()
	w.Begin(engine.Beginning)
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
		if !job.Start() {
			continue
		}
		if engine.ReadsFigures(job.Ctx) {
			if err := applyFigures(ctx, begin(), all.Figures); err != nil {
				return err
			}
			all.Figures = nil
		}
		own := begin()
		run := w.inSavepoint
		if engine.IsLongWrite(job.Ctx) {
			run = w.alone
		}
		if err := run(ctx, own, job); err != nil {
			return err
		}
		if job.Err == nil {
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
	w.Begin("a commit")
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
func (w *groupWriter) alone(_ context.Context, tx *engine.Tx, job *engine.Job) error {
	w.Idle()
	return job.Run(context.WithoutCancel(job.Ctx), tx)
}

// inSavepoint runs a job. It returns an error only if the shared transaction is lost.
func (w *groupWriter) inSavepoint(ctx context.Context, tx *engine.Tx, job *engine.Job) error {
	w.Begin("a write")
	if _, err := tx.DB.ExecContext(ctx, engine.Savepoint); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	own, cancel := engine.WithWriteTimeout(context.WithoutCancel(job.Ctx), w.timeout)
	defer cancel()
	if err := job.Run(own, tx); err != nil {
		w.db.search.settle(false)
		if _, undo := tx.DB.ExecContext(ctx, engine.Undo); undo != nil {
			return fmt.Errorf("undo: %w", errors.Join(undo, err))
		}
	}
	if _, err := tx.DB.ExecContext(ctx, engine.Release); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}
