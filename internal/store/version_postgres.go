package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strconv"
)

// postgresVersions asks PostgreSQL which transactions a reader would see now.
// The text of a snapshot says exactly that: as long as it is the same, no
// transaction that writes has ended. Transaction numbers are those of one
// server, so each connection counts as an epoch of its own: after a failover the
// same text may mean other data.
type postgresVersions struct {
	*shared[position]
	db     *sql.DB
	query  string
	ctx    context.Context // the store's: one question serves many requests
	cancel context.CancelFunc

	// Used by one question at a time.
	conn  *sql.Conn
	epoch uint64
	last  position
}

// position is a state and how much of the log a standby must have replayed to
// show it. A commit is in the log before anybody sees it, so the log's end, looked
// at after the snapshot was taken, is behind all that the snapshot shows.
type position struct {
	state
	timeline int64  // of the log; 0 where nobody wants to know
	log      string // its end, as PostgreSQL writes a place in it
}

const (
	snapshotQuery = "SELECT CAST(pg_current_snapshot() AS TEXT), '0', ''"
	positionQuery = `SELECT CAST(pg_current_snapshot() AS TEXT),
		left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), CAST(pg_current_wal_insert_lsn() AS TEXT)`
)

// newPostgresVersions tells positions too where standbys are to be compared.
func newPostgresVersions(d *sql.DB, positions bool) *postgresVersions {
	v := &postgresVersions{db: d, query: snapshotQuery}
	if positions {
		v.query = positionQuery
	}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	v.shared = newShared(v.question)
	return v
}

func (v *postgresVersions) now(ctx context.Context) (state, error) {
	p, err := v.get(ctx)
	return p.state, err
}

// question asks again on a new connection where the old one turns out to be gone.
func (v *postgresVersions) question() (position, error) {
	ctx, cancel := context.WithTimeout(v.ctx, askTimeout)
	defer cancel()
	answer, err := v.once(ctx)
	if err != nil && ctx.Err() == nil {
		answer, err = v.once(ctx)
	}
	return answer, err
}

func (v *postgresVersions) once(ctx context.Context) (answer position, err error) {
	if v.conn == nil {
		if v.conn, err = v.db.Conn(ctx); err != nil {
			return answer, err
		}
		v.epoch++
	}
	answer.epoch = v.epoch
	var timeline string
	if err = v.conn.QueryRowContext(ctx, v.query).Scan(&answer.snapshot, &timeline, &answer.log); err != nil {
		v.drop()
		return answer, err
	}
	if answer.timeline, err = strconv.ParseInt(timeline, 16, 64); err != nil {
		return answer, err
	}
	// What the log got since then without a commit need not be waited for.
	if answer.state != v.last.state {
		v.last = answer
	}
	return v.last, nil
}

// drop closes a connection that failed, rather than giving it back to the pool.
func (v *postgresVersions) drop() {
	_ = v.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = v.conn.Close() // says that it is closed already
	v.conn = nil
}

func (v *postgresVersions) close() error {
	v.cancel()
	v.wait()
	if v.conn == nil {
		return nil
	}
	if err := v.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}
