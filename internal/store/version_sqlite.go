package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// sqliteVersions watches the WAL index, the memory that all processes with the
// database open share (https://www.sqlite.org/walformat.html, 2.1): each commit,
// of any process, changes its header after the log is on disk and before the
// writer hears of it. Where the memory cannot be looked at, it asks for PRAGMA
// data_version, which reads the same header.
//
// Its connection stays open for as long as the store, and so the shared memory:
// SQLite takes that away with the last connection.
type sqliteVersions struct {
	conn   *sql.Conn
	memory *sharedMemory
	pragma *shared[state]
}

// newSQLiteVersions takes a connection over. memory may be nil.
func newSQLiteVersions(ctx context.Context, conn *sql.Conn, open func() (*sharedMemory, error)) (*sqliteVersions, error) {
	v := &sqliteVersions{conn: conn}
	v.pragma = newShared(v.ask)
	// The first read makes SQLite open the shared memory.
	if _, err := v.pragma.get(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	var err error
	if v.memory, err = open(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return v, nil
}

func (v *sqliteVersions) now(ctx context.Context) (state, error) {
	if v.memory != nil {
		return state{header: v.memory.header()}, nil
	}
	return v.pragma.get(ctx)
}

// told is a version by its number and by SQLite's own count of commits.
type told struct {
	number  uint64
	commits uint32
}

// told tells the version where what is kept of one can be brought to the next.
func (s *Store) told() (now told, carries bool) {
	v, own := s.versions.(*sqliteVersions)
	if !own || v.memory == nil {
		return told{}, false
	}
	header := v.memory.header()
	return told{s.number(state{header: header}), header.commits()}, true
}

func (v *sqliteVersions) ask() (answer state, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	err = v.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&answer.snapshot)
	return answer, err
}

// autoCheckpoint is the length of the log, in pages, from which each commit tries
// to save it in the database, so that it can begin anew: SQLite's default.
const autoCheckpoint = 1000

// logMayGrow tells whether nobody waits for readers to leave, to save the log or
// to begin it anew.
func (v *sqliteVersions) logMayGrow() bool {
	if v.memory == nil {
		return false // nobody knows
	}
	length, saved := v.memory.log()
	return length < autoCheckpoint || saved == length
}

// logSaved tells whether all of the log is in the database. A transaction that
// begins then does not look for each page in the log first.
func (v *sqliteVersions) logSaved() bool {
	if v.memory == nil {
		return false
	}
	length, saved := v.memory.log()
	return saved == length
}

// calmBeforeSave is for how long nobody must have committed before the log is saved:
// while somebody does, SQLite saves it every autoCheckpoint pages.
const calmBeforeSave = time.Second

// saveLog saves the log whenever nobody has committed for a while, until ctx ends.
func (v *sqliteVersions) saveLog(ctx context.Context, s *Store) {
	if v.memory == nil {
		return
	}
	s.whenCalm(ctx, calmBeforeSave, "SQLite's log stays as long as it is; nothing is lost", func(ctx context.Context, _ uint64) error {
		if v.logSaved() {
			return nil
		}
		return v.save(ctx)
	})
}

// save copies of the log into the database what no reader keeps it from. It waits
// for nobody, and whoever reads or writes meanwhile does not wait for it.
func (v *sqliteVersions) save(ctx context.Context) error {
	_, err := v.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

// close leaves the memory open: see release.
func (v *sqliteVersions) close() error {
	v.pragma.wait()
	if err := v.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

// release lets go of the shared memory, once all connections of the store are
// closed: a process that closes a file loses its POSIX locks on it, also those
// that SQLite took by another descriptor.
func (v *sqliteVersions) release() error {
	if v.memory == nil {
		return nil
	}
	return v.memory.close()
}
