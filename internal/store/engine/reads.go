package engine

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// Lists implements Reader on any engine.
type Lists struct{ DB db.DBTX }

// Page implements Reader.
func (r Lists) Page(
	ctx context.Context, v studycircle.Viewer, l *List, args []any, start pages.Start, limit int64, into Sink,
) error {
	args = append(l.Args(v, args, 2), start.From)
	if start.Skip > 0 {
		args = append(args, start.Skip)
	}
	return selectSome(ctx, r.DB, into, limit, l.PageSQL(v.Role(), start.Skip > 0, roundedUp(limit)), args...)
}

// Find implements Reader.
func (r Lists) Find(ctx context.Context, v studycircle.Viewer, l *Lookup, keys []any, into Sink) error {
	if len(keys) == 1 {
		return Select(ctx, r.DB, into, l.SQL(v.Role()), l.Args(v, keys...)...)
	}
	return l.findAll(v, keys, into, func(text string, args []any) (*sql.Rows, error) {
		return r.DB.QueryContext(ctx, text, args...)
	})
}

// Question is a query, whose rows Into has once it is answered.
type Question struct {
	Text string
	Args []any
	Into Sink
}

// AskAll implements Reader.
func (r Lists) AskAll(ctx context.Context, all []Question) error {
	for _, q := range all {
		if err := Select(ctx, r.DB, q.Into, q.Text, q.Args...); err != nil {
			return err
		}
	}
	return nil
}

// findAll gives to into the rows with one of the keys.
func (l *Lookup) findAll(
	v studycircle.Viewer, keys []any, into Sink, query func(text string, args []any) (*sql.Rows, error),
) error {
	into.Reset()
	for some := range slices.Chunk(keys, maxLimit) {
		size := int(roundedUp(int64(len(some))))
		padded := append(make([]any, 0, size+1), some...)
		for len(padded) < size {
			padded = append(padded, some[0]) // finds its row once
		}
		found, err := query(l.forSome(v.Role(), size), l.Args(v, padded...))
		if err != nil {
			return err
		}
		if err := collect(found, into, everyRow); err != nil {
			return err
		}
	}
	return nil
}

// Limits are the numbers of rows that statements are for. The limit is part of the statement: with a parameter
// PostgreSQL overestimates the generic plan, and plans anew for every page, which costs more than reading it. Few
// limits mean few prepared statements on each connection.
var Limits = [...]int64{10, 25, 50, 100, maxLimit}

const maxLimit = 1000

func roundedUp(limit int64) int64 {
	for _, l := range Limits {
		if limit <= l {
			return l
		}
	}
	return limit
}

// PageSQL returns the query for a page of rows in the order of their positions. The limit
// within keeps PostgreSQL's plan, of a database that was still empty, to the list's index.
func (l *List) PageSQL(r studycircle.Role, skips bool, limit int64) string {
	type key struct {
		of    *List
		role  studycircle.Role
		skips bool
		limit int64
	}
	return Spelled(key{l, r, skips, limit}, func() string {
		order, from := l.Position, " >= "
		if l.Order == pages.NewestFirst {
			order, from = l.Position+" DESC", " <= "
		}
		n := len(l.By) + 1 // the first parameter after those of the conditions
		if l.Of.Guard.Asks(r) {
			n++
		}
		of := l.Of.Name + " t WHERE " + strings.Join(append(l.Conditions(r, "t"), "t."+l.Position+from), " AND ")
		first := Dollar(n)
		if skips {
			// An index alone gives the position of the first row after skipping fewer than a block has.
			first = fmt.Sprintf("(SELECT %[1]s FROM (SELECT %[1]s FROM %[2]s ORDER BY %[3]s LIMIT %[4]d) AS near"+
				" ORDER BY %[3]s LIMIT 1 OFFSET $%[5]d)",
				l.Position, of+first, order, pages.BlockRows, n+1)
		}
		return "SELECT " + l.Of.Selected("t", true) + " FROM (SELECT t.* FROM " + of + first + " ORDER BY " + order +
			" LIMIT " + strconv.FormatInt(limit, 10) + ") t" + l.Of.Joined("t") + " ORDER BY t." + order
	})
}

// Dollar returns the n-th parameter of a statement, from 1, as both engines read it.
func Dollar(n int) string { return "$" + strconv.Itoa(n) }
