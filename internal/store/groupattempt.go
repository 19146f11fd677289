package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
)

// once fills in the answers; where it returns an error, nothing was written, or
// nobody knows.
func (t *together[N, R]) once(ctx context.Context, jobs []*job[request[N, R]], answers []error) (err error) {
	conn, err := t.store.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	g := &groupAttempt[N, R]{conn: conn, write: t.begin(), jobs: jobs, answers: answers}
	if err := g.decide(ctx); err != nil || len(g.open) == 0 {
		return unwritten(err)
	}
	committed := false
	defer func() {
		if !committed {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // see writeOnce
		}
	}()
	if err := g.settle(ctx); err != nil || len(g.open) == 0 {
		return unwritten(err)
	}
	if err := g.store(ctx); err != nil || len(g.open) == 0 {
		return unwritten(err)
	}
	tx, batch := &Tx{conn: conn, store: t.store}, &pgx.Batch{}
	g.write.leave(tx)
	g.limits.put(batch)
	if err := tx.commit(ctx, batch); err != nil {
		return err
	}
	committed = true
	t.store.log.wake()
	return nil
}

type groupAttempt[N, R any] struct {
	conn    *sql.Conn
	write   groupWrite[N, R]
	limits  groupLimits
	jobs    []*job[request[N, R]]
	answers []error
	rows    []R
	open    []int // whose answers hang on the transaction
}

func (g *groupAttempt[N, R]) use(i int) limit.Use { return g.jobs[i].of.use }

func (g *groupAttempt[N, R]) uses() []limit.Use {
	uses := make([]limit.Use, len(g.open))
	for n, i := range g.open {
		uses[n] = g.use(i)
	}
	return uses
}

// keep leaves open who is not answered otherwise.
func (g *groupAttempt[N, R]) keep(answered func(i int) error) {
	g.open = slices.DeleteFunc(g.open, func(i int) bool {
		g.answers[i] = answered(i)
		return g.answers[i] != nil
	})
}

// decide reads. Who is refused then costs no write, nor a transaction.
func (g *groupAttempt[N, R]) decide(ctx context.Context) error {
	found := map[string]N{}
	ids := make([]string, len(g.jobs))
	for i, j := range g.jobs {
		ids[i], g.open = j.of.id, append(g.open, i)
	}
	batch := &pgx.Batch{}
	g.write.find(batch, ids, found)
	g.limits.read(batch, g.uses())
	if err := sendOn(ctx, g.conn, batch); err != nil {
		return err
	}
	g.rows = make([]R, len(g.jobs))
	g.keep(func(i int) (err error) {
		if g.rows[i], err = decided(g.jobs[i].of, found); err != nil {
			return err
		}
		return g.limits.refuse(g.use(i))
	})
	return nil
}

// settle begins the transaction and locks.
func (g *groupAttempt[N, R]) settle(ctx context.Context) error {
	rows := make([]R, len(g.open))
	for n, i := range g.open {
		rows[n] = g.rows[i]
	}
	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	batch.Queue(boundLocks)
	g.limits.take(batch, g.uses())
	g.write.take(batch, rows)
	if err := sendOn(ctx, g.conn, batch); err != nil {
		return err
	}
	g.keep(func(i int) error {
		if err := g.limits.room(g.use(i)); err != nil {
			return err
		}
		err := g.write.settle(g.rows[i])
		if err == nil {
			g.limits.ask(g.use(i))
		}
		return err
	})
	return nil
}

// store writes rows, and counts those that are stored.
func (g *groupAttempt[N, R]) store(ctx context.Context) error {
	batch := &pgx.Batch{}
	g.write.write(batch)
	if err := sendOn(ctx, g.conn, batch); err != nil {
		return err
	}
	g.keep(func(i int) error {
		err := g.write.written(g.rows[i])
		if err == nil {
			g.limits.count(g.use(i))
		}
		return err
	})
	return nil
}

// decided is what a request makes of what was found. A panic is its own error:
// the lane serves everybody.
func decided[N, R any](r request[N, R], found map[string]N) (row R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write: %v", p)
		}
	}()
	noun, there := found[r.id]
	if !there {
		return row, studycircle.ErrNotFound
	}
	return r.decide(noun)
}

// unwritten lets a connection that is lost before anything was written count as
// one that was dead in the pool: another one is tried.
func unwritten(err error) error {
	if _, lost := errors.AsType[connectionLost](err); lost {
		return errors.Join(driver.ErrBadConn, err)
	}
	return err
}

// eachRow reads rows into structs, column by column.
func eachRow[T any](f func(T)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
		for _, row := range all {
			f(row)
		}
		return err
	}
}
