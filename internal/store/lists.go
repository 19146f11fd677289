package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// ownPage returns a page of a list of one user, assignment or circle, and the number of its rows. Both are read from an
// index of the list's columns and position. Callers must let only those see the list who may see all of it.
func ownPage[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.List, args []any,
	p studycircle.Page,
) ([]T, int64, error) {
	total, err := s.count(ctx, l, args...)
	if err != nil || p.Skip() >= total || p.Limit == 0 {
		return nil, total, err
	}
	from := int64(0)
	if l.Order == pages.NewestFirst {
		from = math.MaxInt64
	}
	if p.Skip() > 0 { // the first page starts with the newest row, even if it was moved after it was counted
		var found []int64
		err := askText(ctx, s, l.PositionSQL(), numberInto(&found), append(slices.Clip(args), p.Skip())...)
		if err != nil || len(found) == 0 {
			return nil, total, err
		}
		from = found[0]
	}
	found := t.CollectPage(p.Limit)
	if err := s.engine.Page(ctx, v, l, args, pages.Start{From: from}, p.Limit, found); err != nil {
		return nil, 0, err // the result may still be written to
	}
	return found.All, total, nil
}

// count returns the number of rows of a list of one user, assignment or circle.
func (s *Store) count(ctx context.Context, l *engine.List, args ...any) (n int64, err error) {
	err = askText(ctx, s, l.CountSQL(), func(rows *sql.Rows) error { return rows.Scan(&n) }, args...)
	return n, err
}

// page returns a page of a list, and the number of rows in the scopes that count it.
func page[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.List, args []any,
	in pages.Set, p studycircle.Page,
) ([]T, int64, error) {
	return span(ctx, s, v, t, l, args, in, p.Skip(), p.Limit)
}

// span is page for any range of a list. If room is 0, it only counts.
func span[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.List, args []any,
	in pages.Set, skip, room int64,
) ([]T, int64, error) {
	start, err := s.engine.Counts().Locate(ctx, l.Order, skip, in)
	if err != nil || !start.Found || room == 0 {
		return nil, start.Total, err
	}
	found := t.CollectPage(room)
	if err := s.engine.Page(ctx, v, l, args, start, room, found); err != nil {
		return nil, 0, err // the result may still be written to
	}
	return found.All, start.Total, nil
}

// ask runs a query as v and calls scan with each row.
func ask(
	ctx context.Context, s *Store, v studycircle.Viewer, q *engine.Query, scan func(*sql.Rows) error, args ...any,
) error {
	text, args := q.For(v, args...)
	return askText(ctx, s, text, scan, args...)
}

// answers collect what of makes of each row of a query.
type answers[T any] struct {
	of  func(engine.Row) T
	all []T
}

func collecting[T any](of func(engine.Row) T) *answers[T] { return &answers[T]{of: of} }

// Reset implements engine.Sink.
func (a *answers[T]) Reset() { a.all = nil }

// Row implements engine.Sink.
func (a *answers[T]) Row(r engine.Row) { a.all = append(a.all, a.of(r)) }

func firstText(r engine.Row) string { return r.Text(0) }

// question returns a query as v asks it, for AskAll.
func question(v studycircle.Viewer, q *engine.Query, into engine.Sink, args ...any) engine.Question {
	text, args := q.For(v, args...)
	return engine.Question{Text: text, Args: args, Into: into}
}

// askText is ask for the text of a query.
func askText(ctx context.Context, s *Store, text string, scan func(*sql.Rows) error, args ...any) error {
	return eachRow(ctx, s.engine.Reads(), text, scan, args...)
}

// eachRow calls scan with each row of a query.
func eachRow(ctx context.Context, on db.DBTX, text string, scan func(*sql.Rows) error, args ...any) (err error) {
	rows, err := on.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// askMany runs a query about some ids as v, for the arguments before them, and gives its
// rows to into.
func askMany(
	ctx context.Context, s *Store, v studycircle.Viewer, q tables.ManyIDs, ids []string, into engine.Sink, first ...any,
) error {
	one, args := q.For(ids, first...)
	text, args := one.For(v, args...)
	return engine.Select(ctx, s.engine.Reads(), into, text, args...)
}

// askNumbers returns the numbers in the one column of a query's rows.
func askNumbers(
	ctx context.Context, s *Store, v studycircle.Viewer, q *engine.Query, args ...any,
) (all []int64, err error) {
	err = ask(ctx, s, v, q, numberInto(&all), args...)
	return all, err
}

// numberInto scans rows of one number.
func numberInto(all *[]int64) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		*all = append(*all, n)
		return err
	}
}

// askNumber returns the number that a query counts.
func askNumber(ctx context.Context, s *Store, v studycircle.Viewer, q *engine.Query, args ...any) (int64, error) {
	all, err := askNumbers(ctx, s, v, q, args...)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return all[0], nil
}

// find returns the row with a key, or ErrNotFound.
func find[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.Lookup, key any,
) (one T, err error) {
	found := t.Collect(1)
	if err := s.engine.Find(ctx, v, l, []any{key}, found); err != nil {
		return one, err
	}
	return only(found)
}

// findIn is find as a transaction sees it.
func findIn[T any](
	ctx context.Context, tx *Tx, v studycircle.Viewer, t *engine.Table[T], l *engine.Lookup, key any,
) (one T, err error) {
	found := t.Collect(1)
	if err := tx.Find(ctx, v, l, key, found); err != nil {
		return one, err
	}
	return only(found)
}

func only[T any](found *engine.Rows[T]) (one T, err error) {
	if len(found.All) == 0 {
		return one, studycircle.ErrNotFound
	}
	return found.All[0], nil
}

// search returns a page of the results of an index, matches in the title first, and the number of matches, up to
// MaxMatches. place returns a row's position in the index.
func search[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.Lookup, m engine.Match,
	p studycircle.Page, place func(T) int64,
) ([]T, int64, error) {
	if len(m.Words) == 0 {
		return nil, 0, nil
	}
	places, total, err := s.engine.Search(ctx, m, p)
	if err != nil || len(places) == 0 {
		return nil, total, err
	}
	out, err := inOrder(ctx, s, v, t, l, places, place)
	if err != nil {
		return nil, 0, err
	}
	return out, total, nil
}

// inOrder returns the rows at some positions, in their order, without rows deleted meanwhile. place returns a row's
// position.
func inOrder[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.Lookup,
	places []int64, place func(T) int64,
) ([]T, error) {
	if len(places) == 0 {
		return nil, nil
	}
	keys := make([]any, len(places))
	for i, at := range places {
		keys[i] = at
	}
	found := t.CollectPage(int64(len(keys)))
	if err := s.engine.Find(ctx, v, l, keys, found); err != nil {
		return nil, err
	}
	at := make(map[int64]T, len(found.All))
	for _, row := range found.All {
		at[place(row)] = row
	}
	out := make([]T, 0, len(places))
	for _, n := range places {
		if row, live := at[n]; live {
			out = append(out, row)
		}
	}
	return out, nil
}
