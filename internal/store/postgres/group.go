package postgres

import (
	"context"
	"errors"
	"time"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

const (
	// maxGroup bounds the writes that share a transaction. PostgreSQL keeps up to 64 savepoints of
	// a transaction in shared memory.
	maxGroup = 32
	// groupTimeout bounds a group, so that no statement keeps the next ones waiting for long.
	groupTimeout = 2 * time.Second
	// groupLockTimeout bounds the wait of a grouped statement for another transaction's lock. It is
	// far below PostgreSQL's deadlock_timeout: two groups that wait for each other part early.
	groupLockTimeout = "SET LOCAL lock_timeout = 20"
)

// errAlone is the answer to a write that did not commit with its group, through no fault of its
// own function. It runs again in a transaction of its own.
var errAlone = errors.New("the write runs alone")

// isAlone reports whether a write has to run in a transaction of its own: its group says so, or is stuck.
func isAlone(err error) bool { return errors.Is(err, errAlone) || errors.Is(err, engine.ErrStalled) }

// grouped reports whether a write may share its transaction: not one without a time limit, one
// that others would wait for, one that reads what earlier writes of its group have not stored
// yet, or one that a test pauses.
func grouped(ctx context.Context) bool {
	return !engine.IsLongWrite(ctx) && !engine.HasManyRows(ctx) && !engine.ReadsFigures(ctx) &&
		ctx.Value(engine.AtPoint{}) == nil
}

// transact runs a group of writes in one transaction. Functions may run again: a job whose group
// is lost before the commit, or that waits for a lock, gets errAlone.
func (d *DB) transact(group []*engine.Job) error {
	ctx, cancel := context.WithTimeout(context.Background(), min(groupTimeout, d.writeTimeout))
	defer cancel()
	written, err := d.transactOn(ctx, group)
	if errors.Is(err, errAlone) {
		for _, job := range group {
			job.Err = errAlone // also of those that failed: what they found may be gone
		}
	}
	if err == nil && d.committed != nil && written > 0 {
		d.committed(written)
	}
	return err
}

// transactOn runs a group and returns the number of writes that it committed.
func (d *DB) transactOn(ctx context.Context, group []*engine.Job) (written int, err error) {
	d.group.Begin(engine.Beginning)
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	p := begin(conn)
	p.queue(groupLockTimeout)
	committed := false
	defer func() {
		if !committed && p.begun {
			rollback(ctx, conn)
		}
	}()
	written, all, err := d.runJobs(ctx, p, group)
	if err != nil || written == 0 {
		return 0, err
	}
	// The commit has more time than the functions: a commit that is given up has an unknown outcome.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.writeTimeout)
	defer cancel()
	interrupted, err := interruptedBy(ctx, conn)
	if err != nil {
		return 0, err
	}
	d.group.Begin("a commit")
	err = commit(ctx, conn, &all, p.queued)
	late := interrupted()
	if err != nil {
		if _, lost := errors.AsType[connectionLost](err); lost {
			return 0, errors.Join(late, err)
		}
		return 0, errAlone
	}
	committed = true
	if len(all.Events) > 0 {
		d.events.wake()
	}
	return written, nil
}

// runJobs runs the functions of a group, each in a savepoint if there are several, and returns
// the number of those that succeeded and their effects. It returns errAlone if the transaction
// is lost.
func (d *DB) runJobs(
	ctx context.Context, p *pipeline, group []*engine.Job,
) (written int, all engine.Effects, err error) {
	interrupted, err := interruptedBy(ctx, p.conn)
	if err != nil {
		return 0, all, err
	}
	defer func() {
		if late := interrupted(); late != nil {
			err = errAlone
		}
	}()
	until, _ := ctx.Deadline()
	begin := func() *engine.Tx {
		return &engine.Tx{Queries: db.New(p), DB: p, Later: p.later(), Engine: d, Native: p}
	}
	for _, job := range group {
		if !job.Start() {
			continue
		}
		if len(group) > 1 {
			p.queue(engine.Savepoint)
		}
		own, cancel := context.WithDeadline(context.WithoutCancel(job.Ctx), until)
		tx := begin()
		d.group.Begin("a write")
		failed := job.Run(own, tx)
		cancel()
		switch {
		case p.failed != nil, ctx.Err() != nil:
			return 0, all, errAlone
		case failed == nil:
			// A later job of the group may forget them.
			queueNotices(p.queued, &tx.Effects)
			all.Take(tx.Effects)
			written++
		case isConflict(failed), isLocked(failed):
			job.Err = errAlone
		}
		if len(group) == 1 {
			break
		}
		if failed != nil {
			// At once: the next statement could not be parsed before.
			if _, err := p.ExecContext(ctx, engine.Undo); err != nil {
				return 0, all, errAlone
			}
		}
		p.queue(engine.Release)
	}
	last := begin()
	last.Effects = all
	queueSearch(p.queued, last)
	return written, last.Effects, nil
}
