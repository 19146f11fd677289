package store

import (
	"context"

	"studycircle"
)

// effects is what a transaction leaves to do before it commits. Done together
// they cost far less than one by one: all rows of a block are one change of its
// count, and FTS5 writes its words out at every savepoint and statement between
// two of them.
type effects struct {
	counts pageCounts
	search []searchChange
	events []studycircle.Event
	reset  bool // events says so already; more need not be said
	// recounted says that counts were changed in other ways, too.
	recounted bool
}

// countedOnly tells whether page_counts, and the positions of rows, changed by
// counts and in no other way. What changed none may have changed them by SQL of
// its own.
func (e *effects) countedOnly() bool { return len(e.counts) > 0 && !e.recounted }

// searchChange is what becomes of an assignment's words in the index.
type searchChange struct {
	seq int64
	old bool // the index has words of it, which go
	put bool // doc comes
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
	e.events = append(e.events, later.events...)
}

// apply does all that is left to do on SQLite; Tx.commit does so on PostgreSQL.
func (e *effects) apply(ctx context.Context, tx *Tx) error {
	if err := e.applySearch(ctx, tx); err != nil {
		return err
	}
	if err := addToCounts(ctx, tx.query, e.counts); err != nil {
		return err
	}
	if len(e.events) == 0 {
		return nil
	}
	return tx.query.InsertEvents(ctx, changesOf(e.events))
}

func (e *effects) applySearch(ctx context.Context, tx *Tx) error {
	if len(e.search) == 0 {
		return nil
	}
	changes := merged(e.search)
	e.search = nil
	return tx.store.search.change(ctx, tx, changes)
}

// merged makes one change of all changes of the same assignment.
func merged(changes []searchChange) []searchChange {
	at := make(map[int64]int, len(changes))
	out := make([]searchChange, 0, len(changes))
	for _, c := range changes {
		i, again := at[c.seq]
		if !again {
			at[c.seq] = len(out)
			out = append(out, c)
			continue
		}
		c.old = out[i].old
		out[i] = c
	}
	return out
}
