package postgres

import (
	"context"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"studycircle/internal/store/engine"
)

// readers send concurrent queries to PostgreSQL in batches, each reader on its own connection: a round trip costs
// more than most reads. A query sees the state at the time of sending, which is after it was asked.
type readers struct {
	*workers[query]
	all []*reader
}

type reader struct {
	config *pgx.ConnConfig
	conn   *pgx.Conn // nil if there is none
}

// maxAsked bounds the queries that wait for each other's answers.
const maxAsked = 32

func newReaders(config *pgx.ConnConfig) *readers {
	r := &readers{}
	n := min(max(2, runtime.GOMAXPROCS(0)), 8)
	var all []func([]*job[query])
	for range n {
		one := &reader{config: config}
		r.all = append(r.all, one)
		all = append(all, one.work)
	}
	r.workers = newWorkers(maxAsked, all...)
	return r
}

func (r *readers) close() {
	r.workers.close()
	for _, one := range r.all {
		one.drop()
	}
}

// work answers all jobs. A lost connection is opened again. If PostgreSQL refuses one of the queries, each runs
// alone.
func (r *reader) work(jobs []*job[query]) {
	ctx, cancel := context.WithTimeout(context.Background(), engine.AskTimeout)
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
		j.answer <- r.ask(ctx, []*job[query]{j})
	}
}

func (r *reader) ask(ctx context.Context, jobs []*job[query]) (err error) {
	if r.conn == nil {
		if r.conn, err = pgx.ConnectConfig(ctx, r.config); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	for _, j := range jobs {
		batch.Queue(j.of.text, j.of.args...).Query(into(j.of.sink, j.of.limit))
	}
	err = sendBatch(ctx, r.conn, batch)
	if r.conn.IsClosed() {
		r.conn = nil
	}
	return err
}

func (r *reader) drop() {
	if r.conn != nil {
		hangUp(r.conn)
		r.conn = nil
	}
}

// hangUpPatience is the time to tell the server that a connection closes.
const hangUpPatience = 500 * time.Millisecond

// hangUp closes a connection that was only read from.
func hangUp(conn interface {
	Close(ctx context.Context) error
}) {
	ctx, cancel := context.WithTimeout(context.Background(), hangUpPatience)
	defer cancel()
	_ = conn.Close(ctx) // it is closed either way
}
