package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle/internal/store/engine"
)

// versions watches the WAL index, the memory that all processes with the
// database open share (https://www.sqlite.org/walformat.html, 2.1): each commit,
// of any process, changes its header after the log is on disk and before the
// writer hears of it. Where the memory cannot be looked at, it asks for PRAGMA
// data_version, which reads the same header.
//
// Its connection stays open for as long as the store, and so the shared memory:
// SQLite takes that away with the last connection.
type versions struct {
	conn   *sql.Conn
	memory *sharedMemory
	pragma *engine.Shared[state]
}

// newVersions takes a connection over. memory may be nil.
func newVersions(ctx context.Context, conn *sql.Conn, open func() (*sharedMemory, error)) (*versions, error) {
	v := &versions{conn: conn}
	v.pragma = engine.NewShared(v.ask)
	// The first read makes SQLite open the shared memory.
	if _, err := v.pragma.Get(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	var err error
	if v.memory, err = open(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return v, nil
}

func (v *versions) now(ctx context.Context) (state, error) {
	if v.memory != nil {
		return state{header: v.memory.header()}, nil
	}
	return v.pragma.Get(ctx)
}

// state names what is committed: the shared memory's header, or what data_version says.
type state struct {
	header walHeader
	text   string
}

// walHeader is the first copy of SQLite's WAL index header: a counter of
// transactions, the log's length, its salts and checksums.
type walHeader [6]uint64

// Version implements engine.Engine. It takes some nanoseconds.
func (d *DB) Version(ctx context.Context) (uint64, error) {
	if version := engine.VersionOf(ctx); version != 0 {
		return version, nil
	}
	now, err := d.versions.now(ctx)
	if err != nil {
		return 0, err
	}
	return d.numbers.Number(now), nil
}

// commitVersion is a version by its number and by SQLite's own count of commits.
type commitVersion struct {
	number  uint64
	commits uint32
}

// commitVersion tells the version where what is kept of one can be brought to the next.
func (d *DB) commitVersion() (now commitVersion, carries bool) {
	if d.versions.memory == nil {
		return commitVersion{}, false
	}
	header := d.versions.memory.header()
	return commitVersion{d.numbers.Number(state{header: header}), header.commits()}, true
}

// CommitVersion implements pages.Versions.
func (d *DB) CommitVersion() (version uint64, carries bool) {
	now, carries := d.commitVersion()
	return now.number, carries
}

func (v *versions) ask() (answer state, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), engine.AskTimeout)
	defer cancel()
	err = v.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&answer.text)
	return answer, err
}

// autoCheckpoint is the length of the log, in pages, from which each commit tries
// to save it in the database, so that it can begin anew: SQLite's default.
const autoCheckpoint = 1000

// logMayGrow tells whether nobody waits for readers to leave, to save the log or
// to begin it anew.
func (v *versions) logMayGrow() bool {
	if v.memory == nil {
		return false // nobody knows
	}
	length, saved := v.memory.log()
	return length < autoCheckpoint || saved == length
}

// checkpointed tells whether all of the log is in the database. A transaction that
// begins then does not look for each page in the log first.
func (v *versions) checkpointed() bool {
	if v.memory == nil {
		return false
	}
	length, saved := v.memory.log()
	return saved == length
}

// quietBeforeCheckpoint is for how long nobody must have committed before the log is
// saved: while somebody does, SQLite saves it every autoCheckpoint pages.
const quietBeforeCheckpoint = time.Second

// checkpoint saves the log whenever nobody has committed for a while, until ctx ends.
func (d *DB) checkpoint(ctx context.Context) {
	if d.versions.memory == nil {
		return
	}
	engine.WhenQuiet(ctx, d, quietBeforeCheckpoint, "SQLite's log stays as long as it is; nothing is lost", func(ctx context.Context, _ uint64) error {
		if d.versions.checkpointed() {
			return nil
		}
		return d.versions.save(ctx)
	})
}

// save copies of the log into the database what no reader keeps it from. It waits
// for nobody, and whoever reads or writes meanwhile does not wait for it.
func (v *versions) save(ctx context.Context) error {
	_, err := v.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

// close leaves the memory open: see release.
func (v *versions) close() error {
	v.pragma.Wait()
	if err := v.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

// release lets go of the shared memory, once all connections of the store are
// closed: a process that closes a file loses its POSIX locks on it, also those
// that SQLite took by another descriptor.
func (v *versions) release() error {
	if v.memory == nil {
		return nil
	}
	return v.memory.close()
}
