package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"studycircle/internal/store/engine"
)

// versions asks SQLite for its version of the data, on a connection that never writes: it changes with each commit of
// another connection, of any process.
type versions struct {
	*engine.Shared[int64]
	conn *sql.Conn
	asks *sql.Stmt
}

func newVersions(ctx context.Context, pool *sql.DB) (*versions, error) {
	v := &versions{}
	v.Shared = engine.NewShared(v.ask)
	var err error
	if v.conn, err = pool.Conn(ctx); err != nil {
		return nil, err
	}
	if v.asks, err = v.conn.PrepareContext(ctx, "PRAGMA data_version"); err == nil {
		_, err = v.ask()
	}
	if err != nil {
		return nil, errors.Join(err, v.close())
	}
	return v, nil
}

// ask reads SQLite's shared memory only, so it waits for no disk and has no time limit.
func (v *versions) ask() (now int64, err error) {
	err = v.asks.QueryRowContext(context.Background()).Scan(&now)
	return now, err
}

// Version implements engine.Database. Concurrent callers share its query.
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

func (v *versions) close() (err error) {
	v.Wait()
	if v.asks != nil {
		err = v.asks.Close()
	}
	return errors.Join(err, v.conn.Close())
}
