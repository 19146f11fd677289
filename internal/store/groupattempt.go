package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

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
	if left, err := g.settle(ctx); err != nil || !left {
		return unwritten(err)
	}
	tx, batch := &Tx{conn: conn, store: t.store}, &pgx.Batch{}
	g.write.write(tx, batch)
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
	open    []int // whose answers hang on the transaction
	rows    []R   // what those want written
	uses    []limit.Use
}

// decide reads, and leaves open who is not refused. The others cost no write, nor
// a transaction.
func (g *groupAttempt[N, R]) decide(ctx context.Context) error {
	found := map[string]N{}
	ids, uses := make([]string, len(g.jobs)), make([]limit.Use, len(g.jobs))
	for i, j := range g.jobs {
		ids[i], uses[i] = j.of.id, j.of.use
	}
	batch := &pgx.Batch{}
	g.write.find(batch, ids, found)
	g.limits.read(batch, uses)
	if err := sendOn(ctx, g.conn, batch); err != nil {
		return err
	}
	for i, j := range g.jobs {
		row, err := decided(j.of, found)
		if err == nil {
			err = g.limits.refuse(uses[i])
		}
		if g.answers[i] = err; err == nil {
			g.open, g.rows, g.uses = append(g.open, i), append(g.rows, row), append(g.uses, uses[i])
		}
	}
	return nil
}

// settle begins the transaction, locks, and tells whether there is anything left
// to write.
func (g *groupAttempt[N, R]) settle(ctx context.Context) (left bool, err error) {
	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	batch.Queue(boundLocks)
	g.limits.take(batch, g.uses)
	g.write.take(batch, g.rows)
	if err := sendOn(ctx, g.conn, batch); err != nil {
		return false, err
	}
	for n, i := range g.open {
		err := g.limits.room(g.uses[n])
		if err == nil {
			err = g.write.settle(g.rows[n])
		}
		if g.answers[i] = err; err == nil {
			g.limits.count(g.uses[n])
			left = true
		}
	}
	return left, nil
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
