package store

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"studycircle"
)

// readers send what is asked at the same time to PostgreSQL in one go, each on a
// connection of its own, and what differs only in its parameters as one query: the
// way there and back costs more than most reads, and so does each query by itself.
// Each sees what is committed when it is sent, which is after it was asked.
type readers struct {
	*lanes[postgresQuery]
	all []*reader
}

type reader struct {
	config *pgx.ConnConfig
	conn   *pgx.Conn // nil where there is none
	people *people
}

// maxTogether bounds how many queries wait for each other's answers.
const maxTogether = 32

func newReaders(config *pgx.ConnConfig) *readers {
	r, known := &readers{}, &people{bound: maxPeople}
	n := min(max(2, runtime.GOMAXPROCS(0)), 8)
	var workers []func([]*job[postgresQuery])
	for range n {
		one := &reader{config: config, people: known}
		r.all = append(r.all, one)
		workers = append(workers, one.work)
	}
	r.lanes = newLanes(maxTogether, workers...)
	return r
}

func (r *readers) query(ctx context.Context, q postgresQuery) error { return r.do(ctx, q) }

func (r *readers) close() error {
	r.lanes.close()
	for _, one := range r.all {
		one.drop()
	}
	return nil
}

// work answers all jobs. A connection that has gone since it was last used is made
// anew; where PostgreSQL refuses one of the queries, each is asked alone.
func (r *reader) work(jobs []*job[postgresQuery]) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	had := r.conn != nil
	err := r.ask(ctx, jobs)
	if err != nil && had && r.conn == nil && ctx.Err() == nil {
		err = r.ask(ctx, jobs)
	}
	if err == nil || len(jobs) == 1 || r.conn == nil {
		answer(jobs, err)
		return
	}
	for _, j := range jobs {
		j.answer <- r.ask(ctx, []*job[postgresQuery]{j})
	}
}

func (r *reader) ask(ctx context.Context, jobs []*job[postgresQuery]) (err error) {
	if r.conn == nil {
		if r.conn, err = pgx.ConnectConfig(ctx, r.config); err != nil {
			return err
		}
	}
	var nameless []postgresQuery
	batch := &pgx.Batch{}
	for _, group := range alike(jobs) {
		if len(group) == 1 {
			group[0].queue(batch)
			continue
		}
		queueTogether(batch, group)
		if group[0].nameless != 0 {
			nameless = append(nameless, group...)
		}
	}
	err = sendBatch(ctx, r.conn, batch)
	if err == nil && nameless != nil {
		err = r.name(ctx, nameless)
	}
	if r.conn.IsClosed() {
		r.conn = nil
	}
	return err
}

// alike puts those together that may be asked so.
func alike(jobs []*job[postgresQuery]) (groups [][]postgresQuery) {
	for _, j := range jobs {
		q := j.of
		at := slices.IndexFunc(groups, func(g []postgresQuery) bool { return q.together != "" && g[0].together == q.together })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], q)
	}
	return groups
}

func (q postgresQuery) queue(batch *pgx.Batch) {
	batch.Queue(q.alone, q.args...).Query(func(rows pgx.Rows) error {
		q.into.empty()
		if err := checkColumns(rows, q.into.columns()+named); err != nil {
			return err
		}
		for rows.Next() {
			q.into.take(rows.RawValues(), false)
		}
		return rows.Err()
	})
}

func queueTogether(batch *pgx.Batch, group []postgresQuery) {
	arrays := make([]any, len(group[0].args))
	for i, arg := range group[0].args {
		switch arg.(type) {
		case int64:
			arrays[i] = parameters[int64](group, i)
		default:
			arrays[i] = parameters[string](group, i)
		}
	}
	batch.Queue(group[0].together, arrays...).Query(func(rows pgx.Rows) error {
		columns, isNameless := group[0].into.columns(), group[0].nameless != 0
		if !isNameless {
			columns += named
		}
		if err := checkColumns(rows, columns+"n"); err != nil {
			return err
		}
		for _, q := range group {
			q.into.empty()
		}
		for rows.Next() {
			values := rows.RawValues()
			last := postgresRow{values: values[len(columns):]}
			group[last.number(0)-1].into.take(values, isNameless)
		}
		return rows.Err()
	})
}

// parameters are what all give for one of them.
func parameters[T any](group []postgresQuery, at int) []T {
	array := make([]T, len(group))
	for i, q := range group {
		array[i], _ = q.args[at].(T)
	}
	return array
}

const selectPeople = `SELECT u.id, u.email, u.display_name FROM unnest((SELECT CAST($1 AS TEXT[]))) AS w (id)
	CROSS JOIN LATERAL (SELECT * FROM users WHERE id = w.id LIMIT 1) u`

// name says who the people are in what was found without.
func (r *reader) name(ctx context.Context, found []postgresQuery) error {
	var version uint64
	for _, q := range found {
		version = max(version, q.nameless)
	}
	var unknown []string
	var missing map[string]studycircle.Person
	for _, q := range found {
		q.into.people(func(p *studycircle.Person) {
			if who, known := r.people.as(version, p.UserID); known {
				*p = who
			} else if _, asked := missing[p.UserID]; !asked && p.UserID != "" {
				if missing == nil {
					missing = map[string]studycircle.Person{}
				}
				id := strings.Clone(p.UserID)
				missing[id] = studycircle.Person{UserID: id}
				unknown = append(unknown, id)
			}
		})
	}
	if unknown == nil {
		return nil
	}
	if err := r.whoAre(ctx, unknown, missing); err != nil {
		return err
	}
	for _, who := range missing {
		r.people.learned(version, who)
	}
	for _, q := range found {
		q.into.people(func(p *studycircle.Person) {
			if who, learned := missing[p.UserID]; learned {
				*p = who
			}
		})
	}
	return nil
}

// whoAre reads people into out; who is gone stays there as they are.
func (r *reader) whoAre(ctx context.Context, ids []string, out map[string]studycircle.Person) error {
	batch := &pgx.Batch{}
	batch.Queue(selectPeople, ids).Query(func(rows pgx.Rows) error {
		if err := checkColumns(rows, "ttt"); err != nil {
			return err
		}
		for rows.Next() {
			values := rows.RawValues()
			p := studycircle.Person{UserID: string(values[0]), Email: string(values[1]), DisplayName: string(values[2])}
			out[p.UserID] = p
		}
		return rows.Err()
	})
	return sendBatch(ctx, r.conn, batch)
}

func (r *reader) drop() {
	if r.conn != nil {
		hangUp(r.conn)
		r.conn = nil
	}
}

// hangUpPatience is how long the other side may take to hear of it.
const hangUpPatience = 500 * time.Millisecond

// hangUp closes a connection that only read.
func hangUp(conn interface {
	Close(ctx context.Context) error
}) {
	ctx, cancel := context.WithTimeout(context.Background(), hangUpPatience)
	defer cancel()
	_ = conn.Close(ctx) // it is closed either way
}
