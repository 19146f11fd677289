package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"studycircle/internal/store/db"
)

// copiedTables are all tables that hold what cannot be made anew, those that are
// referred to first. Search words are made anew. Events are of the history that
// they happened in, and stay there.
var copiedTables = []string{
	"settings", "users", "sessions", "action_codes", "mails", "rate_limits", "provider_links", "passkeys", "used_tickets",
	"assignments", "submissions", "page_counts", "page_deltas",
}

// serialTables number their rows by themselves in this column.
var serialTables = map[string]string{"assignments": "seq", "submissions": "seq", "page_deltas": "id"}

// Copy writes everything in from, secrets included, to to, which must hold no
// users yet: one moment of from, all of it or nothing. It compares checksums of
// all tables at the end and returns how many rows there are. step is called
// after each row.
func Copy(ctx context.Context, from, to *Store, step func()) (rows int, err error) {
	source, end, err := from.snapshot(ctx)
	if err != nil {
		return 0, classify(err)
	}
	defer func() { err = errors.Join(err, end()) }()
	err = to.Write(ctx, func(ctx context.Context, tx *Tx) error {
		rows = 0
		c := &copier{source: source, tx: tx, step: step}
		if err := c.makeRoom(ctx); err != nil {
			return err
		}
		for _, table := range copiedTables {
			n, err := c.table(ctx, table)
			if err != nil {
				return fmt.Errorf("copy %s: %w", table, err)
			}
			rows += n
		}
		tx.AnnounceReset()
		n, err := c.queuedMails(ctx)
		if err != nil {
			return fmt.Errorf("copy the mails that wait: %w", err)
		}
		rows += n
		return c.indexWords(ctx)
	})
	return rows, err
}

// snapshot is a connection that sees one moment of the database until end is called.
func (s *Store) snapshot(ctx context.Context) (*sql.Conn, func() error, error) {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	begin := "BEGIN"
	if s.engine == postgresEngine {
		begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	}
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return errors.Join(err, conn.Close())
	}, nil
}

type copier struct {
	source *sql.Conn
	tx     *Tx
	step   func()
}

// makeRoom refuses a database in use, and removes the settings that opening a
// new one made.
func (c *copier) makeRoom(ctx context.Context) error {
	var users int
	if err := c.tx.raw.QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT 1) u").Scan(&users); err != nil {
		return err
	}
	if users > 0 {
		return errors.New("the database to copy to holds users already; copy writes over nothing")
	}
	_, err := c.tx.raw.ExecContext(ctx, "DELETE FROM settings")
	return err
}

func (c *copier) table(ctx context.Context, table string) (n int, err error) {
	read, err := c.source.QueryContext(ctx, "SELECT * FROM "+table) //nolint:gosec // one of copiedTables
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, read.Close()) }()
	columns, err := read.Columns()
	if err != nil {
		return 0, err
	}
	insert, err := c.tx.raw.PrepareContext(ctx, insertStatement(table, columns))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	var sent checksum
	for read.Next() {
		values, err := scanAny(read)
		if err != nil {
			return 0, err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return 0, err
		}
		sent.add(values)
		n++
		c.step()
	}
	if err := read.Err(); err != nil {
		return 0, err
	}
	arrived, err := sumTable(ctx, c.tx.raw, table, columns)
	if err != nil {
		return 0, err
	}
	if arrived != sent {
		return 0, errors.New("the checksums differ")
	}
	return n, c.numberOn(ctx, table)
}

// numberOn lets PostgreSQL number the next row after the last one copied; SQLite
// does so by itself.
func (c *copier) numberOn(ctx context.Context, table string) error {
	column := serialTables[table]
	if c.tx.store.engine != postgresEngine || column == "" {
		return nil
	}
	_, err := c.tx.raw.ExecContext(ctx, fmt.Sprintf(
		"SELECT setval(pg_get_serial_sequence('%[1]s', '%[2]s'), COALESCE(MAX(%[2]s), 0) + 1, FALSE) FROM %[1]s", table, column))
	return err
}

func (c *copier) indexWords(ctx context.Context) error {
	for after := int64(0); ; {
		rows, err := c.tx.query.AssignmentsUpFrom(ctx, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			after = r.Assignment.Seq
			words := searchText(toAssignment(r.Assignment, r.CreatorEmail, r.CreatorName))
			if err := c.tx.index(ctx, searchChange{seq: after, put: true, doc: words}); err != nil {
				return err
			}
		}
	}
}

func insertStatement(table string, columns []string) string {
	places := make([]string, len(columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), strings.Join(places, ", "))
}

// scanAny reads a row as it is, but for SQLite's booleans, which are numbers.
func scanAny(rows *sql.Rows) ([]any, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	values, places := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		places[i] = &values[i]
	}
	if err := rows.Scan(places...); err != nil {
		return nil, err
	}
	for i, v := range values {
		if n, number := v.(int64); number && types[i].DatabaseTypeName() == "BOOLEAN" {
			values[i] = n != 0
		}
	}
	return values, nil
}

func sumTable(ctx context.Context, raw db.DBTX, table string, columns []string) (sum checksum, err error) {
	rows, err := raw.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+table)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		values, err := scanAny(rows)
		if err != nil {
			return sum, err
		}
		sum.add(values)
	}
	return sum, rows.Err()
}

// checksum is the sum of the rows' SHA-256, as four numbers: the engines order
// text differently, and a sum does not mind.
type checksum [4]uint64

func (c *checksum) add(values []any) {
	h := sha256.New()
	for _, v := range values {
		// Length first, so that no two rows read the same.
		text := fmt.Sprint(v)
		_ = binary.Write(h, binary.BigEndian, int64(len(text))) // a hash never fails
		_, _ = fmt.Fprintf(h, "%T%s", v, text)
	}
	sum := h.Sum(nil)
	for i := range c {
		c[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

// CountRows is how many rows a Copy has before it, about.
func (s *Store) CountRows(ctx context.Context) (n int64, err error) {
	for _, table := range copiedTables {
		var rows int64
		if err := s.reads.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&rows); err != nil {
			return 0, classify(err)
		}
		n += rows
	}
	return n, nil
}
