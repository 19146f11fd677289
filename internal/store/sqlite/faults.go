package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"studycircle/internal/store/engine"
)

// Fault implements engine.Faults.
func (*DB) Fault(err error) engine.Fault {
	if err == nil {
		return engine.NoFault
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, errFileGone) || errors.Is(err, errFileHidden) || errors.Is(err, engine.ErrStalled) {
		return engine.Unavailable
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO) {
		return engine.Unavailable // of a file that Go opened
	}
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
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
	if errors.Is(err, errFileGone) || errors.Is(err, errFileHidden) {
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

// codeOf returns the primary code of an SQLite error, 0 for other errors.
func codeOf(err error) int {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() & 0xff
	}
	return 0
}

// Trouble implements engine.Faults.
func (d *DB) Trouble(err error) engine.Trouble {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return engine.Trouble{}
	}
	code := codeOf(err)
	switch {
	case code == sqlite3.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return engine.Trouble{
			Wrong: "the disk of the database is full", Do: "Free space for " + d.dir + "; the server continues by itself.",
		}
	case errors.Is(err, syscall.EROFS):
		return engine.Trouble{
			Wrong: "the disk of the database is read-only",
			Do:    "Mount the disk of " + d.dir + " for writing, or correct --data; the server continues by itself.",
		}
	case code == sqlite3.SQLITE_READONLY, code == sqlite3.SQLITE_CANTOPEN, errors.Is(err, fs.ErrPermission):
		return engine.Trouble{
			Wrong: "the server's user may not use the data folder",
			Do: "Let user " + strconv.Itoa(os.Geteuid()) + " read and write " + d.dir + " and the files in it (chown, " +
				"chmod), or correct --data.",
		}
	case errors.Is(err, errFileGone):
		return engine.Trouble{
			Wrong: "the database's file was removed or written over",
			Do:    "Stop the server, and restore the last backup into an empty folder in place of " + d.dir + ".",
		}
	case code == sqlite3.SQLITE_CORRUPT, code == sqlite3.SQLITE_NOTADB:
		return engine.Trouble{
			Lasting: true,
			Wrong:   "the database is damaged",
			Do:      "Stop the server, keep a copy of " + d.dir + ", and restore the last backup into an empty folder.",
		}
	case code == sqlite3.SQLITE_BUSY, code == sqlite3.SQLITE_LOCKED, errors.Is(err, engine.ErrLocked):
		return engine.Trouble{
			Wrong: "another program writes to the database for long",
			Do: "Wait for it, for example studycircle import, or end it: it has open " + filepath.Join(
				d.dir, fileName,
			) + ". The server continues by itself.",
		}
	case code == sqlite3.SQLITE_IOERR, errors.Is(err, syscall.EIO), errors.Is(err, engine.ErrStalled):
		return engine.Trouble{
			Wrong: "the disk of the database refuses reads or writes",
			Do: "Look at the disk of " + d.dir + " in the system's log, and at quotas and limits of file sizes; the server " +
				"continues by itself.",
		}
	}
	return engine.Trouble{}
}
