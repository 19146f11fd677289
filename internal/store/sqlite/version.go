package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"

	"studycircle/internal/store/engine"
)

// versions asks SQLite for its version of the data, on a connection that never writes: it changes with each commit of
// another connection, of any process.
type versions struct {
	mu   sync.Mutex
	conn driver.Conn
	asks plainStatement
}

func newVersions(ctx context.Context, from driver.Connector) (*versions, error) {
	conn, err := from.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the embedded database: %w", err)
	}
	v := &versions{conn: conn}
	made, err := conn.Prepare("PRAGMA data_version")
	if err == nil {
		v.asks, _ = made.(plainStatement) // as all statements of the driver
		_, err = v.now()
	}
	if err != nil {
		return nil, errors.Join(err, v.close())
	}
	return v, nil
}

// now reads SQLite's shared memory only, so it waits for no disk and has no time limit.
func (v *versions) now() (now int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conn == nil {
		return 0, engine.ErrClosed
	}
	rows, err := v.asks.QueryContext(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var row [1]driver.Value
	if err := rows.Next(row[:]); err != nil {
		return 0, fmt.Errorf("read the version: %w", err)
	}
	now, _ = row[0].(int64)
	if err := rows.Next(row[:]); !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("two versions: %w", err)
	}
	return now, nil
}

// Version implements engine.Database.
func (d *DB) Version(ctx context.Context) (uint64, error) {
	if version := engine.VersionOf(ctx); version != 0 {
		return version, nil
	}
	now, err := d.versions.now()
	if err != nil {
		return 0, err
	}
	return d.numbers.Number(now), nil
}

// close closes the connection; a second call does nothing.
func (v *versions) close() (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conn == nil {
		return nil
	}
	if v.asks != nil {
		err = v.asks.Close()
	}
	err = errors.Join(err, v.conn.Close())
	v.conn = nil
	return err
}
