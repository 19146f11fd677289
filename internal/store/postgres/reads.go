package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// limits are the numbers of rows that statements are for. The limit is part of the statement: with a parameter
// PostgreSQL overestimates the generic plan, and plans anew for every page, which costs more than reading it. Few
// limits mean few prepared statements on each connection.
var limits = [...]int64{10, 25, 50, 100, 1000}

func roundedUp(limit int64) int64 {
	for _, l := range limits {
		if limit <= l {
			return l
		}
	}
	return limit
}

// Page implements engine.Reader.
func (d *DB) Page(
	ctx context.Context, v studycircle.Viewer, l *engine.List, args []any, start pages.Start,
	limit int64, into engine.Sink,
) error {
	args = append(l.Args(v, args, 2), start.From)
	if start.Skip > 0 {
		args = append(args, start.Skip)
	}
	return d.read(ctx, into, limit, pageText(l, v.Role(), start.Skip > 0, roundedUp(limit)), args...)
}

// Find implements engine.Reader.
func (d *DB) Find(ctx context.Context, v studycircle.Viewer, l *engine.Lookup, keys []any, into engine.Sink) error {
	if len(keys) == 1 {
		return d.read(ctx, into, 1, l.SQL(v.Role()), l.Args(v, keys[0])...)
	}
	return d.read(ctx, into, int64(len(keys)), findMany(l, v.Role()), l.Args(v, keysOf(l.Kind, keys))...)
}

// maxReading is the number of connections for reads, which no write waits for.
const maxReading = 8

// read gives at most limit rows of a query to into. It repeats the query on another connection while it meets one that
// PostgreSQL has closed since its last use.
func (d *DB) read(ctx context.Context, into engine.Sink, limit int64, text string, args ...any) (err error) {
	for range maxReading + 1 {
		if err = engine.SelectSome(ctx, engine.Brief{DB: d.reads}, into, limit, text, args...); !isClosed(err) ||
			ctx.Err() != nil {
			return err
		}
	}
	return err
}

func keysOf(kind engine.Kind, keys []any) any {
	if kind == engine.Int {
		return typed[int64](keys)
	}
	return typed[string](keys)
}

func typed[V any](keys []any) []V {
	out := make([]V, len(keys))
	for i, k := range keys {
		out[i], _ = k.(V) // the lookup declares its type
	}
	return out
}

// findMany spells the query for the rows with one of the keys $1. The unnested keys come from a query of their own, so
// that PostgreSQL, which cannot see their number, keeps one plan for all.
func findMany(l *engine.Lookup, r studycircle.Role) string {
	return engine.Spelled(textKey{lookup: l, role: r, skips: true}, func() string {
		kind := "TEXT"
		if l.Kind == engine.Int {
			kind = "BIGINT"
		}
		return "SELECT one.* FROM unnest((SELECT CAST($1 AS " + kind + "[]))) AS w (key) CROSS JOIN LATERAL (" +
			l.Spell(r, " = w.key", "$2") + " LIMIT 1) one"
	})
}

// textKey is the key of a statement's text: a declaration, and one of limits.
type textKey struct {
	list   *engine.List
	lookup *engine.Lookup
	role   studycircle.Role
	skips  bool
	limit  int64
}

// pageText spells the query for a page of rows in the order of their positions.
func pageText(l *engine.List, r studycircle.Role, skips bool, limit int64) string {
	return engine.Spelled(textKey{list: l, role: r, skips: skips, limit: limit}, func() string {
		order, from := l.Position, " >= "
		if l.Order == pages.NewestFirst {
			order, from = l.Position+" DESC", " <= "
		}
		conditions := l.Conditions(r, "t")
		n := len(l.By) + 1 // the first parameter after theirs
		if l.Of.Guard.Asks(r) {
			n++
		}
		of := l.Of.Name + " t WHERE " + strings.Join(append(conditions, l.Position+from), " AND ")
		first := dollar(n)
		if skips {
			// An index alone gives the position of the first row after skipping fewer than a block has.
			first = fmt.Sprintf("(SELECT %[1]s FROM (SELECT %[1]s FROM %[2]s ORDER BY %[3]s LIMIT %[4]d) AS near ORDER BY "+
				"%[3]s LIMIT 1 OFFSET $%[5]d)",
				l.Position, of+first, order, pages.BlockRows, n+1)
		}
		return "SELECT " + l.Of.Selected("t", true) + " FROM (SELECT t.* FROM " + of + first + " ORDER BY " + order +
			" LIMIT " + strconv.FormatInt(limit, 10) + ") t" + l.Of.Joined("t") + " ORDER BY t." + order
	})
}
