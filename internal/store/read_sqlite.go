package store

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"zombiezen.com/go/sqlite"

	"studycircle"
)

// rowReads is the second read path, for what is read most. It goes past
// database/sql, which costs several times what such a read does; but not for one's
// own submissions on SQLite.
type rowReads interface {
	// assignment returns a live assignment; studycircle.ErrNotFound.
	assignment(ctx context.Context, id string) (studycircle.Assignment, error)
	// down returns live assignments from a start on, newest first. level may be
	// empty for all.
	down(ctx context.Context, level studycircle.Level, start pageStart, limit int64) ([]studycircle.Assignment, error)
	// bySeqs returns those of the assignments that live, in no order.
	bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error)
	// positions returns the positions of live assignments in a block, ascending;
	// none where down passes rows as quickly.
	positions(ctx context.Context, level studycircle.Level, block int64) ([]int64, error)
	// pending returns pending submissions from a start on, oldest first.
	pending(ctx context.Context, start pageStart, limit int64) ([]studycircle.Submission, error)
	// pendingPositions is to pending as positions to down.
	pendingPositions(ctx context.Context, block int64) ([]int64, error)
	// own returns a user's submissions from a start on, newest first. status may be
	// empty for all.
	own(ctx context.Context, userID string, status studycircle.Status, start pageStart, limit int64) ([]studycircle.Submission, error)
	// ownPositions is to own as positions to down.
	ownPositions(ctx context.Context, userID string, status studycircle.Status, block int64) ([]int64, error)
	close() error
}

// sqliteReads are a few connections with their statements prepared, each used by
// one reader at a time.
//
// A connection that has read keeps its transaction open for as long as nothing is
// committed, which saves each reader to begin and end one. While one is open,
// SQLite cannot save all of its log and begin it anew; so none is kept while
// somebody writes, nor where the log has become long: see settle.
type sqliteReads struct {
	store *Store
	free  chan *rowConn
	all   []*rowConn
	once  sync.Once

	places places

	log  *sqliteVersions
	calm atomic.Uint64 // the version that has stood for a while; 0 for none
}

// settleEvery is how long a version must stand before transactions are kept open
// under it, and how long they are kept open after it is over. The log grows by
// what is written in that time.
const settleEvery = 100 * time.Millisecond

func newSQLiteReads(s *Store, dir string, log *sqliteVersions) (*sqliteReads, error) {
	n := min(max(2, runtime.GOMAXPROCS(0)), 8)
	known := &people{bound: maxPeople}
	r := &sqliteReads{store: s, free: make(chan *rowConn, n), places: places{seed: maphash.MakeSeed()}, log: log}
	for range n {
		c := &rowConn{file: filepath.Join(dir, fileName), people: known}
		if err := c.open(); err != nil {
			return nil, errors.Join(fmt.Errorf("open the embedded database: %w", err), r.close())
		}
		r.all = append(r.all, c)
		r.free <- c
	}
	return r, nil
}

// close waits for readers under way.
func (r *sqliteReads) close() (err error) {
	r.once.Do(func() {
		for range r.all {
			err = errors.Join(err, (<-r.free).close())
		}
		close(r.free)
	})
	return err
}

// run settles again and again until ctx ends.
func (r *sqliteReads) run(ctx context.Context) {
	var last uint64
	every(ctx, settleEvery, "", func(ctx context.Context) error {
		last = r.settle(ctx, last)
		return nil
	})
}

// settle ends the transactions that nobody can read from any more, or nobody has
// since it last came by, and lets new ones be kept where the version is still
// last. It returns the version.
func (r *sqliteReads) settle(ctx context.Context, last uint64) uint64 {
	version, err := r.store.Version(ctx)
	if err != nil {
		version = 0
	}
	if version == last && r.log.logMayGrow() {
		r.calm.Store(version)
	} else {
		r.calm.Store(0)
	}
	for range r.all {
		select {
		case c, open := <-r.free:
			if !open {
				return version
			}
			if c.under != version || !c.used || c.pastLog != r.log.logSaved() {
				c.end()
			}
			c.used = false
			r.free <- c
		default: // those at work see by themselves
		}
	}
	return version
}

// with lends f a connection, and the version that it reads, or an older one.
func (r *sqliteReads) with(ctx context.Context, f func(c *rowConn, version uint64) error) error {
	var c *rowConn
	open := true
	select {
	case c, open = <-r.free: // without asking ctx for a channel, which it would have to make
	default:
		select {
		case c, open = <-r.free:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if !open {
		return errClosed
	}
	defer func() { r.free <- c }()
	return c.guard(func() error { return r.use(ctx, c, f) })
}

func (r *sqliteReads) use(ctx context.Context, c *rowConn, f func(c *rowConn, version uint64) error) error {
	version, err := r.store.Version(ctx)
	if err != nil {
		return err
	}
	c.used = true
	pastLog := r.log.logSaved()
	if c.under == version && c.pastLog == pastLog {
		return f(c, version)
	}
	c.end()
	c.pastLog = pastLog
	keep := version == r.calm.Load()
	if keep {
		if err := c.begin(); err != nil {
			return err
		}
	}
	if err := f(c, version); err != nil || !keep {
		return err
	}
	// The transaction shows what was committed when f read first: that is version
	// if it is so before and after.
	if after, err := r.store.Version(ctx); err == nil && after == version {
		c.under = version
	}
	return nil
}

func (r *sqliteReads) assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	found, err := r.rows(ctx, 1, func(c *rowConn, t *taken) error {
		if seq, known := r.places.of(id); known {
			c.bySeq.BindInt64(1, seq)
			if err := t.from(c.bySeq); err != nil || len(t.rows) == 1 && t.rows[0].ID == id {
				return err
			}
			t.rows = t.rows[:0]
		}
		c.one.BindText(1, id)
		if err := t.from(c.one); err != nil || len(t.rows) == 0 {
			return err
		}
		r.places.remember(id, t.rows[0].Seq)
		return nil
	})
	if err == nil && len(found) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.Assignment{}, err
	}
	return found[0], nil
}

// sparse is how many positions for each row of a page are looked at in the order
// of the table, deleted rows among them, before an index is asked for the rest.
const sparse = 4

func (r *sqliteReads) down(ctx context.Context, level studycircle.Level, start pageStart, limit int64) ([]studycircle.Assignment, error) {
	return r.rows(ctx, int(limit), func(c *rowConn, t *taken) error {
		from := start.from
		if level == "" && start.skip == 0 {
			end := from - sparse*limit
			c.near.BindInt64(1, from)
			c.near.BindInt64(2, end)
			c.near.BindInt64(3, limit)
			if err := t.from(c.near); err != nil || len(t.rows) == int(limit) || end < 0 {
				return err
			}
			from, limit = end, limit-int64(len(t.rows))
		}
		s := c.page
		if level != "" {
			s = c.levelPage
			s.BindText(4, string(level))
		}
		s.BindInt64(1, from)
		s.BindInt64(2, limit)
		s.BindInt64(3, start.skip)
		return t.from(s)
	})
}

func (r *sqliteReads) bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error) {
	return r.rows(ctx, len(seqs), func(c *rowConn, t *taken) error {
		for _, seq := range seqs {
			c.bySeq.BindInt64(1, seq)
			if err := t.from(c.bySeq); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *sqliteReads) positions(ctx context.Context, level studycircle.Level, block int64) ([]int64, error) {
	return r.inBlock(ctx, block, func(c *rowConn) *sqlite.Stmt {
		if level == "" {
			return c.blocks
		}
		c.levelBlocks.BindText(3, string(level))
		return c.levelBlocks
	})
}

func (r *sqliteReads) pendingPositions(ctx context.Context, block int64) ([]int64, error) {
	return r.inBlock(ctx, block, func(c *rowConn) *sqlite.Stmt { return c.pendingBlocks })
}

// inBlock returns the numbers that a statement finds between two positions.
func (r *sqliteReads) inBlock(ctx context.Context, block int64, statement func(*rowConn) *sqlite.Stmt) (out []int64, err error) {
	err = r.with(ctx, func(c *rowConn, _ uint64) error {
		s := statement(c)
		s.BindInt64(1, block*blockRows)
		s.BindInt64(2, (block+1)*blockRows)
		return each(s, func() { out = append(out, s.ColumnInt64(0)) })
	})
	return out, err
}

func (r *sqliteReads) pending(ctx context.Context, start pageStart, limit int64) ([]studycircle.Submission, error) {
	t := textsOf(int(limit))
	found := make([]studycircle.Submission, 0, limit)
	err := r.with(ctx, func(c *rowConn, version uint64) error {
		s := c.pending
		s.BindInt64(1, start.from)
		s.BindInt64(2, limit)
		s.BindInt64(3, start.skip)
		err := each(s, func() {
			found = append(found, studycircle.Submission{
				ID: t.column(s, 0), AssignmentID: t.column(s, 1), AssignmentTitle: t.column(s, 2), Marks: s.ColumnInt64(3),
				Submitter: studycircle.Person{UserID: t.column(s, 4)}, DocsLink: t.column(s, 5), Note: t.column(s, 6),
				Status: studycircle.Pending, SubmittedAt: instant(s.ColumnInt64(7)), Late: s.ColumnInt64(8) != 0,
			})
		})
		for i := 0; i < len(found) && err == nil; i++ {
			err = c.name(version, &found[i].Submitter)
		}
		return err
	})
	return found, err
}

// rows returns what read takes.
func (r *sqliteReads) rows(ctx context.Context, expected int, read func(*rowConn, *taken) error) ([]studycircle.Assignment, error) {
	t := taken{make([]studycircle.Assignment, 0, expected), textsOf(expected)}
	err := r.with(ctx, func(c *rowConn, version uint64) error {
		err := read(c, &t)
		for i := 0; i < len(t.rows) && err == nil; i++ {
			err = c.name(version, &t.rows[i].Creator)
		}
		return err
	})
	return t.rows, err
}

// taken are assignments as they come from statements.
type taken struct {
	rows []studycircle.Assignment
	texts
}

// from takes all rows of a bound statement.
func (t *taken) from(s *sqlite.Stmt) error {
	return each(s, func() {
		t.rows = append(t.rows, studycircle.Assignment{
			Seq: s.ColumnInt64(0), ID: t.column(s, 1), Creator: studycircle.Person{UserID: t.column(s, 2)},
			Title: t.column(s, 3), Description: t.column(s, 4), Thumbnail: t.column(s, 5),
			Marks: s.ColumnInt64(6), Level: rowLevel(t.column(s, 7)),
			Due:       studycircle.DueDateAt(s.ColumnInt64(8), int(s.ColumnInt64(9))),
			CreatedAt: instant(s.ColumnInt64(10)), UpdatedAt: instant(s.ColumnInt64(11)),
		})
	})
}

func (t *texts) column(s *sqlite.Stmt, column int) string {
	n := s.ColumnLen(column)
	if n == 0 {
		return ""
	}
	room := t.room(n)
	s.ColumnBytes(column, room)
	return unsafe.String(&room[0], n) //nolint:gosec // nobody writes there again
}
