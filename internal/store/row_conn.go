package store

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"studycircle"
)

// rowConn is one connection of sqliteReads, used by one reader at a time.
//
// It maps the file, which saves a system call and a copy for each page and keeps
// pages out of the program's own memory. An error of the disk then comes as a
// fault of memory: see guard.
type rowConn struct {
	file string
	conn *sqlite.Conn // nil after a fault
	one, near, page, levelPage, bySeq, blocks, levelBlocks, pending, pendingBlocks, person,
	endings, found, count, last, gone, highest, ids,
	beginRead, endRead *sqlite.Stmt

	// under is the version that the open transaction shows; 0 where none is open,
	// or it is not known.
	under   uint64
	pastLog bool // it began when all of the log was saved, and does not look there
	used    bool // since settle last came by

	people *people
}

const (
	rowColumns = "SELECT seq, id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at FROM assignments "
	matching   = "FROM assignment_search WHERE assignment_search MATCH ?"
	busyWait   = 5 * time.Second
)

func (c *rowConn) open() error {
	conn, err := sqlite.OpenConn(c.file, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	conn.SetBusyTimeout(busyWait)
	// SQLite maps two gigabytes at most.
	for _, pragma := range []string{"PRAGMA query_only = 1", "PRAGMA cache_size = -8192", "PRAGMA mmap_size = 2147418112"} {
		var statement *sqlite.Stmt
		if statement, _, err = conn.PrepareTransient(pragma); err == nil {
			_, err = statement.Step()
			err = errors.Join(err, statement.Finalize())
		}
		if err != nil {
			return errors.Join(err, conn.Close())
		}
	}
	// A sum, as SQLite plans a statement anew where it sees another limit than before.
	for statement, text := range map[**sqlite.Stmt]string{
		&c.one:         rowColumns + "WHERE id = ? AND deleted_at IS NULL",
		&c.near:        rowColumns + "NOT INDEXED WHERE deleted_at IS NULL AND seq <= ? AND seq > ? ORDER BY seq DESC LIMIT ? + 0",
		&c.page:        rowColumns + "WHERE deleted_at IS NULL AND seq <= ? ORDER BY seq DESC LIMIT ? + 0 OFFSET ? + 0",
		&c.levelPage:   rowColumns + "WHERE deleted_at IS NULL AND seq <= ?1 AND level = ?4 ORDER BY seq DESC LIMIT ?2 + 0 OFFSET ?3 + 0",
		&c.bySeq:       rowColumns + "WHERE seq = ? AND deleted_at IS NULL",
		&c.highest:     "SELECT MAX(seq) FROM assignments",
		&c.ids:         "SELECT id, seq FROM assignments WHERE id < ? ORDER BY id DESC LIMIT ? + 0",
		&c.blocks:      "SELECT seq FROM assignments WHERE deleted_at IS NULL AND seq >= ? AND seq < ? ORDER BY seq",
		&c.levelBlocks: "SELECT seq FROM assignments WHERE deleted_at IS NULL AND seq >= ? AND seq < ? AND level = ? ORDER BY seq",
		&c.pending: "SELECT id, assignment_id, assignment_title, marks, submitter_id, docs_link, note, submitted_at, late FROM submissions " +
			"WHERE status = 'pending' AND seq >= ? ORDER BY seq LIMIT ? + 0 OFFSET ? + 0",
		&c.pendingBlocks: "SELECT seq FROM submissions WHERE status = 'pending' AND seq >= ? AND seq < ? ORDER BY seq",
		&c.person:        "SELECT email, display_name FROM users WHERE id = ?",
		&c.endings:       "SELECT word FROM search_words WHERE word >= ? AND word < ? LIMIT ? + 0",
		&c.found:         "SELECT rowid " + matching + " ORDER BY rowid DESC LIMIT ? + 0 OFFSET ? + 0",
		&c.count:         "SELECT COUNT(*) FROM (SELECT 1 " + matching + " LIMIT ? + 0)",
		&c.last:          "SELECT 1 " + matching + " LIMIT 1 OFFSET ? + 0",
		&c.gone:          "SELECT n FROM search_gone",
		&c.beginRead:     "BEGIN",
		&c.endRead:       "COMMIT",
	} {
		if *statement, err = conn.Prepare(text); err != nil {
			return errors.Join(err, conn.Close())
		}
	}
	c.conn = conn
	return nil
}

func (c *rowConn) close() error {
	if c.conn == nil {
		return nil
	}
	return c.conn.Close()
}

// guard runs f. Where the disk cannot give a page that is mapped, f ends with an
// error like that of any other read, and the connection is opened anew.
func (c *rowConn) guard(f func() error) (err error) {
	if c.conn == nil {
		if err := c.open(); err != nil {
			return err
		}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, is := p.(interface {
			error
			Addr() uintptr
		})
		if !is {
			panic(p)
		}
		c.drop(fault)
		err = fmt.Errorf("a page of the embedded database: %w", sqlite.ResultIOErrRead.ToError())
	}()
	return f()
}

// begin opens a transaction; it shows what is committed when it first reads.
func (c *rowConn) begin() error { return each(c.beginRead, func() {}) }

// end closes the transaction that is open, if one is.
func (c *rowConn) end() {
	if c.under = 0; c.conn == nil || c.conn.AutocommitEnabled() {
		return
	}
	if err := each(c.endRead, func() {}); err != nil {
		c.drop(err)
	}
}

// drop gives the connection up; the next reader opens another.
func (c *rowConn) drop(because error) {
	slog.Error("a connection to the embedded database is opened anew", "error", because)
	if err := c.conn.Close(); err != nil {
		slog.Error("a connection to the embedded database is not closed", "error", err)
	}
	c.conn, c.under = nil, 0
}

// name fills in who somebody is whose id is known, as of version or later.
func (c *rowConn) name(version uint64, who *studycircle.Person) error {
	if who.UserID == "" {
		return nil
	}
	p, known := c.people.as(version, who.UserID)
	if !known {
		p.UserID = strings.Clone(who.UserID)
		c.person.BindText(1, p.UserID)
		if err := each(c.person, func() { p.Email, p.DisplayName = c.person.ColumnText(0), c.person.ColumnText(1) }); err != nil {
			return err
		}
		c.people.learned(version, p)
	}
	*who = p
	return nil
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
