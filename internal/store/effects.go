package store

import "context"

// effects is what a transaction leaves to do before it commits. Done together
// they cost far less than one by one: all rows of a block are one change of its
// count, and FTS5 writes its words out at every savepoint and statement between
// two of them.
type effects struct {
	counts pageCounts
	search []searchChange
}

// searchChange takes an assignment's words out of the index, or puts them in.
type searchChange struct {
	seq int64
	put bool
	doc searchDoc
}

// maxSearchChanges bounds what a long transaction keeps in memory.
const maxSearchChanges = 4096

// count notes that n rows more lie at a position of a scope.
func (tx *Tx) count(s scope, position, n int64) {
	if tx.counts == nil {
		tx.counts = pageCounts{}
	}
	tx.counts[pageKey{s, position / blockRows}] += n
}

// index notes a change of the search index.
func (tx *Tx) index(ctx context.Context, c searchChange) error {
	tx.search = append(tx.search, c)
	if len(tx.search) < maxSearchChanges {
		return nil
	}
	return tx.applySearch(ctx, tx)
}

// add takes over what another transaction leaves to do, after one's own.
func (e *effects) add(later effects) {
	if e.counts == nil {
		e.counts = pageCounts{}
	}
	for k, n := range later.counts {
		e.counts[k] += n
	}
	e.search = append(e.search, later.search...)
}

func (e *effects) apply(ctx context.Context, tx *Tx) error {
	if err := e.applySearch(ctx, tx); err != nil {
		return err
	}
	return e.counts.write(ctx, tx)
}

func (e *effects) applySearch(ctx context.Context, tx *Tx) error {
	for _, c := range e.search {
		var err error
		if c.put {
			err = tx.store.search.put(ctx, tx.raw, c.seq, c.doc)
		} else {
			err = tx.store.search.remove(ctx, tx.raw, c.seq)
		}
		if err != nil {
			return err
		}
	}
	e.search = nil
	return nil
}
