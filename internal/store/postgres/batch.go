package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
)

// request is a request to write what decide returns for a noun, and to count a use of a limit with it.
type request[N, R any] struct {
	noun   wanted // its zero value if nothing is to be read
	use    limit.Use
	decide func(N) (decision[R], error)
	came   time.Time // set by write
}

// wanted is a noun that is read by its id for a viewer.
type wanted struct {
	id     string
	viewer studycircle.Viewer
}

// batcher writes concurrent requests in one transaction with few round trips. It reads the nouns and decides, locks
// the rows that the writes depend on, decides about those in circles, writes everything and its effects, and commits.
//
// A batch skips rows that another transaction has locked. A request that needs such a row leaves the batch and runs
// in a batch of its own, which waits for locks; so do all requests if PostgreSQL refuses the transaction. So no
// request delays or fails the others, and two batches, of one node or of two, never wait for each other.
type batcher[N, R any] struct {
	*workers[request[N, R]]
	db    *DB
	begin func() operation[N, R]
}

// operation is one kind of write in one batch.
type operation[N, R any] interface {
	// find queues the reads of nouns into found, each for its own viewer.
	find(batch *pgx.Batch, nouns []wanted, found map[wanted]N)
	// lock queues the locks that rows depend on, those of places after those of users, and reports whether there are
	// any. With all it waits for locked rows; otherwise it skips them.
	lock(batch *pgx.Batch, rows []R, places *batchPlaces, all bool) bool
	// check accepts a row, or returns why it is not written: errUnbatched if the batch does not hold its lock.
	check(row R) error
	// store queues the statements that write the accepted rows.
	store(batch *pgx.Batch)
	// stored returns why an accepted row was not written after all.
	stored(row R) error
	// record records in tx the effects of the written rows.
	record(ctx context.Context, tx *engine.Tx) error
	// alone translates an error of a batch that has one request.
	alone(err error) error
}

const (
	// maxBatch keeps the events of a batch, up to four a request, below MaxAnnounced.
	maxBatch = engine.MaxAnnounced / 4
	// batchPatience bounds the time until a batch's commit is answered, from the arrival of its first request: on a
	// frozen PostgreSQL requests have already waited for the batch. A request that continues alone has the rest of
	// it.
	batchPatience = 4 * time.Second
	// boundLocks is for waits that a batch of several requests should never have; in milliseconds, less than
	// PostgreSQL's deadlock timeout.
	boundLocks = "SET LOCAL lock_timeout = 250"
)

// errUnbatched makes a request run in a batch of its own.
var errUnbatched = errors.New("not to be written together with others")

// newBatcher starts some workers. Operations that lock rows need one worker: a second one would meet rows of the same
// users, which the first has locked.
func newBatcher[N, R any](d *DB, n int, begin func() operation[N, R]) *batcher[N, R] {
	b := &batcher[N, R]{db: d, begin: begin}
	b.workers = newWorkers(maxBatch, slices.Repeat([]func([]*job[request[N, R]]){b.work}, n)...)
	return b
}

// write performs a request and returns once it is durable.
func (b *batcher[N, R]) write(ctx context.Context, r request[N, R]) error {
	ctx, err := engine.EnterWrite(ctx)
	if err != nil {
		return err
	}
	r.came = time.Now()
	err = b.do(ctx, r)
	if errors.Is(err, errUnbatched) {
		answers := make([]error, 1)
		if err = b.run(ctx, []request[N, R]{r}, answers, true); err == nil {
			err = answers[0]
		}
		err = b.begin().alone(err)
	}
	return b.db.noteUnwritable(err)
}

// work answers all jobs once their writes are durable.
func (b *batcher[N, R]) work(jobs []*job[request[N, R]]) {
	requests, answers := make([]request[N, R], len(jobs)), make([]error, len(jobs))
	for i, j := range jobs {
		requests[i] = j.of
	}
	err := b.run(context.Background(), requests, answers, false)
	if _, refused := errors.AsType[*pgconn.PgError](err); refused && (isLocked(err) || !isUnavailable(err)) {
		err = errUnbatched
	}
	for i, j := range jobs {
		if err != nil {
			answers[i] = err
		}
		j.answer <- answers[i]
	}
}

// run fills in the answers. If it returns an error, nothing was written, or the outcome is unknown.
func (b *batcher[N, R]) run(ctx context.Context, requests []request[N, R], answers []error, alone bool) error {
	ctx, cancel := context.WithDeadline(ctx, requests[0].came.Add(batchPatience))
	defer cancel()
	return retried(func() error {
		conn, err := b.db.pool.Conn(ctx)
		if err != nil {
			return err
		}
		a := &attempt[N, R]{db: b.db, conn: conn, op: b.begin(), requests: requests, answers: answers, alone: alone}
		return errors.Join(a.run(ctx), conn.Close())
	})
}

// attempt is one try of a batch.
type attempt[N, R any] struct {
	db       *DB
	conn     *sql.Conn
	op       operation[N, R]
	limits   batchLimits
	places   batchPlaces
	requests []request[N, R]
	answers  []error
	rows     []decision[R]
	open     []int // the requests that depend on the transaction
	alone    bool  // the batch has one request, and waits for locks
}

func (a *attempt[N, R]) run(ctx context.Context) error {
	if err := a.decide(ctx); err != nil || len(a.open) == 0 {
		return unwritten(err)
	}
	committed := false
	defer func() {
		if !committed {
			rollback(ctx, a.conn)
		}
	}()
	batch := &pgx.Batch{}
	if err := a.lock(ctx, batch); err != nil || len(a.open) == 0 {
		return unwritten(err)
	}
	if err := a.store(ctx, batch); err != nil || len(a.open) == 0 {
		return unwritten(err)
	}
	last := &pgx.Batch{}
	queued := &pipeline{conn: a.conn, queued: last, begun: true}
	tx := &engine.Tx{Engine: a.db, Later: queued.later()}
	if err := a.op.record(ctx, tx); err != nil {
		return err
	}
	queueSearch(last, tx)
	a.limits.put(last)
	if err := commit(ctx, a.conn, &tx.Effects, last); err != nil {
		return err
	}
	committed = true
	if a.db.committed != nil {
		a.db.committed(len(a.open))
	}
	a.db.events.wake()
	return nil
}

func (a *attempt[N, R]) uses() []limit.Use {
	uses := make([]limit.Use, len(a.open))
	for n, i := range a.open {
		uses[n] = a.requests[i].use
	}
	return uses
}

// keep keeps those requests open for which answered returns no error.
func (a *attempt[N, R]) keep(answered func(i int) error) {
	a.open = slices.DeleteFunc(a.open, func(i int) bool {
		a.answers[i] = answered(i)
		return a.answers[i] != nil
	})
}

// decide reads and decides. A request that it refuses costs no transaction.
func (a *attempt[N, R]) decide(ctx context.Context) error {
	found := map[wanted]N{}
	var nouns []wanted
	for i, r := range a.requests {
		a.open = append(a.open, i)
		if r.noun.id != "" {
			nouns = append(nouns, r.noun)
		}
	}
	if len(nouns) > 0 {
		batch := &pgx.Batch{}
		a.op.find(batch, nouns, found)
		a.limits.read(batch, a.uses())
		if err := sendOn(ctx, a.conn, batch); err != nil {
			return err
		}
	}
	a.rows = make([]decision[R], len(a.requests))
	a.keep(func(i int) (err error) {
		if a.rows[i], err = decided(ctx, a.requests[i], found); err != nil {
			return err
		}
		if a.rows[i].in != nil {
			a.places.want(a.rows[i].member)
			return nil
		}
		return a.limits.refuse(a.requests[i].use)
	})
	return nil
}

// lock begins the transaction and locks. Statements that need no answer stay in batch.
func (a *attempt[N, R]) lock(ctx context.Context, batch *pgx.Batch) error {
	rows := make([]R, len(a.open))
	for n, i := range a.open {
		rows[n] = a.rows[i].row
	}
	batch.Queue("BEGIN")
	if !a.alone {
		batch.Queue(boundLocks)
	}
	limited := a.limits.take(batch, a.uses(), a.alone)
	if locked := a.op.lock(batch, rows, &a.places, a.alone); limited || locked {
		if err := sendOn(ctx, a.conn, batch); err != nil {
			return err
		}
		*batch = pgx.Batch{}
	}
	a.keep(func(i int) error {
		if err := a.decideIn(ctx, &a.rows[i]); err != nil {
			return err
		}
		if err := a.limits.room(a.requests[i].use); err != nil {
			return err
		}
		err := a.op.check(a.rows[i].row)
		if err == nil {
			a.limits.ask(a.requests[i].use)
		}
		return err
	})
	return nil
}

// store writes rows, and counts the stored ones.
func (a *attempt[N, R]) store(ctx context.Context, batch *pgx.Batch) error {
	a.op.store(batch)
	if err := sendOn(ctx, a.conn, batch); err != nil {
		return err
	}
	a.keep(func(i int) error {
		err := a.op.stored(a.rows[i].row)
		if err == nil {
			a.limits.count(a.requests[i].use)
		}
		return err
	})
	return nil
}

// decideIn decides about a row in a circle, which the batch has locked.
func (a *attempt[N, R]) decideIn(ctx context.Context, d *decision[R]) (err error) {
	if d.in == nil {
		return nil
	}
	defer recovered(ctx, &err)
	own, err := a.places.own(d.member, a.alone)
	if err == nil {
		d.row, err = d.in(own)
	}
	return err
}

// decided returns a request's decision on the nouns that were found.
func decided[N, R any](ctx context.Context, r request[N, R], found map[wanted]N) (d decision[R], err error) {
	defer recovered(ctx, &err)
	noun, there := found[r.noun]
	if !there && r.noun.id != "" {
		return d, studycircle.ErrNotFound
	}
	return r.decide(noun)
}

// recovered makes a panic the request's own error: other requests share the worker.
func recovered(ctx context.Context, err *error) {
	if p := recover(); p != nil {
		*err = engine.Panicked(ctx, p)
	}
}

// unwritten makes a connection lost before the first write count as one that was dead in the pool, so that another
// one is tried.
func unwritten(err error) error {
	if _, lost := errors.AsType[connectionLost](err); lost {
		return errors.Join(driver.ErrBadConn, err)
	}
	return err
}

// skipLocked ends a locking clause: with all it waits for locked rows, otherwise it skips them.
func skipLocked(all bool) string {
	if all {
		return ""
	}
	return " SKIP LOCKED"
}
