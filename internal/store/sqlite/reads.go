package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"zombiezen.com/go/sqlite"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// readPool is a few connections with prepared statements, each used by one reader at a time. All lists are read by
// it, bypassing database/sql, which costs several times as much as the read.
type readPool struct {
	db   *DB
	free chan *conn
	all  []*conn
	once sync.Once
	keeper
}

func newReadPool(d *DB, file string) (*readPool, error) {
	n := min(max(2, runtime.GOMAXPROCS(0)), 8)
	known := &people{bound: maxPeople}
	p := &readPool{db: d, free: make(chan *conn, n)}
	for range n {
		c := &conn{file: file, people: known}
		if err := c.open(d); err != nil {
			return nil, errors.Join(fmt.Errorf("open the embedded database: %w", err), p.close())
		}
		p.all = append(p.all, c)
		p.free <- c
	}
	return p, nil
}

// close waits for running readers.
func (p *readPool) close() (err error) {
	p.once.Do(func() {
		for range p.all {
			err = errors.Join(err, (<-p.free).close())
		}
		close(p.free)
	})
	return err
}

// with lends f a connection, with the version that it reads, or an older one.
func (p *readPool) with(ctx context.Context, f func(c *conn, version uint64) error) error {
	var c *conn
	open := true
	select {
	case c, open = <-p.free: // without ctx.Done, which would allocate a channel
	default:
		select {
		case c, open = <-p.free:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if !open {
		return engine.ErrClosed
	}
	defer func() { p.free <- c }()
	if c.mapped && p.db.unmapped.Load() {
		if err := c.close(); err != nil {
			return err
		}
	}
	if c.raw == nil {
		if err := c.open(p.db); err != nil {
			return err
		}
	}
	return c.guard(p.db, func() error { return p.use(ctx, c, f) })
}

// listTexts are the statements of a list.
type listTexts struct{ page, near, positions string }

// listTexts spells the statements once for each role.
func (d *DB) listTexts(l *engine.List, r studycircle.Role) listTexts {
	if known, is := d.lists.Load(l); is {
		return known.(*[studycircle.Roles]listTexts)[r] //nolint:errcheck,forcetypeassert // stored below
	}
	var texts [studycircle.Roles]listTexts
	for r := range studycircle.Roles {
		texts[r] = spellList(l, r)
	}
	d.lists.Store(l, &texts)
	return texts[r]
}

func spellList(l *engine.List, r studycircle.Role) listTexts {
	conditions := l.Conditions(r, "t", numbered)
	where := " WHERE " + strings.Join(append(conditions, l.Position), " AND ")
	from, order := " >= ?", l.Position
	if l.Order == pages.NewestFirst {
		from, order = " <= ?", l.Position+" DESC"
	}
	rows := "SELECT " + l.Of.Selected("t", false) + " FROM " + l.Of.Name + " t"
	// The sum keeps SQLite from planning the statement anew for each limit.
	return listTexts{
		page:      rows + where + from + " ORDER BY " + order + " LIMIT ? + 0 OFFSET ? + 0",
		near:      rows + " NOT INDEXED" + where + from + " AND " + l.Position + " > ? ORDER BY " + order + " LIMIT ? + 0",
		positions: "SELECT " + l.Position + " FROM " + l.Of.Name + " t" + where + " >= ? AND " + l.Position + " < ? ORDER BY " + l.Position,
	}
}

// lookupText spells a lookup once for each role.
func (d *DB) lookupText(l *engine.Lookup, r studycircle.Role) string {
	if known, is := d.lists.Load(l); is {
		return known.(*[studycircle.Roles]string)[r] //nolint:errcheck,forcetypeassert // stored below
	}
	var texts [studycircle.Roles]string
	for r := range studycircle.Roles {
		texts[r] = "SELECT " + l.Of.Selected("t", false) + " FROM " + l.Of.Name + " t WHERE t." + l.Key + " = ?" + l.Last("t") + l.And(r, "t", numbered(2))
	}
	d.lists.Store(l, &texts)
	return texts[r]
}

// sparse is the number of positions for each row of a page, with deleted rows, that are read in the table's order
// before an index is used for the rest.
const sparse = 4

// Page implements engine.Reader.
func (d *DB) Page(ctx context.Context, v studycircle.Viewer, l *engine.List, args []any, start pages.Start, limit int64, into engine.Sink) error {
	texts := d.listTexts(l, v.Role())
	return d.read(ctx, limit, into, func(give func(text string, args ...any) (int64, error)) error {
		from := start.From
		if l.Dense && start.Skip == 0 {
			end := from - sparse*limit
			n, err := give(texts.near, append(l.Args(v, args, 3), from, end, limit)...)
			if err != nil || n == limit || end < 0 {
				return err
			}
			from, limit = end, limit-n
		}
		_, err := give(texts.page, append(l.Args(v, args, 3), from, limit, start.Skip)...)
		return err
	})
}

// Find implements engine.Reader.
func (d *DB) Find(ctx context.Context, v studycircle.Viewer, l *engine.Lookup, keys []any, into engine.Sink) error {
	text := d.lookupText(l, v.Role())
	asks := l.Of.Guard.Asks(v.Role())
	return d.read(ctx, int64(len(keys)), into, func(give func(text string, args ...any) (int64, error)) error {
		for _, key := range keys {
			args := []any{key}
			if asks {
				args = append(args, v.UserID())
			}
			if _, err := give(text, args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// read passes the results of statements to into, all under one version.
func (d *DB) read(ctx context.Context, expected int64, into engine.Sink, ask func(give func(text string, args ...any) (int64, error)) error) error {
	r := row{texts: textsOf(expected)}
	return d.rows.with(ctx, func(c *conn, version uint64) error {
		into.Reset()
		r.c, r.version = c, version
		return ask(func(text string, args ...any) (n int64, err error) {
			if r.s, err = c.bound(text, args...); err != nil {
				return 0, err
			}
			err = each(r.s, func() {
				n++
				into.Row(&r)
			})
			return n, errors.Join(err, r.err)
		})
	})
}

// Positions implements engine.Reader.
func (d *DB) Positions(ctx context.Context, v studycircle.Viewer, l *engine.List, args []any, block int64) (out []int64, err error) {
	texts := d.listTexts(l, v.Role())
	args = append(l.Args(v, args, 2), block*pages.BlockRows, (block+1)*pages.BlockRows)
	err = d.rows.with(ctx, func(c *conn, _ uint64) error {
		return c.each(func(s *sqlite.Stmt) { out = append(out, s.ColumnInt64(0)) }, texts.positions, args...)
	})
	return out, err
}
