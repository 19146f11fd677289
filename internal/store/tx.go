package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"studycircle/internal/store/db"
)

// Tx is one transaction that writes. It is used by one goroutine, within the
// function it was given to.
type Tx struct {
	query *db.Queries
	raw   db.DBTX   // what query runs on
	lite  *sql.Tx   // the same on SQLite
	conn  *sql.Conn // the same on PostgreSQL
	store *Store
	bulks map[bulkKey]*sql.Stmt // prepared for this transaction
	effects
}

// maxAttempts is how often a transaction is run that PostgreSQL gives up.
const maxAttempts = 5

// Write runs f in one transaction and returns once it is durable. An error of f
// undoes everything f did and is returned. f may run more than once, so it must
// not keep anything from a run that failed.
func (s *Store) Write(ctx context.Context, f func(context.Context, *Tx) error) error {
	var err error
	if s.writer != nil {
		err = s.writer.do(ctx, f)
	} else {
		err = retried(func() error { return s.writeOnce(ctx, f) })
	}
	s.heed(err)
	return classify(err)
}

// heed remembers for Ping that the database takes no writes. That a further one
// succeeds says little: a small one may find room on a disk that is full.
func (s *Store) heed(err error) {
	if isUnwritable(err) {
		s.unwritable.Store(true)
	}
}

// retried runs a transaction again that came to nothing through nobody's fault.
func retried(once func() error) (err error) {
	for range maxAttempts {
		// A pooled connection that turns out to be dead has done nothing yet.
		if err = once(); !isConflict(err) && !errors.Is(err, driver.ErrBadConn) {
			break
		}
	}
	return err
}

// writeOnce is a transaction of PostgreSQL's.
func (s *Store) writeOnce(ctx context.Context, f func(context.Context, *Tx) error) (err error) {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	committed := false
	defer func() {
		// Also where f panics: what it locked must not stay so while the connection
		// waits in the pool. Where even this fails, it does not go back there.
		if !committed {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	tx := &Tx{query: db.New(conn), raw: conn, conn: conn, store: s}
	err = f(ctx, tx)
	if err == nil {
		err = tx.applySearch(ctx, tx)
	}
	for _, statement := range tx.bulks {
		err = errors.Join(err, statement.Close())
	}
	if err == nil {
		err = tx.commit(ctx, &pgx.Batch{})
	}
	if err != nil {
		return err
	}
	committed = true
	if len(tx.events) > 0 {
		s.log.wake()
	}
	return nil
}

// leaveToDo writes counts and events.
const leaveToDo = `
WITH counted AS (
	INSERT INTO page_deltas (scope, block, n)
	SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[])) AS d (scope, block, n) WHERE d.n <> 0
)
INSERT INTO events (changes) SELECT $4 WHERE $4 <> ''`

// commit sends what is queued, counts, events and COMMIT at once: each would be a
// round trip.
func (tx *Tx) commit(ctx context.Context, batch *pgx.Batch) error {
	if len(tx.counts)+len(tx.events) > 0 {
		var scopes []string
		var blocks, sums []int64
		for k, n := range tx.counts {
			scopes, blocks, sums = append(scopes, string(k.scope)), append(blocks, k.block), append(sums, n)
		}
		batch.Queue(leaveToDo, scopes, blocks, sums, changesOf(tx.events))
	}
	batch.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() != "COMMIT" {
			return pgx.ErrTxCommitRollback // a statement had failed before, and nobody minded
		}
		return nil
	})
	return sendOn(ctx, tx.conn, batch)
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

// connectionLost is what went wrong where the connection went away meanwhile: pgx
// has many words for that, some of which name neither the network nor the server.
type connectionLost struct{ error }

func (l connectionLost) Unwrap() error { return l.error }

// sendBatch runs a batch to its end.
func sendBatch(ctx context.Context, c *pgx.Conn, batch *pgx.Batch) error {
	err := c.SendBatch(ctx, batch).Close()
	if err != nil && c.IsClosed() {
		return connectionLost{err}
	}
	return err
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
