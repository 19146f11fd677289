package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"studycircle/internal/store/engine"
)

// state identifies the committed state, by PostgreSQL's snapshot.
type state struct {
	epoch    uint64 // the connection that answered: a new one may reach another server
	snapshot string
}

// versions asks PostgreSQL for the present snapshot. While its text stays the same, no writing transaction has ended.
// Transaction numbers are those of one server, so each connection has its own epoch: after a failover the same text
// may stand for other data.
type versions struct {
	*engine.Shared[state]
	config *pgx.ConnConfig
	ctx    context.Context // the store's: one question serves many requests
	cancel context.CancelFunc

	// Used by one question at a time.
	conn  *pgconn.PgConn // nil if there is none
	asks  *pgconn.StatementDescription
	epoch uint64
	last  state
}

const selectSnapshot = "SELECT CAST(pg_current_snapshot() AS TEXT)"

func newVersions(config *pgx.ConnConfig) *versions {
	v := &versions{config: config}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	v.Shared = engine.NewShared(v.question)
	return v
}

// Version implements engine.Database. It waits for a query, which concurrent callers share.
func (d *DB) Version(ctx context.Context) (uint64, error) {
	if version := engine.VersionOf(ctx); version != 0 {
		return version, nil
	}
	now, err := d.versions.Get(ctx)
	if err != nil {
		return 0, err
	}
	return d.numbers.Number(now), nil
}

// question asks again on a new connection if the old one is gone.
func (v *versions) question() (state, error) {
	ctx, cancel := context.WithTimeout(v.ctx, engine.AskTimeout)
	defer cancel()
	had := v.conn != nil
	answer, err := v.once(ctx)
	if err != nil && had && ctx.Err() == nil {
		answer, err = v.once(ctx)
	}
	return answer, err
}

func (v *versions) once(ctx context.Context) (state, error) {
	if v.conn == nil {
		if err := v.connect(ctx); err != nil {
			return state{}, err
		}
	}
	if err := v.askNow(ctx); err != nil {
		lost := v.conn.IsClosed()
		v.drop()
		if lost {
			err = connectionLost{err}
		}
		return state{}, err
	}
	return v.last, nil
}

func (v *versions) connect(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, v.config)
	if err != nil {
		return err
	}
	v.conn = conn.PgConn()
	v.epoch++
	if v.asks, err = v.conn.Prepare(ctx, "version", selectSnapshot, nil); err != nil {
		v.drop()
	}
	return err
}

// askNow bypasses pgx's type map, because it is the most frequent query.
func (v *versions) askNow(ctx context.Context) error {
	result := v.conn.ExecStatement(ctx, v.asks, nil, nil, nil)
	rows := 0
	for ; result.NextRow(); rows++ {
		if now := result.Values()[0]; v.last.epoch != v.epoch || v.last.snapshot != string(now) {
			v.last = state{epoch: v.epoch, snapshot: string(now)}
		}
	}
	if _, err := result.Close(); err != nil {
		return err
	}
	if rows != 1 {
		return fmt.Errorf("%d versions", rows)
	}
	return nil
}

// drop closes the connection.
func (v *versions) drop() {
	if v.conn != nil {
		hangUp(v.conn)
		v.conn = nil
	}
}

func (v *versions) close() {
	v.cancel()
	v.Wait()
	v.drop()
}

// hangUpPatience is the time to tell the server that a connection closes.
const hangUpPatience = 500 * time.Millisecond

// hangUp closes a connection that was only read from.
func hangUp(conn interface {
	Close(ctx context.Context) error
}) {
	ctx, cancel := context.WithTimeout(context.Background(), hangUpPatience)
	defer cancel()
	_ = conn.Close(ctx) // it is closed either way
}
