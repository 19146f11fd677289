package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// Tx is one write transaction. One goroutine uses it, within the function that received it. Count, Announce and Index
// record the effects of rows on counts, listeners and searches.
type Tx struct {
	*engine.Tx
	reads
	viewer studycircle.Viewer
}

// reads are the queries that a Store runs on committed rows and a Tx within its transaction.
type reads struct {
	store *Store
	query *db.Queries
	from  db.DBTX
}

// operation is Store.operation.
func (r *reads) operation(err *error, name string, ids ...string) {
	r.store.operation(err, name, ids...)
}

// ManyRows returns a context for a Write that may change thousands of rows, so that others do not wait for it where
// the engine has several writers.
func ManyRows(ctx context.Context) context.Context { return engine.WithManyRows(ctx) }

// Write runs f in one transaction and returns once it is durable. If f fails, Write undoes its changes and returns
// the error. f may run more than once, so it must not keep state from a failed run.
//
// The transaction reads as v, and sees only what is visible to v. It claims the Request in ctx; ErrSentBefore.
func (s *Store) Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, *Tx) error) error {
	request := unclaimed(ctx, v)
	err := s.admit(ctx, func() error {
		return s.classify(s.engine.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
			own := &Tx{tx, reads{s, tx.Queries, tx.DB}, v}
			if err := own.claim(ctx, request); err != nil {
				return err
			}
			if err := f(ctx, own); err != nil {
				return err
			}
			engine.At(ctx, "committing")
			return nil
		}))
	})
	if request != nil {
		request.claimed = err == nil
	}
	return err
}
