package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	raw "zombiezen.com/go/sqlite"

	"studycircle"
)

// classify turns what a driver says into the product's words, by code and never
// by message text. A cancelled request stays a cancelled request.
func classify(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return studycircle.ErrNotFound
	}
	if _, known := errors.AsType[*studycircle.Error](err); known {
		return err
	}
	if isUnavailable(err) {
		return &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "The database is away for a moment. Please try again.",
			RetryAfter: 2 * time.Second, Err: err,
		}
	}
	return err
}

// isUnique tells whether err is a broken UNIQUE or PRIMARY KEY rule.
func isUnique(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "23505"
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		code := lite.Code()
		return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

// isForeignKey tells whether err is a reference to a row that is not there.
func isForeignKey(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "23503"
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
	}
	return false
}

// isConflict tells whether PostgreSQL gave up a transaction that may succeed
// when it is run again: a serialization failure or a deadlock.
func isConflict(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "40001" || pg.Code == "40P01")
}

// isUnwritable tells whether the database refuses all writes for now: its disk is
// full, read-only or broken. PostgreSQL is read-only while a standby takes over: that
// ends by itself.
func isUnwritable(err error) bool {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY:
			return true
		}
		return false
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "53100" || pg.Code == "58030") // disk full, I/O error
}

// isUnavailable tells whether the database, rather than the request, is the trouble.
func isUnavailable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return true
	}
	if _, lost := errors.AsType[connectionLost](err); lost {
		return true
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
			sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	if raw.ErrCode(err).ToPrimary() != raw.ResultError {
		return true // reads alone come this way: what fails is the database
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		// Whatever else pgx says is the connection's trouble: refused, reset, closed.
		_, connect := errors.AsType[*pgconn.ConnectError](err)
		return connect || pgconn.SafeToRetry(err) || pgconn.Timeout(err) || isNetwork(err)
	}
	switch pg.Code[:2] {
	case "08", "53", "57": // connection, resources, operator intervention
		return true
	}
	return pg.Code == "25006" // read only: a standby that was asked to write
}
