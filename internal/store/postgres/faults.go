package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"studycircle/internal/store/engine"
)

// connectionLost wraps an error of a lost connection: pgx has many texts for it, some of which name neither the
// network nor the server.
type connectionLost struct{ error }

func (l connectionLost) Unwrap() error { return l.error }

// Fault implements engine.Faults.
func (*DB) Fault(err error) engine.Fault { return faultOf(err) }

func faultOf(err error) engine.Fault {
	switch {
	case err == nil:
		return engine.NoFault
	case isCode(err, "23505"):
		return engine.Unique
	case isCode(err, "23503"):
		return engine.Reference
	case isUnavailable(err):
		return engine.Unavailable
	}
	return engine.NoFault
}

func isCode(err error, codes ...string) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	for _, code := range codes {
		if ok && pg.Code == code {
			return true
		}
	}
	return false
}

// isConflict reports whether PostgreSQL aborted a transaction that may succeed when it runs again: a serialization
// failure or a deadlock.
func isConflict(err error) bool { return isCode(err, "40001", "40P01") }

// isLocked reports whether a statement waited too long for another transaction's lock.
func isLocked(err error) bool { return isCode(err, "55P03") }

// isUnwritable reports whether the database refuses all writes for now: its disk is
// full or broken.
func isUnwritable(err error) bool { return isCode(err, "53100", "58030") }

// isReadOnly reports a standby that was asked to write, or a read-only setting.
func isReadOnly(err error) bool { return isCode(err, "25006") }

// isUnavailable reports whether the fault is the database's, not the request's.
func isUnavailable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return true
	}
	if _, lost := errors.AsType[connectionLost](err); lost {
		return true
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		// Any other error of pgx is the connection's: refused, reset, closed.
		_, connect := errors.AsType[*pgconn.ConnectError](err)
		return connect || pgconn.SafeToRetry(err) || pgconn.Timeout(err) || isNetwork(err)
	}
	switch pg.Code[:2] {
	case "08", "53", "57", "58": // connection, resources, operator intervention, system
		return true
	}
	return isReadOnly(err) || isLocked(err)
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
