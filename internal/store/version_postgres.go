package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgresVersions asks PostgreSQL which transactions a reader would see now.
// The text of a snapshot says exactly that: as long as it is the same, no
// transaction that writes has ended. Transaction numbers are those of one
// server, so each connection counts as an epoch of its own: after a failover the
// same text may mean other data.
type postgresVersions struct {
	*shared[position]
	config *pgx.ConnConfig
	query  string
	ctx    context.Context // the store's: one question serves many requests
	cancel context.CancelFunc

	// Used by one question at a time.
	conn  *pgconn.PgConn // nil where there is none
	asks  *pgconn.StatementDescription
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
	snapshotQuery = "SELECT CAST(pg_current_snapshot() AS TEXT)"
	positionQuery = `SELECT CAST(pg_current_snapshot() AS TEXT),
		left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), CAST(pg_current_wal_insert_lsn() AS TEXT)`
)

// newPostgresVersions tells positions too where standbys are to be compared.
func newPostgresVersions(config *pgx.ConnConfig, positions bool) *postgresVersions {
	v := &postgresVersions{config: config, query: snapshotQuery}
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

func (v *postgresVersions) once(ctx context.Context) (position, error) {
	if v.conn == nil {
		if err := v.connect(ctx); err != nil {
			return position{}, err
		}
	}
	if err := v.ask(ctx); err != nil {
		lost := v.conn.IsClosed()
		v.drop()
		if lost {
			err = connectionLost{err}
		}
		return position{}, err
	}
	return v.last, nil
}

func (v *postgresVersions) connect(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, v.config)
	if err != nil {
		return err
	}
	v.conn = conn.PgConn()
	v.epoch++
	if v.asks, err = v.conn.Prepare(ctx, "version", v.query, nil); err != nil {
		v.drop()
	}
	return err
}

// ask reads the answer past pgx's map of types, which is asked for more often than
// anything else.
func (v *postgresVersions) ask(ctx context.Context) error {
	result := v.conn.ExecStatement(ctx, v.asks, nil, nil, nil)
	rows := 0
	var wrong error
	for ; result.NextRow(); rows++ {
		wrong = v.heard(result.Values())
	}
	if _, err := result.Close(); err != nil {
		return err
	}
	if wrong == nil && rows != 1 {
		wrong = fmt.Errorf("%d versions", rows)
	}
	return wrong
}

// heard takes an answer in. What the log got since the last one without a commit
// need not be waited for.
func (v *postgresVersions) heard(values [][]byte) error {
	if v.last.epoch == v.epoch && v.last.snapshot == string(values[0]) {
		return nil
	}
	now := position{state: state{epoch: v.epoch, snapshot: string(values[0])}}
	if len(values) > 1 {
		timeline, err := strconv.ParseInt(string(values[1]), 16, 64)
		if err != nil {
			return err
		}
		now.timeline, now.log = timeline, string(values[2])
	}
	v.last = now
	return nil
}

// drop closes the connection.
func (v *postgresVersions) drop() {
	if v.conn != nil {
		hangUp(v.conn)
		v.conn = nil
	}
}

func (v *postgresVersions) close() error {
	v.cancel()
	v.wait()
	v.drop()
	return nil
}
