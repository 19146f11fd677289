package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// Snapshot implements engine.Transfer.
func (d *DB) Snapshot(ctx context.Context) (*sql.Conn, func() error, error) {
	conn, err := d.reads.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return errors.Join(err, conn.Close())
	}, nil
}

// BeginImport implements engine.TxEngine. The writer is alone, and its connection gets a cache of 256 MiB: pages that
// do not fit go to the write-ahead log, in which every read searches the longer the larger it is.
func (*DB) BeginImport(ctx context.Context, tx *engine.Tx) error {
	_, err := tx.DB.ExecContext(ctx, "PRAGMA cache_size = -262144")
	return err
}

// BeginFill implements engine.TxEngine: SQLite updates its indexes row by row.
func (*DB) BeginFill(context.Context, *engine.Tx, []string) (func(context.Context) error, error) {
	return func(context.Context) error { return nil }, nil
}

// Fill implements engine.TxEngine.
func (*DB) Fill(ctx context.Context, tx *engine.Tx, table string, columns []string, next func() ([]any, error)) error {
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), places)
	for {
		values, err := next()
		if values == nil || err != nil {
			return err
		}
		if _, err := tx.DB.ExecContext(ctx, insert, values...); err != nil {
			return err
		}
	}
}

// NumberOn implements engine.TxEngine: SQLite numbers rows after the highest.
func (*DB) NumberOn(context.Context, *engine.Tx, string, string) error { return nil }

// AnalyzeSteps implements engine.Transfer.
func (*DB) AnalyzeSteps([]string) int { return len(tables.Indexes) }

// Analyze implements engine.Transfer. It merges the search indexes, on which the time for a rare word depends.
func (d *DB) Analyze(ctx context.Context, _ []string, step func()) error {
	for _, i := range tables.Indexes {
		if err := d.optimize(ctx, i, func(context.Context, time.Time) {}); err != nil {
			return err
		}
		step()
	}
	return nil
}

// dropStatistics removes what ANALYZE has recorded, which earlier releases ran after an import. It describes one
// moment: SQLite scans a table that was empty then, however large it is now. Without statistics a plan follows from the
// query and the indexes alone.
func dropStatistics(ctx context.Context, d db.DBTX) error {
	_, err := d.ExecContext(ctx, "DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")
	return err
}
