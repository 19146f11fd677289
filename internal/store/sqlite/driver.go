package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// connector opens connections that keep their statements, for database/sql.
type connector struct {
	driver.Connector
	file *databaseFile // the only one to connect to; nil before it is known
}

// newConnector returns the connector of a data source name.
func newConnector(source string) (connector, error) {
	plain, err := sqlite.NewConnector(source)
	if err != nil {
		return connector{}, fmt.Errorf("open the embedded database: %w", err)
	}
	return connector{Connector: plain}, nil
}

// pool returns a pool of at most some connections, all of which stay open.
func (c connector) pool(most int) *sql.DB {
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	return pool
}

// brief is a pool for short reads. It does not watch their contexts, which takes two goroutines for each.
type brief struct{ *sql.DB }

// QueryContext implements db.DBTX.
func (b brief) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.DB.QueryContext(context.WithoutCancel(ctx), text, args...)
}

// QueryRowContext implements db.DBTX.
func (b brief) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	return b.DB.QueryRowContext(context.WithoutCancel(ctx), text, args...)
}

// Connect implements driver.Connector. In place of a file that was removed SQLite would open a new, empty one.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.file != nil {
		if err := c.file.check(); err != nil {
			return nil, err
		}
	}
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	own, is := opened.(plainConn)
	if !is {
		return nil, errors.Join(fmt.Errorf("a connection is a %T", opened), opened.Close())
	}
	return &conn{plainConn: own, kept: map[string]*statement{}}, nil
}

// plainConn is a connection of the driver.
type plainConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	NewRestore(uri string) (*sqlite.Backup, error)
}

// conn keeps the statements that it has parsed, by their texts: parsing one costs as much as running it. Bound:
// maxKept; beyond it a text is parsed at each call.
type conn struct {
	plainConn
	kept map[string]*statement
	// misread is set once a page could not be read. SQLite may have cached it all the same.
	misread bool
}

// noted returns err, and notes whether a page could not be read.
func (c *conn) noted(err error) error {
	switch codeOf(err) {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		c.misread = true
	}
	return err
}

// IsValid implements driver.Validator: the pool replaces other connections.
func (c *conn) IsValid() bool { return !c.misread && c.plainConn.IsValid() }

// maxKept is more than the program has texts of reads, or of writes.
const maxKept = 500

// unkept matches texts that run once, or that SQLite runs as it parses them.
var unkept = regexp.MustCompile(`^\s*(?i:ALTER|ANALYZE|ATTACH|CREATE|DROP|PRAGMA|VACUUM)\b`)

// locking is the clause of a query that locks what it reads, which SQLite's one writer does not need.
var locking = regexp.MustCompile(` FOR (?:NO KEY UPDATE|KEY SHARE)(?: OF \w+)?(?: SKIP LOCKED)?`)

// statement returns the statement of a text; nil if none is kept, or its rows are being read.
func (c *conn) statement(ctx context.Context, text string) (*statement, error) {
	s := c.kept[text]
	if s != nil && s.rows == nil {
		return s, nil
	}
	if s != nil || len(c.kept) >= maxKept || unkept.MatchString(text) {
		return nil, nil //nolint:nilnil // documented
	}
	made, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	own, is := made.(plainStatement)
	if !is {
		return nil, errors.Join(fmt.Errorf("a statement is a %T", made), made.Close())
	}
	s = &statement{plainStatement: own, of: c}
	c.kept[text] = s
	return s, nil
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	return c.plainConn.PrepareContext(ctx, locking.ReplaceAllString(text, ""))
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.plainConn.ExecContext(ctx, text, args)
	}
	return s.ExecContext(ctx, args)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.plainConn.QueryContext(ctx, locking.ReplaceAllString(text, ""), args)
	}
	if s.rows, err = s.QueryContext(ctx, args); err != nil { //nolint:gocritic // s closes them
		s.rows = nil
		return nil, c.noted(err)
	}
	return s, nil
}

// Close implements driver.Conn.
func (c *conn) Close() (err error) {
	for _, s := range c.kept {
		err = errors.Join(err, s.plainStatement.Close())
	}
	return errors.Join(err, c.plainConn.Close())
}

// plainStatement is a statement of the driver.
type plainStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statement is a kept statement, and its rows while they are read.
type statement struct {
	plainStatement
	of   *conn
	rows driver.Rows
}

// Columns implements driver.Rows.
func (s *statement) Columns() []string { return s.rows.Columns() }

// Next implements driver.Rows.
func (s *statement) Next(into []driver.Value) error { return s.of.noted(s.rows.Next(into)) }

// Close implements driver.Rows. The statement stays.
func (s *statement) Close() error {
	rows := s.rows
	s.rows = nil
	return rows.Close()
}

// ColumnTypeDatabaseTypeName implements driver.RowsColumnTypeDatabaseTypeName.
func (s *statement) ColumnTypeDatabaseTypeName(column int) string {
	named, is := s.rows.(driver.RowsColumnTypeDatabaseTypeName)
	if !is {
		return ""
	}
	return named.ColumnTypeDatabaseTypeName(column)
}
