package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
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
		rules, err := tx.liftRules(ctx)
		if err != nil {
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
		if err := c.indexWords(ctx); err != nil {
			return err
		}
		return tx.restoreRules(ctx, rules)
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
	rows, err := newRowReader(read)
	if err != nil {
		return 0, err
	}
	fill := c.insertRows
	if c.tx.conn != nil {
		fill = c.streamRows
	}
	var sent checksum
	err = fill(ctx, table, rows.columns, func() ([]any, error) {
		values, err := rows.next()
		if values != nil {
			sent.add(values)
			n++
			c.step()
		}
		return values, err
	})
	if err != nil {
		return 0, err
	}
	arrived, err := sumTable(ctx, c.tx, table, rows.columns)
	if err != nil {
		return 0, err
	}
	if arrived.sum != sent.sum {
		return 0, errors.New("the checksums differ")
	}
	return n, c.numberOn(ctx, table)
}

// insertRows writes what next returns until that is nil.
func (c *copier) insertRows(ctx context.Context, table string, columns []string, next func() ([]any, error)) (err error) {
	insert, err := c.tx.raw.PrepareContext(ctx, insertStatement(table, columns))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	for {
		values, err := next()
		if values == nil || err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
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

// rowReader reads rows as they are, but for SQLite's booleans, which are numbers.
type rowReader struct {
	rows     *sql.Rows
	columns  []string
	booleans []bool
	values   []any // of one row after the other
	places   []any
}

func newRowReader(rows *sql.Rows) (*rowReader, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	r := &rowReader{rows: rows, values: make([]any, len(types)), places: make([]any, len(types))}
	for i, column := range types {
		r.columns = append(r.columns, column.Name())
		r.booleans = append(r.booleans, column.DatabaseTypeName() == "BOOLEAN")
		r.places[i] = &r.values[i]
	}
	return r, nil
}

// next returns the values of a row, which stand until the next one is read; nil
// after the last row.
func (r *rowReader) next() ([]any, error) {
	if !r.rows.Next() {
		return nil, r.rows.Err()
	}
	if err := r.rows.Scan(r.places...); err != nil {
		return nil, err
	}
	for i, value := range r.values {
		switch v := value.(type) {
		case int64:
			if r.booleans[i] {
				r.values[i] = v != 0
			}
		case nil, bool, string:
		default:
			return nil, fmt.Errorf("no column holds a %T", v)
		}
	}
	return r.values, nil
}

func sumTable(ctx context.Context, tx *Tx, table string, columns []string) (sum checksum, err error) {
	found, err := tx.raw.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+table)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	rows, err := newRowReader(found)
	if err != nil {
		return sum, err
	}
	for {
		values, err := rows.next()
		if values == nil || err != nil {
			return sum, err
		}
		sum.add(values)
	}
}

// checksum is the sum of the rows' SHA-256, as four numbers: the engines order
// text differently, and a sum does not mind.
type checksum struct {
	sum [4]uint64
	row []byte // of one row after the other
}

func (c *checksum) add(values []any) {
	row := c.row[:0]
	for _, value := range values {
		// Kind and length first, so that no two rows read the same.
		switch v := value.(type) {
		case nil:
			row = append(row, 'n')
		case bool:
			row = append(row, 'b', '0')
			if v {
				row[len(row)-1] = '1'
			}
		case int64:
			row = binary.BigEndian.AppendUint64(append(row, 'i'), uint64(v)) //nolint:gosec // the bits alone count
		case string:
			row = binary.BigEndian.AppendUint64(append(row, 's'), uint64(len(v)))
			row = append(row, v...)
		}
	}
	c.row = row
	sum := sha256.Sum256(row)
	for i := range c.sum {
		c.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
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
