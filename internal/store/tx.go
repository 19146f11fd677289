package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"studycircle/internal/store/db"
)

// Tx is one transaction that writes. It is used by one goroutine, within the
// function it was given to.
type Tx struct {
	query *db.Queries
	raw   *sql.Tx
	conn  *sql.Conn // PostgreSQL's that raw runs on
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
	if s.writer != nil {
		return classify(s.writer.do(ctx, f))
	}
	return classify(retried(func() error { return s.writeOnce(ctx, f) }))
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

func (s *Store) writeOnce(ctx context.Context, f func(context.Context, *Tx) error) (err error) {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	raw, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if rollback := raw.Rollback(); !errors.Is(rollback, sql.ErrTxDone) {
				err = errors.Join(err, rollback)
			}
		}
	}()
	tx := &Tx{query: s.query.WithTx(raw), raw: raw, conn: conn, store: s}
	if err := f(ctx, tx); err != nil {
		return err
	}
	if err := tx.apply(ctx, tx); err != nil {
		return err
	}
	if err := raw.Commit(); err != nil {
		return err
	}
	if len(tx.events) > 0 {
		s.log.wake()
	}
	return nil
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
