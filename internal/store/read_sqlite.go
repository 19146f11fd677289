package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"studycircle"
	"studycircle/internal/store/db"
)

// rowReads is the second read path, for what is read most: assignments. On
// PostgreSQL it is the queries that sqlc makes; on SQLite it goes past
// database/sql, which costs several times what such a read does.
type rowReads interface {
	// assignment returns a live assignment; studycircle.ErrNotFound.
	assignment(ctx context.Context, id string) (studycircle.Assignment, error)
	// down returns live assignments from position from on, newest first, after
	// passing skip. level may be empty for all.
	down(ctx context.Context, level studycircle.Level, from, skip, limit int64) ([]studycircle.Assignment, error)
	// bySeqs returns those of the assignments that live, in no order.
	bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error)
	// positions returns the positions of live assignments in a block, ascending.
	positions(ctx context.Context, level studycircle.Level, block int64) ([]int64, error)
	close() error
}

// sqliteReads are a few connections with their statements prepared, each used by
// one reader at a time.
type sqliteReads struct {
	store *Store
	free  chan *rowConn
	all   []*rowConn
	once  sync.Once

	// people are users as they show beside what they made. Key: the user's id.
	// Audience: everybody; addresses and names are public. Emptied by: any
	// commit, as they are used only while the version is the one they were read
	// under. Bound: maxPeople.
	mu      sync.Mutex
	version uint64
	people  map[string]studycircle.Person
}

// maxPeople bounds the people that are kept to some 5 MB.
const maxPeople = 20_000

type rowConn struct {
	*sqlite.Conn
	one, page, levelPage, bySeq, blocks, levelBlocks, person *sqlite.Stmt
}

const (
	rowColumns = "SELECT seq, id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at FROM assignments "
	busyWait   = 5 * time.Second
)

func newSQLiteReads(s *Store, dir string) (*sqliteReads, error) {
	n := min(max(2, runtime.GOMAXPROCS(0)), 8)
	r := &sqliteReads{store: s, free: make(chan *rowConn, n)}
	for range n {
		c, err := openRowConn(filepath.Join(dir, fileName))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open the embedded database: %w", err), r.close())
		}
		r.all = append(r.all, c)
		r.free <- c
	}
	return r, nil
}

func openRowConn(file string) (*rowConn, error) {
	conn, err := sqlite.OpenConn(file, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	conn.SetBusyTimeout(busyWait)
	c := &rowConn{Conn: conn}
	for _, pragma := range []string{"PRAGMA query_only = 1", "PRAGMA cache_size = -8192"} {
		var statement *sqlite.Stmt
		if statement, _, err = conn.PrepareTransient(pragma); err == nil {
			_, err = statement.Step()
			err = errors.Join(err, statement.Finalize())
		}
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	for statement, text := range map[**sqlite.Stmt]string{
		&c.one:         rowColumns + "WHERE id = ? AND deleted_at IS NULL",
		&c.page:        rowColumns + "WHERE deleted_at IS NULL AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?",
		&c.levelPage:   rowColumns + "WHERE deleted_at IS NULL AND seq <= ? AND level = ? ORDER BY seq DESC LIMIT ? OFFSET ?",
		&c.bySeq:       rowColumns + "WHERE seq = ? AND deleted_at IS NULL",
		&c.blocks:      "SELECT seq FROM assignments WHERE deleted_at IS NULL AND seq >= ? AND seq < ? ORDER BY seq",
		&c.levelBlocks: "SELECT seq FROM assignments WHERE deleted_at IS NULL AND seq >= ? AND seq < ? AND level = ? ORDER BY seq",
		&c.person:      "SELECT email, display_name FROM users WHERE id = ?",
	} {
		if *statement, err = conn.Prepare(text); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return c, nil
}

// close waits for readers under way.
func (r *sqliteReads) close() (err error) {
	r.once.Do(func() {
		for range r.all {
			err = errors.Join(err, (<-r.free).Close())
		}
		close(r.free)
	})
	return err
}

// with lends f a connection.
func (r *sqliteReads) with(ctx context.Context, f func(*rowConn) error) error {
	select {
	case c, open := <-r.free:
		if !open {
			return errClosed
		}
		defer func() { r.free <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *sqliteReads) assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	found, err := r.rows(ctx, 1, func(c *rowConn) *sqlite.Stmt {
		c.one.BindText(1, id)
		return c.one
	})
	if err == nil && len(found) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.Assignment{}, err
	}
	return found[0], nil
}

func (r *sqliteReads) down(ctx context.Context, level studycircle.Level, from, skip, limit int64) ([]studycircle.Assignment, error) {
	return r.rows(ctx, int(limit), func(c *rowConn) *sqlite.Stmt {
		s, next := c.page, 2
		if level != "" {
			s = c.levelPage
			s.BindText(2, string(level))
			next = 3
		}
		s.BindInt64(1, from)
		s.BindInt64(next, limit)
		s.BindInt64(next+1, skip)
		return s
	})
}

func (r *sqliteReads) bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error) {
	out := make([]studycircle.Assignment, 0, len(seqs))
	for _, seq := range seqs {
		found, err := r.rows(ctx, 1, func(c *rowConn) *sqlite.Stmt {
			c.bySeq.BindInt64(1, seq)
			return c.bySeq
		})
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func (r *sqliteReads) positions(ctx context.Context, level studycircle.Level, block int64) (out []int64, err error) {
	err = r.with(ctx, func(c *rowConn) error {
		s := c.blocks
		if level != "" {
			s = c.levelBlocks
			s.BindText(3, string(level))
		}
		s.BindInt64(1, block*blockRows)
		s.BindInt64(2, (block+1)*blockRows)
		return each(s, func() { out = append(out, s.ColumnInt64(0)) })
	})
	return out, err
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

// rows reads assignments by the statement that bind returns.
func (r *sqliteReads) rows(ctx context.Context, expected int, bind func(*rowConn) *sqlite.Stmt) ([]studycircle.Assignment, error) {
	version, err := r.store.Version(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]studycircle.Assignment, 0, expected)
	err = r.with(ctx, func(c *rowConn) error {
		s := bind(c)
		if err := each(s, func() { out = append(out, rowAssignment(s)) }); err != nil {
			return err
		}
		return r.name(c, version, out)
	})
	return out, err
}

func rowAssignment(s *sqlite.Stmt) studycircle.Assignment {
	return studycircle.Assignment{
		Seq: s.ColumnInt64(0), ID: s.ColumnText(1), Creator: studycircle.Person{UserID: s.ColumnText(2)},
		Title: s.ColumnText(3), Description: s.ColumnText(4), Thumbnail: s.ColumnText(5),
		Marks: s.ColumnInt64(6), Level: rowLevel(s.ColumnText(7)),
		Due:       studycircle.DueDateAt(s.ColumnInt64(8), int(s.ColumnInt64(9))),
		CreatedAt: instant(s.ColumnInt64(10)), UpdatedAt: instant(s.ColumnInt64(11)),
	}
}

// rowLevel shares the levels' memory.
func rowLevel(text string) studycircle.Level {
	if i := slices.Index(studycircle.Levels, studycircle.Level(text)); i >= 0 {
		return studycircle.Levels[i]
	}
	return studycircle.Level(text)
}

// name fills in who the creators are, as of version or later.
func (r *sqliteReads) name(c *rowConn, version uint64, found []studycircle.Assignment) error {
	for i := range found {
		creator := &found[i].Creator
		if creator.UserID == "" {
			continue
		}
		r.mu.Lock()
		p, known := r.people[creator.UserID]
		known = known && r.version == version
		r.mu.Unlock()
		if !known {
			p.UserID = creator.UserID
			c.person.BindText(1, p.UserID)
			if err := each(c.person, func() { p.Email, p.DisplayName = c.person.ColumnText(0), c.person.ColumnText(1) }); err != nil {
				return err
			}
			r.keep(version, p)
		}
		*creator = p
	}
	return nil
}

// keep stores somebody who was read after version was told.
func (r *sqliteReads) keep(version uint64, p studycircle.Person) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version < r.version {
		return
	}
	if version > r.version || len(r.people) >= maxPeople {
		r.version, r.people = version, map[string]studycircle.Person{}
	}
	r.people[p.UserID] = p
}

// sqlcReads reads by the queries that sqlc makes.
type sqlcReads struct{ query *db.Queries }

func (r sqlcReads) assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	return getAssignment(ctx, r.query, id)
}

func (r sqlcReads) down(ctx context.Context, level studycircle.Level, from, skip, limit int64) ([]studycircle.Assignment, error) {
	if level == "" {
		rows, err := r.query.AssignmentsDownFrom(ctx, db.AssignmentsDownFromParams{Seq: from, RowSkip: skip, RowLimit: limit})
		out := make([]studycircle.Assignment, len(rows))
		for i, r := range rows {
			out[i] = toAssignment(r.Assignment, r.CreatorEmail, r.CreatorName)
		}
		return out, err
	}
	rows, err := r.query.AssignmentsOfLevelDownFrom(ctx, db.AssignmentsOfLevelDownFromParams{
		Level: string(level), Seq: from, RowSkip: skip, RowLimit: limit,
	})
	out := make([]studycircle.Assignment, len(rows))
	for i, r := range rows {
		out[i] = toAssignment(r.Assignment, r.CreatorEmail, r.CreatorName)
	}
	return out, err
}

func (r sqlcReads) bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error) {
	out := make([]studycircle.Assignment, 0, len(seqs))
	for ten := range slices.Chunk(seqs, 10) {
		at := func(i int) int64 { return ten[min(i, len(ten)-1)] }
		rows, err := r.query.AssignmentsBySeqs(ctx, db.AssignmentsBySeqsParams{
			Seq: at(0), Seq_2: at(1), Seq_3: at(2), Seq_4: at(3), Seq_5: at(4),
			Seq_6: at(5), Seq_7: at(6), Seq_8: at(7), Seq_9: at(8), Seq_10: at(9),
		})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, toAssignment(r.Assignment, r.CreatorEmail, r.CreatorName))
		}
	}
	return out, nil
}

func (r sqlcReads) positions(ctx context.Context, level studycircle.Level, block int64) ([]int64, error) {
	return r.query.AssignmentPositions(ctx, db.AssignmentPositionsParams{
		Level: string(level), FirstSeq: block * blockRows, EndSeq: (block + 1) * blockRows,
	})
}

func (sqlcReads) close() error { return nil }
