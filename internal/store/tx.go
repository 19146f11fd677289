package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/engine"
)

// Tx is one transaction that writes. It is used by one goroutine, within the
// function it was given to. What a noun's rows mean to counts, listeners and
// searches it is told by Count, Announce and Index.
type Tx struct {
	*engine.Tx
	store  *Store
	viewer studycircle.Viewer
}

// Write runs f in one transaction and returns once it is durable. An error of f
// undoes everything f did and is returned. f may run more than once, so it must
// not keep anything from a run that failed.
//
// The transaction reads on behalf of v, of what is visible to v and nothing else.
func (s *Store) Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, *Tx) error) error {
	return s.classify(s.engine.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		return f(ctx, &Tx{tx, s, v})
	}))
}
