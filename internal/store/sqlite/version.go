package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store/engine"
)

// versions reads what is committed from the WAL index: each commit, of any process,
// changes its header after the log is on disk and before the writer returns. Without a WAL
// index to read, versions asks for PRAGMA data_version, which compares the same header.
//
// Its connection stays open for as long as the store, and so the WAL index: SQLite removes
// that with the last connection.
type versions struct {
	conn   *sql.Conn
	index  *walIndex // may be nil
	pragma *engine.Shared[state]
}

// newVersions takes ownership of conn.
func newVersions(ctx context.Context, conn *sql.Conn, open func() (*walIndex, error)) (*versions, error) {
	v := &versions{conn: conn}
	v.pragma = engine.NewShared(v.ask)
	// The first read makes SQLite open the WAL index.
	if _, err := v.pragma.Get(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	var err error
	if v.index, err = open(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return v, nil
}

func (v *versions) now(ctx context.Context) (now state, err error) {
	if v.index != nil {
		now.header, _, err = v.index.read()
		return now, err
	}
	return v.pragma.Get(ctx)
}

// state identifies the committed state: the WAL index's header, or data_version.
type state struct {
	header walHeader
	text   string
}

// Version implements engine.Database. It takes about a microsecond.
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

// commitVersion is the present version; ok is false if commits cannot be counted.
func (d *DB) commitVersion() (now commitVersion, ok bool) {
	if d.versions.index == nil {
		return commitVersion{}, false
	}
	header, _, err := d.versions.index.read()
	if err != nil {
		return commitVersion{}, false
	}
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

// log returns the state of the log; ok is false if it is not known.
func (v *versions) log() (l logState, ok bool) {
	if v.index == nil {
		return l, false
	}
	_, l, err := v.index.read()
	return l, err == nil
}

// autoCheckpoint is the length of the log, in pages, from which each commit tries a checkpoint, so that the log can
// be reset: SQLite's default.
const autoCheckpoint = 1000

// logMayGrow reports whether kept read transactions are harmless: no checkpoint waits for
// readers to leave.
func (v *versions) logMayGrow() bool {
	l, ok := v.log()
	return ok && (l.length < autoCheckpoint || l.saved == l.length)
}

// checkpointed reports whether the whole log is in the database. A transaction that begins then does not search the
// log first.
func (v *versions) checkpointed() bool {
	l, ok := v.log()
	return ok && l.saved == l.length
}

// quietBeforeCheckpoint is the pause in commits before a checkpoint: while there are commits, SQLite runs one every
// autoCheckpoint pages.
const quietBeforeCheckpoint = time.Second

// checkpoint runs a checkpoint whenever commits pause, until ctx ends.
func (d *DB) checkpoint(ctx context.Context) {
	if d.versions.index == nil {
		return
	}
	job := periodic.Job{Name: "checkpointing SQLite's log", Every: quietBeforeCheckpoint, Timeout: time.Minute, Meaning: "the log stays long; nothing is lost"}
	engine.WhenQuiet(ctx, d, job, func(ctx context.Context, _ uint64) error {
		if d.versions.checkpointed() {
			return nil
		}
		return d.versions.save(ctx)
	})
}

// save copies the log into the database as far as readers allow. Neither it nor concurrent reads and writes wait.
func (v *versions) save(ctx context.Context) error {
	_, err := v.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}

// close leaves the WAL index open: see release.
func (v *versions) close() error {
	v.pragma.Wait()
	if err := v.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

// release closes the WAL index once all connections of the store are closed: a process
// that closes a file loses all its POSIX locks on it, also those that SQLite holds by
// another descriptor.
func (v *versions) release() error {
	if v.index == nil {
		return nil
	}
	return v.index.close()
}
