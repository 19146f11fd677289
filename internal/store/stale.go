package store

import (
	"context"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

const (
	// staleTick is how long a search may find a creator's former name.
	staleTick = 300 * time.Millisecond
	// staleAtOnce bounds the time that other writers wait, to some 30 ms.
	staleAtOnce = 200
)

// CutStale updates the index of assignments whose creators' names have changed. Any number of nodes may run it.
func (s *Store) CutStale(ctx context.Context) (err error) {
	defer operation(&err, "Store.CutStale")
	for {
		seqs, err := s.engine.Queries().SomeStale(ctx, staleAtOnce)
		if err != nil || len(seqs) == 0 {
			return s.classify(err)
		}
		if err := s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error { return cut(ctx, tx, seqs) }); err != nil {
			return err
		}
	}
}

// cut updates the index of some assignments. It locks them, as an update does before it marks them stale, and takes
// the stale rows before it reads the names: a concurrent rename waits and marks them again.
func cut(ctx context.Context, tx *Tx, seqs []int64) error {
	places, args := make([]string, len(seqs)), make([]any, len(seqs))
	for i, seq := range seqs {
		places[i], args[i] = tx.Engine.Placeholder(i+1), seq
	}
	in := " IN (" + strings.Join(places, ", ") + ")"
	if err := tx.Engine.LockRows(ctx, tx.Tx, "assignments", "seq"+in, args...); err != nil {
		return tx.Classify(err)
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "search_stale", "id"+in, args...); err != nil {
		return tx.Classify(err)
	}
	if _, err := tx.DB.ExecContext(ctx, "DELETE FROM search_stale WHERE id"+in, args...); err != nil {
		return tx.Classify(err)
	}
	t := tables.Assignments
	found := t.Collect(staleAtOnce)
	err := engine.Select(ctx, tx.DB, found, "SELECT "+t.Selected("t", true)+" FROM assignments t"+t.Joined("t")+" WHERE t.deleted_at IS NULL AND t.seq"+in, args...)
	if err != nil {
		return tx.Classify(err)
	}
	for _, a := range found.All {
		change := engine.Change{Index: tables.AssignmentIndex, Place: a.Seq, Old: true, Put: true, Doc: tables.AssignmentDoc(a)}
		if err := tx.Index(ctx, change); err != nil {
			return tx.Classify(err)
		}
	}
	return nil
}
