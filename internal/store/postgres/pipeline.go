package postgres

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// pipeline is the connection of a transaction. It queues BEGIN and statements whose
// results no caller reads, and sends them with the next statement that returns a result,
// at the latest with COMMIT: each would be a round trip.
type pipeline struct {
	conn   *sql.Conn
	queued *pgx.Batch
	begun  bool // BEGIN was sent
	// unanswered counts the queued statements without an answer; failed is the first error among the answers.
	unanswered int
	failed     error
}

func begin(conn *sql.Conn) *pipeline {
	p := &pipeline{conn: conn, queued: &pgx.Batch{}}
	p.queue("BEGIN")
	return p
}

func (p *pipeline) queue(text string, args ...any) {
	p.unanswered++
	p.queued.Queue(text, args...).Exec(func(pgconn.CommandTag) error {
		p.unanswered--
		return nil
	})
}

// ask queues a query, whose rows flush gives to sink.
func (p *pipeline) ask(sink engine.Sink, text string, args ...any) {
	p.unanswered++
	read := into(sink, math.MaxInt64)
	p.queued.Queue(text, args...).Query(func(rows pgx.Rows) error {
		err := read(rows)
		if err == nil {
			p.unanswered--
		}
		return err
	})
}

// flush sends the queued statements.
func (p *pipeline) flush(ctx context.Context) error {
	if p.failed != nil || p.queued.Len() == 0 {
		return p.failed
	}
	batch, first := p.queued, !p.begun
	p.queued, p.begun = &pgx.Batch{}, true
	err := sendOn(context.WithoutCancel(ctx), p.conn, batch)
	if first {
		err = unwritten(err)
	}
	if p.unanswered > 0 {
		p.failed = err
	}
	return err
}

// ExecContext implements db.DBTX. Like the other methods, it does not watch ctx: see interruptedBy.
func (p *pipeline) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	ctx = context.WithoutCancel(ctx)
	if p.queued.Len() == 0 {
		return p.conn.ExecContext(ctx, text, args...)
	}
	var r result
	p.queued.Queue(text, args...).Exec(func(tag pgconn.CommandTag) error {
		r.tag = tag
		return nil
	})
	err := p.flush(ctx)
	return r, err
}

// QueryContext implements db.DBTX.
func (p *pipeline) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	ctx = context.WithoutCancel(ctx)
	if err := p.flush(ctx); err != nil {
		return nil, err
	}
	return p.conn.QueryContext(ctx, text, args...)
}

// QueryRowContext implements db.DBTX. It fails if a queued statement fails: the transaction is lost.
func (p *pipeline) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	ctx = context.WithoutCancel(ctx)
	_ = p.flush(ctx)
	return p.conn.QueryRowContext(ctx, text, args...)
}

// PrepareContext implements db.DBTX.
func (p *pipeline) PrepareContext(ctx context.Context, text string) (*sql.Stmt, error) {
	ctx = context.WithoutCancel(ctx)
	if err := p.flush(ctx); err != nil {
		return nil, err
	}
	return p.conn.PrepareContext(ctx, text)
}

// later returns the queue for statements without results.
func (p *pipeline) later() engine.Later {
	l := unawaited{p}
	return engine.Later{Queries: db.New(l), DB: l}
}

// unawaited queues statements without results.
type unawaited struct{ *pipeline }

// maxQueued bounds the memory of the queue.
const maxQueued = 256

// ExecContext implements db.DBTX.
func (u unawaited) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	u.queue(text, args...)
	if u.queued.Len() >= maxQueued {
		return result{pending: true}, u.flush(ctx)
	}
	return result{pending: true}, nil
}

// result is the result of a statement in a batch.
type result struct {
	tag     pgconn.CommandTag
	pending bool
}

var errPending = errors.New("the statement is queued and has not been sent")

// LastInsertId implements sql.Result.
func (result) LastInsertId() (int64, error) {
	return 0, errors.New("PostgreSQL tells that by RETURNING")
}

// RowsAffected implements sql.Result.
func (r result) RowsAffected() (int64, error) {
	if r.pending {
		return 0, errPending
	}
	return r.tag.RowsAffected(), nil
}

// interruptedBy makes I/O on conn fail when ctx is done. Call lift to stop it; lift returns ctx.Err() if it fired.
// The statements between run without ctx's end: with it, database/sql and pgx would each start a goroutine for every
// statement, which costs as much as a small statement.
func interruptedBy(ctx context.Context, conn *sql.Conn) (lift func() error, err error) {
	var network net.Conn
	err = withPgx(conn, func(c *pgx.Conn) error {
		network = c.PgConn().Conn()
		return nil
	})
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = network.SetDeadline(time.Unix(1, 0)) // a closed connection has no reader
	})
	return func() error {
		if stop() {
			return nil
		}
		<-done
		_ = network.SetDeadline(time.Time{})
		return ctx.Err()
	}, nil
}
