package store

import (
	"context"
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
	// sortTick is how long a member whom a node of the release before this one added comes first in lists by name.
	sortTick = 10 * time.Second
)

// CutStale updates the index of assignments whose creators' names have changed. Any number of nodes may run it.
func (s *Store) CutStale(ctx context.Context) (err error) {
	defer s.operation(&err, "Store.CutStale")
	for {
		seqs, err := s.engine.Queries().SomeStale(ctx, staleAtOnce)
		if err != nil || len(seqs) == 0 {
			return err
		}
		if err := s.Write(
			ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error { return cut(ctx, tx, seqs) },
		); err != nil {
			return err
		}
	}
}

// cut updates the index of some assignments. It locks them, as an update does before it marks them stale, and takes
// the stale rows before it reads the names: a concurrent rename waits and marks them again.
func cut(ctx context.Context, tx *Tx, seqs []int64) error {
	args := make([]any, len(seqs))
	rows := make([][]any, len(seqs))
	for i, seq := range seqs {
		args[i], rows[i] = seq, []any{seq}
	}
	for _, stale := range []engine.Selection{
		tables.Stale("assignments", "seq", len(seqs)), tables.Stale("search_stale", "id", len(seqs)),
	} {
		if err := tx.lock(ctx, stale, args...); err != nil {
			return err
		}
	}
	if err := engine.Run(ctx, tx.Tx, tables.DeleteStale, rows, ignoreRow); err != nil {
		return err
	}
	found := tables.Assignments.Collect(staleAtOnce)
	if err := tx.FindAll(ctx, studycircle.Live(), tables.AssignmentBySeq, args, found); err != nil {
		return err
	}
	for _, a := range found.All {
		change := engine.Change{
			Index: tables.AssignmentIndex(a.CircleID), Place: a.Seq, Old: true, Put: true, Doc: tables.AssignmentDoc(a),
		}
		if err := tx.Index(ctx, change); err != nil {
			return err
		}
	}
	return nil
}

// SortMembers makes the keys by which members are sorted, and the words by which they are found, of those without a
// key: members from before the keys, and those whom a node of the release before them adds. Any number of nodes may
// run it.
func (s *Store) SortMembers(ctx context.Context) (err error) {
	defer s.operation(&err, "Store.SortMembers")
	for {
		rows, err := s.engine.Queries().UnsortedMembers(ctx, staleAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		all := memberships(rows)
		seqs := make([]any, len(all))
		for i, m := range all {
			seqs[i] = m.Seq
		}
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
			if err := tx.lock(ctx, tables.Stale("circle_members", "seq", len(seqs)), seqs...); err != nil {
				return err
			}
			found := tables.Members.Collect(staleAtOnce)
			if err := tx.FindAll(ctx, studycircle.System(), tables.MemberBySeq, seqs, found); err != nil {
				return err
			}
			present := make([]studycircle.Membership, len(found.All)) // without those who have left meanwhile
			for i, m := range found.All {
				present[i] = m.Membership
			}
			return tx.indexMembers(ctx, present)
		})
		if err != nil {
			return err
		}
	}
}
