package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	raw "zombiezen.com/go/sqlite"

	"studycircle/internal/store/engine"
)

// Fault implements engine.Faults.
func (*DB) Fault(err error) engine.Fault {
	if err == nil {
		return engine.NoFault
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, errFileGone) || errors.Is(err, errStalled) {
		return engine.Unavailable
	}
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		if raw.ErrCode(err).ToPrimary() != raw.ResultError {
			return engine.Unavailable // only reads return it: the database is at fault
		}
		return engine.NoFault
	}
	switch lite.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return engine.Unique
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return engine.Reference
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN:
		return engine.Unavailable
	}
	if isUnwritable(err) {
		return engine.Unavailable
	}
	return engine.NoFault
}

// isUnwritable reports whether the database refuses all writes for now: its disk is
// full, read-only or broken, or its file is gone or no database any more.
func isUnwritable(err error) bool {
	if errors.Is(err, errFileGone) {
		return true
	}
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}
