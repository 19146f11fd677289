package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"studycircle/internal/store/engine"
)

// Snapshot implements engine.Transfer.
func (d *DB) Snapshot(ctx context.Context) (*sql.Conn, func() error, error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return errors.Join(err, conn.Close())
	}, nil
}

// Fill implements engine.TxEngine by COPY, which costs a fraction of a statement for
// each row.
func (*DB) Fill(ctx context.Context, tx *engine.Tx, table string, columns []string, next func() ([]any, error)) error {
	return onConnection(ctx, tx, func(conn *pgx.Conn) error {
		_, err := conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(next))
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // pgx only reports that the connection is closed
		}
		return err
	})
}

// NumberOn implements engine.TxEngine.
func (*DB) NumberOn(ctx context.Context, tx *engine.Tx, table, column string) error {
	_, err := tx.DB.ExecContext(ctx, fmt.Sprintf(
		"SELECT setval(pg_get_serial_sequence('%[1]s', '%[2]s'), COALESCE(MAX(%[2]s), 0) + 1, FALSE) FROM %[1]s", table,
		column))
	return err
}

// importLock is an arbitrary number that no other code locks.
const importLock = 0x53435f696d706f72

// BeginImport implements engine.TxEngine. It has each statement find rows by an index, also those that check foreign
// keys: an import adds so many rows that what PostgreSQL knew of a table when it planned a statement is no longer true.
func (d *DB) BeginImport(ctx context.Context, tx *engine.Tx) error {
	for _, setting := range []string{"SET LOCAL enable_seqscan = off", "DISCARD PLANS"} {
		if _, err := tx.DB.ExecContext(ctx, setting); err != nil {
			return err
		}
	}
	return d.Lock(ctx, tx, importLock)
}

// rule is an index or a foreign key, with the statements that drop and create it.
type rule struct{ drop, make string }

// BeginFill implements engine.TxEngine. It drops indexes and foreign keys; end creates them again for all rows at
// once, because updating them row by row takes several times as long. Primary and unique keys, by which rows are
// looked up, stay.
func (d *DB) BeginFill(
	ctx context.Context, tx *engine.Tx, tables []string,
) (end func(context.Context) error, err error) {
	if _, err := tx.DB.ExecContext(ctx, "SET LOCAL lock_timeout = 0"); err != nil {
		return nil, err
	}
	if slices.Contains(tables, "page_deltas") {
		// In the order in which the statement that folds counts, which may run meanwhile, locks them.
		if _, err := tx.DB.ExecContext(ctx, "LOCK TABLE page_deltas, page_counts IN ACCESS EXCLUSIVE MODE"); err != nil {
			return nil, fmt.Errorf("make room: %w", err)
		}
	}
	var rules []rule
	for _, query := range []string{
		// Indexes, which are created first and so dropped last.
		`SELECT 'DROP INDEX ' || CAST(CAST(i.indexrelid AS REGCLASS) AS TEXT), pg_get_indexdef(i.indexrelid) FROM pg_index i
		WHERE i.indrelid = ANY(CAST(CAST($1 AS TEXT[]) AS REGCLASS[]))
			AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
		ORDER BY 1`,
		`SELECT 'ALTER TABLE ' || CAST(CAST(k.conrelid AS REGCLASS) AS TEXT) || ' DROP CONSTRAINT ' || quote_ident(k.conname),
			'ALTER TABLE ' || CAST(CAST(k.conrelid AS REGCLASS) AS TEXT) || ' ADD CONSTRAINT ' ||
				quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
		FROM pg_constraint k WHERE k.conrelid = ANY(CAST(CAST($1 AS TEXT[]) AS REGCLASS[])) AND k.contype = 'f' ORDER BY 1`,
	} {
		found, err := selectRules(ctx, tx, query, tables)
		if err != nil {
			return nil, fmt.Errorf("look up the schema's rules: %w", err)
		}
		rules = append(rules, found...)
	}
	for _, r := range slices.Backward(rules) {
		if _, err := tx.DB.ExecContext(ctx, r.drop); err != nil {
			return nil, fmt.Errorf("make room: %w", err)
		}
	}
	return func(ctx context.Context) error { return d.restoreRules(ctx, tx, rules) }, nil
}

func selectRules(ctx context.Context, tx *engine.Tx, query string, tables []string) (rules []rule, err error) {
	rows, err := tx.DB.QueryContext(ctx, query, tables)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r rule
		if err := rows.Scan(&r.drop, &r.make); err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, rows.Err()
}

// sortMemory is the memory for PostgreSQL to create an index.
const sortMemory = "256MB"

func (d *DB) restoreRules(ctx context.Context, tx *engine.Tx, rules []rule) error {
	if _, err := tx.DB.ExecContext(ctx, "SET LOCAL maintenance_work_mem = '"+sortMemory+"'"); err != nil {
		return err
	}
	// Pending words are written before their index is created.
	if err := d.ApplySearch(ctx, tx); err != nil {
		return err
	}
	for _, r := range rules {
		if _, err := tx.DB.ExecContext(ctx, r.make); err != nil {
			return fmt.Errorf("%s: %w", r.make, err)
		}
	}
	return nil
}

// AnalyzeSteps implements engine.Transfer.
func (*DB) AnalyzeSteps(tables []string) int { return len(tables) }

// Analyze implements engine.Transfer. It does at once what PostgreSQL's autovacuum does later: it updates the
// planner's statistics, marks the pages that are visible to all transactions, which index-only scans need, and merges
// new words into the search indexes. It blocks no reader or writer.
func (d *DB) Analyze(ctx context.Context, tables []string, step func()) error {
	for _, table := range tables {
		if _, err := d.pool.ExecContext(ctx, "VACUUM (ANALYZE) "+table); err != nil {
			return fmt.Errorf("vacuum %s: %w", table, err)
		}
		step()
	}
	return nil
}
