package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// streamRows is insertRows by PostgreSQL's COPY, which costs a fraction of a
// statement for each row.
func (c *copier) streamRows(ctx context.Context, table string, columns []string, next func() ([]any, error)) error {
	return withPgx(c.tx.conn, func(conn *pgx.Conn) error {
		_, err := conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(next))
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // of which pgx tells no more than that the connection is closed
		}
		return err
	})
}

// rule is an index or a foreign key, and the statement that makes it.
type rule struct{ drop, make string }

// liftRules drops, for the time of a transaction that fills all tables, the
// indexes and foreign keys of PostgreSQL's that restoreRules then makes for all
// rows at once: keeping them up row by row takes several times as long. What
// rows are looked up by, primary and unique keys, stays. SQLite's stay all.
func (tx *Tx) liftRules(ctx context.Context) ([]rule, error) {
	if tx.conn == nil {
		return nil, nil
	}
	var rules []rule
	for _, query := range []string{
		// Indexes, which are made first and so dropped last.
		`SELECT 'DROP INDEX ' || CAST(CAST(i.indexrelid AS REGCLASS) AS TEXT), pg_get_indexdef(i.indexrelid) FROM pg_index i
		WHERE i.indrelid = ANY(CAST(CAST($1 AS TEXT[]) AS REGCLASS[]))
			AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
		ORDER BY 1`,
		`SELECT 'ALTER TABLE ' || CAST(CAST(k.conrelid AS REGCLASS) AS TEXT) || ' DROP CONSTRAINT ' || quote_ident(k.conname),
			'ALTER TABLE ' || CAST(CAST(k.conrelid AS REGCLASS) AS TEXT) || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
		FROM pg_constraint k WHERE k.conrelid = ANY(CAST(CAST($1 AS TEXT[]) AS REGCLASS[])) AND k.contype = 'f' ORDER BY 1`,
	} {
		found, err := tx.rules(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("look up the schema's rules: %w", err)
		}
		rules = append(rules, found...)
	}
	for _, r := range slices.Backward(rules) {
		if _, err := tx.raw.ExecContext(ctx, r.drop); err != nil {
			return nil, fmt.Errorf("make room: %w", err)
		}
	}
	return rules, nil
}

func (tx *Tx) rules(ctx context.Context, query string) (rules []rule, err error) {
	rows, err := tx.raw.QueryContext(ctx, query, filledTables)
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

// sortMemory is what PostgreSQL may take to make an index.
const sortMemory = "256MB"

func (tx *Tx) restoreRules(ctx context.Context, rules []rule) error {
	if len(rules) == 0 {
		return nil
	}
	if _, err := tx.raw.ExecContext(ctx, "SET LOCAL maintenance_work_mem = '"+sortMemory+"'"); err != nil {
		return err
	}
	// The words that are left to write come before their index.
	if err := tx.applySearch(ctx, tx); err != nil {
		return err
	}
	for _, r := range rules {
		if _, err := tx.raw.ExecContext(ctx, r.make); err != nil {
			return fmt.Errorf("%s: %w", r.make, err)
		}
	}
	return nil
}

// filledTables are those that a copy or an import fills, on PostgreSQL.
var filledTables = append([]string{"assignment_search"}, copiedTables...)

// vacuum does at once what PostgreSQL's autovacuum does after a while: it lets
// the planner learn what the tables hold, notes which pages hold nothing but what
// all may see, without which no index answers alone, and brings the words that
// came last in their order. It locks nobody out.
func vacuum(ctx context.Context, d *sql.DB, table string) error {
	if _, err := d.ExecContext(ctx, "VACUUM (ANALYZE) "+table); err != nil {
		return fmt.Errorf("vacuum %s: %w", table, err)
	}
	return nil
}
