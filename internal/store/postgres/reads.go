package postgres

import (
	"context"
	"database/sql"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Page implements engine.Reader.
func (d *DB) Page(
	ctx context.Context, v studycircle.Viewer, l *engine.List, args []any, start pages.Start,
	limit int64, into engine.Sink,
) error {
	return d.read(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return engine.Lists{DB: conn}.Page(ctx, v, l, args, start, limit, into)
	})
}

// Find implements engine.Reader.
func (d *DB) Find(ctx context.Context, v studycircle.Viewer, l *engine.Lookup, keys []any, into engine.Sink) error {
	return d.read(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if len(keys) == 1 {
			return engine.Lists{DB: conn}.Find(ctx, v, l, keys, into)
		}
		return engine.Select(ctx, conn, into, findMany(l, v.Role()), l.Args(v, keysOf(l.Kind, keys))...)
	})
}

// AskAll implements engine.Reader. It asks in one round trip.
func (d *DB) AskAll(ctx context.Context, all []engine.Question) error {
	return d.read(ctx, func(ctx context.Context, conn *sql.Conn) error {
		batch := &pgx.Batch{}
		for _, q := range all {
			batch.Queue(q.Text, q.Args...).Query(into(q.Into, math.MaxInt64))
		}
		return sendOn(ctx, conn, batch)
	})
}

// maxReading is the number of connections for reads, which no write waits for.
const maxReading = 8

// closedWithin is how soon a query fails on a connection that PostgreSQL has closed before. One that fails later was
// given up by connWatch, and another one would have to wait as long.
const closedWithin = time.Second

// read runs a query on a connection of its own. It does not watch ctx meanwhile: pgx would give up the connection. It
// repeats the query while it meets a connection that PostgreSQL has closed since its last use.
func (d *DB) read(ctx context.Context, query func(context.Context, *sql.Conn) error) (err error) {
	once := func() error {
		conn, err := d.reads.Conn(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }() // it returns to the pool
		return query(context.WithoutCancel(ctx), conn)
	}
	began := time.Now()
	for range maxReading + 1 {
		if err = once(); !isClosed(err) || ctx.Err() != nil || time.Since(began) > closedWithin {
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
	type key struct {
		of   *engine.Lookup
		role studycircle.Role
	}
	return engine.Spelled(key{l, r}, func() string {
		kind := "TEXT"
		if l.Kind == engine.Int {
			kind = "BIGINT"
		}
		return "SELECT one.* FROM unnest((SELECT CAST($1 AS " + kind + "[]))) AS w (key) CROSS JOIN LATERAL (" +
			l.Spell(r, " = w.key", "$2") + " LIMIT 1) one"
	})
}
