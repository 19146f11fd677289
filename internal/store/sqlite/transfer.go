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
func (*DB) AnalyzeSteps([]string) int { return 1 + len(tables.Indexes) }

// Analyze implements engine.Transfer. It also merges the search indexes, on which the time for a rare word depends.
// It can be interrupted, and does not change data.
func (d *DB) Analyze(ctx context.Context, _ []string, step func()) error {
	err := d.Write(engine.WithLongWrite(ctx, engine.LongAnalyze), func(ctx context.Context, tx *engine.Tx) error {
		if _, err := tx.DB.ExecContext(ctx, "ANALYZE"); err != nil {
			return err
		}
		return dropSamples(ctx, tx.DB)
	})
	if err != nil {
		return err
	}
	step()
	for _, i := range tables.Indexes {
		if err := d.optimize(ctx, i, func(context.Context, time.Time) {}); err != nil {
			return err
		}
		step()
	}
	return nil
}

// dropSamples deletes the sample rows that SQLite's ANALYZE collects beside its averages. With samples SQLite plans a
// prepared statement anew for each bound value, which costs several times as much as running it.
func dropSamples(ctx context.Context, d db.DBTX) error {
	var tables int
	err := d.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'sqlite_stat4'").Scan(&tables)
	if err != nil || tables == 0 {
		return err
	}
	_, err = d.ExecContext(ctx, "DELETE FROM sqlite_stat4")
	return err
}
