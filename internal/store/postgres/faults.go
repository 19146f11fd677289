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

// isClosed reports whether the connection was closed, by PostgreSQL or on the way: 57P01 is the end of one backend.
func isClosed(err error) bool {
	return errors.Is(err, driver.ErrBadConn) || isCode(err, "57P01") || isNetwork(err) && !pgconn.Timeout(err)
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Trouble implements engine.Faults.
func (*DB) Trouble(err error) engine.Trouble {
	switch {
	case err == nil, errors.Is(err, context.Canceled), isLocked(err), isCode(err, "57014"):
		return engine.Trouble{} // 57014 is a cancelled statement
	case isCode(err, "53100"):
		return engine.Trouble{
			Wrong: "the disk of PostgreSQL is full", Do: "Free space on its machine; the server continues by itself.",
		}
	case isUnwritable(err):
		return engine.Trouble{
			Wrong: "the disk of PostgreSQL refuses reads or writes",
			Do:    "Look at PostgreSQL's log; the server continues by itself.",
		}
	case isReadOnly(err):
		return engine.Trouble{
			Wrong: "PostgreSQL is read-only",
			Do:    "Promote the standby, or name the primary in --database; the server continues by itself.",
		}
	case isCode(err, "53300"):
		return engine.Trouble{
			Wrong: "PostgreSQL has no connection left",
			Do:    "Raise its max_connections, or run fewer nodes; the server continues by itself.",
		}
	case isCode(err, "28000", "28P01", "3D000"):
		return engine.Trouble{
			Wrong: "PostgreSQL refuses the sign-in",
			Do:    "Correct the user, the password or the name of the database in --database.",
		}
	case errors.Is(err, context.DeadlineExceeded) && !isConnecting(err):
		return engine.Trouble{} // one slow statement
	case isUnavailable(err):
		return engine.Trouble{
			Wrong: "PostgreSQL does not answer",
			Do:    "Start PostgreSQL, let this machine reach it, or correct --database; the server continues by itself.",
		}
	}
	return engine.Trouble{}
}

func isConnecting(err error) bool {
	_, is := errors.AsType[*pgconn.ConnectError](err)
	return is
}
