package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"studycircle/internal/limit"
)

// request is to write what decide makes of the noun that has an id, and to count
// a use of a limit with it.
type request[N, R any] struct {
	id     string
	use    limit.Use
	decide func(N) (R, error)
	came   time.Time // set by writeOne
}

// together writes on PostgreSQL what comes in at the same time with four round
// trips: the nouns are read and decided upon, the rows that a write stands on are
// locked, all is written, and what that leaves to do is done and committed.
//
// It passes over rows that somebody else has locked. Who needs one is answered
// errAlone, as all are where PostgreSQL refuses the transaction, and goes on in a
// transaction of their own, as on SQLite. So nobody holds up or takes along the
// others, and two groups, of one node or of two, never wait for each other.
type together[N, R any] struct {
	*lanes[request[N, R]]
	store *Store
	begin func() groupWrite[N, R]
}

// groupWrite is one group's: what differs between submissions and grades.
type groupWrite[N, R any] interface {
	// find queues the read of nouns into found, by their ids.
	find(batch *pgx.Batch, ids []string, found map[string]N)
	// take queues the locks that rows stand on.
	take(batch *pgx.Batch, rows []R)
	// settle takes rows in one after the other and says why one is not written:
	// errAlone where the group does not know.
	settle(row R) error
	// write queues what stores the rows that were taken in.
	write(batch *pgx.Batch)
	// written says why one of them was not stored after all.
	written(row R) error
	// leave leaves to tx what comes of those that were.
	leave(tx *Tx)
}

const (
	// maxTogetherWritten is how many of two events each are told one by one.
	maxTogetherWritten = maxAnnounced / 2
	// togetherPatience bounds how long a group may take until its commit is answered,
	// from when the first of them came: where PostgreSQL has frozen, they have waited
	// for the group before already.
	togetherPatience = 4 * time.Second
	// boundLocks is for what no group should ever wait for; in milliseconds, less
	// than PostgreSQL takes to look for a deadlock.
	boundLocks = "SET LOCAL lock_timeout = 250"
)

// errAlone answers a request that wants a transaction of its own.
var errAlone = errors.New("not to be written together with others")

// newTogether starts one lane: a second one would come upon the same people's
// rows, which the first has locked.
func newTogether[N, R any](s *Store, begin func() groupWrite[N, R]) *together[N, R] {
	t := &together[N, R]{store: s, begin: begin}
	t.lanes = newLanes(maxTogetherWritten, t.work)
	return t
}

// work answers all jobs, once what they wrote is durable.
func (t *together[N, R]) work(jobs []*job[request[N, R]]) {
	ctx, cancel := context.WithDeadline(context.Background(), jobs[0].of.came.Add(togetherPatience))
	defer cancel()
	answers := make([]error, len(jobs))
	err := retried(func() error { return t.once(ctx, jobs, answers) })
	if _, refused := errors.AsType[*pgconn.PgError](err); refused && !isUnavailable(err) {
		err = errAlone
	}
	if err != nil {
		answer(jobs, err)
		return
	}
	for i, j := range jobs {
		j.answer <- answers[i]
	}
}

// writeOne does a request with others where the engine has t, and else, or where
// it is answered errAlone, in a transaction of its own.
func writeOne[N, R any](ctx context.Context, s *Store, t *together[N, R], r request[N, R],
	find func(*Tx, context.Context, string) (N, error), write func(*Tx, context.Context, R) error,
) error {
	if t != nil {
		r.came = time.Now()
		if err := t.do(ctx, r); !errors.Is(err, errAlone) {
			s.heed(err)
			return classify(err)
		}
	}
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		noun, err := find(tx, ctx, r.id)
		if err != nil {
			return err
		}
		row, err := r.decide(noun)
		if err != nil {
			return err
		}
		if err := tx.use(ctx, r.use); err != nil {
			return err
		}
		return write(tx, ctx, row)
	})
}
