package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// maxAttempts is the most runs of a transaction that PostgreSQL aborts.
const maxAttempts = 5

// Write implements engine.Writer.
func (d *DB) Write(ctx context.Context, f func(context.Context, *engine.Tx) error) error {
	ctx, err := engine.EnterWrite(ctx)
	if err != nil {
		return err
	}
	if grouped(ctx) {
		if err := d.group.Do(ctx, f); !isAlone(err) {
			return d.noteUnwritable(err)
		}
	}
	return d.noteUnwritable(retried(ctx, func() error { return d.writeOnce(ctx, f) }))
}

// retried runs a transaction again after a conflict or a dead connection. After a conflict it pauses, a random time
// that grows, so that the same transactions do not meet again.
func retried(ctx context.Context, once func() error) (err error) {
	for attempt := range maxAttempts {
		// A pooled connection that is dead has done nothing yet.
		if err = once(); !isConflict(err) && !errors.Is(err, driver.ErrBadConn) {
			break
		}
		if !isConflict(err) {
			continue
		}
		select {
		case <-time.After(rand.N(conflictPause << attempt)): //nolint:gosec // a pause, and no secret
		case <-ctx.Done():
			return err
		}
	}
	return err
}

// conflictPause is the longest first pause after a conflict.
const conflictPause = 10 * time.Millisecond

// unwritten makes a connection lost before the first write count as one that was dead in the pool, so that another
// one is tried.
func unwritten(err error) error {
	if _, lost := errors.AsType[connectionLost](err); lost {
		return errors.Join(driver.ErrBadConn, err)
	}
	return err
}

func (d *DB) writeOnce(ctx context.Context, f func(context.Context, *engine.Tx) error) (err error) {
	ctx, cancel := engine.WithWriteTimeout(ctx, d.writeTimeout)
	defer cancel()
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	interrupted, err := interruptedBy(ctx, conn)
	if err != nil {
		return err
	}
	defer func() {
		left := interrupted()
		if err != nil { // a commit stands although the caller has left
			err = errors.Join(left, err)
		}
	}()
	p := begin(conn)
	committed := false
	defer func() {
		if !committed && p.begun {
			rollback(ctx, conn)
		}
	}()
	tx := &engine.Tx{Queries: db.New(p), DB: p, Later: p.later(), Engine: d, Native: p}
	err = f(ctx, tx)
	if p.failed != nil { // f's error follows from the lost transaction
		err = p.failed
	}
	if err != nil {
		return err
	}
	queueSearch(p.queued, tx)
	if err := commit(context.WithoutCancel(ctx), conn, &tx.Effects, p.queued); err != nil {
		return err
	}
	committed = true
	if d.committed != nil {
		d.committed(1)
	}
	if len(tx.Events) > 0 {
		d.events.wake()
	}
	return nil
}

// rollback ends a transaction, also if its function panics: otherwise its locks would stay while the connection waits
// in the pool. If rolling back fails, the connection does not return to the pool.
func rollback(ctx context.Context, conn *sql.Conn) {
	_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
}

// insertCountsAndEvents leaves counts for FoldCounts: with one row for each counter every writer would wait for the
// one before.
const insertCountsAndEvents = `
WITH counted AS (
	INSERT INTO page_deltas (scope, block, n, total)
	SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]), CAST($4 AS BIGINT[]))
		AS d (scope, block, n, total)
	WHERE d.n <> 0 OR d.total <> 0
)
INSERT INTO events (changes) SELECT $5 WHERE $5 <> ''`

// insertNotices stores the notices for delivery.
var insertNotices = "INSERT INTO notices (" + names(
	&tables.Notices.Shape, tables.Notices.Inserted, "",
) + ") SELECT * FROM " +
	given(&tables.Notices.Shape, tables.Notices.Inserted, 1)

// insertLinks schedules checks of links. Earlier results were another link's. The arrays come from queries of their
// own, so that PostgreSQL, which cannot see their lengths, keeps one plan.
const insertLinks = `
INSERT INTO link_checks (id, look_at)
SELECT l.id, l.at FROM unnest((SELECT CAST($1 AS TEXT[])), (SELECT CAST($2 AS BIGINT[]))) AS l (id, at)
WHERE (SELECT s.seq FROM submissions s WHERE s.id = l.id LIMIT 1) IS NOT NULL
ON CONFLICT (id) DO UPDATE SET look_at = excluded.look_at, result = '', checked_at = NULL, names = FALSE`

// commit sends queued statements, counts, events, notices, links and COMMIT at once: each would be a round trip.
func commit(ctx context.Context, conn *sql.Conn, e *engine.Effects, batch *pgx.Batch) error {
	if len(e.Counts)+len(e.Figures)+len(e.Events) > 0 {
		var scopes []string
		var blocks, sums, totals []int64
		add := func(k pages.Key, n, total int64) {
			scopes, blocks, sums, totals = append(scopes, string(k.Scope)), append(blocks, k.Block), append(sums, n),
				append(totals, total)
		}
		for k, n := range e.Counts {
			add(k, n, 0)
		}
		for k, change := range e.Figures {
			add(k, change.N, change.Total)
		}
		batch.Queue(insertCountsAndEvents, scopes, blocks, sums, totals, engine.EventLines(e.Events))
	}
	queueNotices(batch, e)
	if len(e.Links) > 0 {
		ids, at := make([]string, len(e.Links)), make([]int64, len(e.Links))
		for i, l := range e.Links {
			ids[i], at[i] = l.SubmissionID, l.At.UnixMicro()
		}
		batch.Queue(insertLinks, ids, at)
	}
	batch.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() != "COMMIT" {
			return pgx.ErrTxCommitRollback // a statement had failed before, and its error was ignored
		}
		return nil
	})
	return sendOn(ctx, conn, batch)
}

// queueNotices queues the notices of e.
func queueNotices(batch *pgx.Batch, e *engine.Effects) {
	if len(e.Notices) > 0 {
		batch.Queue(insertNotices, arrays(tables.Notices, tables.Notices.Inserted, e.Notices)...)
		e.Notices = nil
	}
}

func sendOn(ctx context.Context, conn *sql.Conn, batch *pgx.Batch) error {
	return withPgx(conn, func(c *pgx.Conn) error { return sendBatch(ctx, c, batch) })
}

// withPgx runs f on pgx's connection itself.
func withPgx(conn *sql.Conn, f func(*pgx.Conn) error) error {
	return conn.Raw(func(driverConn any) error {
		c, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a connection of pgx was expected and not %T", driverConn)
		}
		return f(c.Conn())
	})
}

// native returns the engine's form of one of its transactions.
func native(tx *engine.Tx) *pipeline {
	own, _ := tx.Native.(*pipeline) // writeOnce has put it there
	return own
}

// onConnection runs f on the connection of a transaction, after its queued statements.
func onConnection(ctx context.Context, tx *engine.Tx, f func(*pgx.Conn) error) error {
	p := native(tx)
	if err := p.flush(ctx); err != nil {
		return err
	}
	return withPgx(p.conn, f)
}

// sendBatch sends a batch and reads all its results.
func sendBatch(ctx context.Context, c *pgx.Conn, batch *pgx.Batch) error {
	err := c.SendBatch(ctx, batch).Close()
	if err != nil && c.IsClosed() {
		return connectionLost{err}
	}
	return err
}

// joinTx lets the job queue write in our transaction.
func joinTx(ctx context.Context, tx *engine.Tx) (joined pgx.Tx, err error) {
	err = onConnection(ctx, tx, func(c *pgx.Conn) error {
		joined = joinedTx{c}
		return nil
	})
	return joined, err
}

type pgxConn = pgx.Conn

// joinedTx is a transaction that its owner ends.
type joinedTx struct{ *pgxConn }

var errNotOurs = errors.New("only the beginner of the transaction may end it")

// Begin implements pgx.Tx.
func (joinedTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotOurs }

// Commit implements pgx.Tx.
func (joinedTx) Commit(context.Context) error { return errNotOurs }

// Rollback implements pgx.Tx.
func (joinedTx) Rollback(context.Context) error { return errNotOurs }

// LargeObjects implements pgx.Tx.
func (joinedTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Conn implements pgx.Tx.
func (t joinedTx) Conn() *pgx.Conn { return t.pgxConn }
