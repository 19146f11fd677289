package sqlite

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// conn is one connection of a readPool, used by one reader at a time.
type conn struct {
	file       string
	raw        *sqlite.Conn // nil if it is to be opened anew
	statements map[string]*sqlite.Stmt
	people     *people
	mapped     bool // it reads the file by mmap, see mapping.go

	snapshot
}

const busyWait = 5 * time.Second

// Statements that belong to no list.
const (
	selectPerson = "SELECT email, display_name, photo_url FROM users WHERE id = ?"
	selectGone   = "SELECT n FROM search_gone"
	// The sum keeps SQLite from planning the statement anew for each limit.
	selectEndings = "SELECT word FROM search_words WHERE word >= ? AND word < ? LIMIT ? + 0"
	beginRead     = "BEGIN"
	endRead       = "COMMIT"
)

// open opens the connection and prepares all statements known so far.
func (c *conn) open(d *DB) error {
	raw, err := sqlite.OpenConn(c.file, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	raw.SetBusyTimeout(busyWait)
	c.raw, c.statements, c.snapshot = raw, map[string]*sqlite.Stmt{}, snapshot{}
	c.mapped = !d.unmapped.Load()
	pragmas := []string{"PRAGMA query_only = 1", "PRAGMA cache_size = -8192"}
	if c.mapped {
		pragmas = append(pragmas, mapFile)
	}
	for _, pragma := range pragmas {
		if err := c.run(pragma); err != nil {
			return errors.Join(err, c.close())
		}
	}
	known := []string{selectPerson, selectGone, selectEndings, beginRead, endRead}
	for _, l := range tables.Lists {
		t := d.listTexts(l, studycircle.RoleUser)
		known = append(known, t.page, t.positions)
		if l.Dense {
			known = append(known, t.near)
		}
	}
	for _, l := range []*engine.Lookup{tables.AssignmentByID, tables.AssignmentBySeq, tables.SubmissionByID, tables.SubmissionBySeq} {
		known = append(known, d.lookupText(l, studycircle.RoleUser))
	}
	for _, index := range tables.Indexes {
		t := d.indexTexts(index)
		known = append(known, t.found, t.count, t.last)
	}
	for _, text := range known {
		if _, err := c.prepare(text); err != nil {
			return errors.Join(err, c.close())
		}
	}
	return nil
}

// run runs a statement that is not kept.
func (c *conn) run(text string) error {
	statement, _, err := c.raw.PrepareTransient(text)
	if err == nil {
		_, err = statement.Step()
		err = errors.Join(err, statement.Finalize())
	}
	return err
}

// prepare returns a statement, parsed once.
func (c *conn) prepare(text string) (*sqlite.Stmt, error) {
	if statement := c.statements[text]; statement != nil {
		return statement, nil
	}
	statement, err := c.raw.Prepare(text)
	if err == nil {
		c.statements[text] = statement
	}
	return statement, err
}

// bound returns a statement with its parameters bound.
func (c *conn) bound(text string, args ...any) (*sqlite.Stmt, error) {
	statement, err := c.prepare(text)
	if err != nil {
		return nil, err
	}
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			statement.BindText(i+1, arg)
		case int64:
			statement.BindInt64(i+1, arg)
		default:
			return nil, fmt.Errorf("no parameter is a %T", arg)
		}
	}
	return statement, nil
}

// each runs a statement and calls row for each of its rows.
func (c *conn) each(row func(*sqlite.Stmt), text string, args ...any) error {
	statement, err := c.bound(text, args...)
	if err != nil {
		return err
	}
	return each(statement, func() { row(statement) })
}

// each steps through a bound statement.
func each(s *sqlite.Stmt, row func()) error {
	for {
		more, err := s.Step()
		if err != nil || !more {
			return errors.Join(err, s.Reset())
		}
		row()
	}
}

func (c *conn) close() error {
	if c.raw == nil {
		return nil
	}
	raw := c.raw
	c.raw, c.snapshot = nil, snapshot{}
	return raw.Close()
}

// drop closes the connection; the next reader opens another.
func (c *conn) drop(because error) {
	slog.Error("a connection to the embedded database failed; it is opened again", "error", because)
	if err := c.close(); err != nil {
		slog.Error("closing a connection to the embedded database failed", "error", err)
	}
}

// person returns the user with an id, as of version or later.
func (c *conn) person(version uint64, id string) (studycircle.Person, error) {
	p, known := c.people.get(version, id)
	if known {
		return p, nil
	}
	p.UserID = strings.Clone(id) // id may share the memory of a whole page
	err := c.each(func(s *sqlite.Stmt) {
		p.Email, p.DisplayName, p.PhotoURL = s.ColumnText(0), s.ColumnText(1), s.ColumnText(2)
	}, selectPerson, id)
	if err == nil {
		c.people.put(version, p)
	}
	return p, err
}

// row is a row of a statement, with its person.
type row struct {
	s       *sqlite.Stmt
	c       *conn
	version uint64
	texts   texts
	err     error
}

// Null implements engine.Row.
func (r *row) Null(column int) bool { return r.s.ColumnIsNull(column) }

// Int implements engine.Row.
func (r *row) Int(column int) int64 { return r.s.ColumnInt64(column) }

// Text implements engine.Row.
func (r *row) Text(column int) string { return r.texts.column(r.s, column) }

// Person implements engine.Row.
func (r *row) Person(who *studycircle.Person) {
	if who.UserID == "" {
		return
	}
	known, err := r.c.person(r.version, who.UserID)
	if err != nil {
		r.err = err
	}
	*who = known
}
