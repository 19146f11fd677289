package store

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// Numbered pages without walking or counting rows.
//
// Every row of a scope (all easy assignments, all pending submissions, one
// user's submissions) has a fixed position, a number that grows from old to
// new. page_counts keeps how many rows lie in each block of 256 positions (tier
// 0) and in each 256 blocks (tier 1), so the block in which a page begins is
// found by reading a few hundred small numbers at most, and a row in it by
// passing at most 255 index entries. Counting from the oldest means that a new
// row shifts nothing. The counts change in the transaction that changes the
// rows, so they are exact after any history and any crash.
const (
	blockRows   = 256 // positions in a block of tier 0
	blockFanout = 256 // blocks of tier 0 in one of tier 1
)

// scope names a set of rows that is paged.
type scope string

const scopePending scope = "pending"

func levelScope(l studycircle.Level) scope { return scope("assignments/" + string(l)) }

func ownScope(userID string, st studycircle.Status) scope {
	return scope("own/" + userID + "/" + string(st))
}

type pageKey struct {
	scope scope
	block int64
}

// pageCounts collects what one transaction changes. SQLite has one writer and
// adds at once. On PostgreSQL every writer adds rows of its own (Tx.commit), and
// foldPageDeltas adds those up later: one counter row for all would make each
// writer wait for the one before.
type pageCounts map[pageKey]int64

// countRow is what is added to a row of page_counts.
type countRow struct {
	tier int64
	pageKey
	n int64
}

// rows are sums for both tiers, in one order for all callers, so that no two
// transactions wait for each other in a circle.
func (sums pageCounts) rows() []countRow {
	type key struct {
		tier int64
		pageKey
	}
	both := map[key]int64{}
	for k, n := range sums {
		both[key{0, k}] += n
		both[key{1, pageKey{k.scope, k.block / blockFanout}}] += n
	}
	rows := make([]countRow, 0, len(both))
	for k, n := range both {
		if n != 0 {
			rows = append(rows, countRow{k.tier, k.pageKey, n})
		}
	}
	slices.SortFunc(rows, func(a, b countRow) int {
		return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(a.scope, b.scope), cmp.Compare(a.block, b.block))
	})
	return rows
}

func addToCounts(ctx context.Context, q *db.Queries, sums pageCounts) error {
	for _, r := range sums.rows() {
		err := q.AddToPageCount(ctx, db.AddToPageCountParams{Scope: string(r.scope), Tier: r.tier, Block: r.block, N: r.n})
		if err != nil {
			return err
		}
	}
	return nil
}

// foldEvery bounds how many deltas a page has to read beside the counts.
const foldEvery = 100 * time.Millisecond

// foldPageDeltas moves deltas into page_counts until ctx ends. Any number of
// nodes may do so: each delta is taken by exactly one.
func (s *Store) foldPageDeltas(ctx context.Context) {
	tick := time.NewTicker(foldEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.FoldPageDeltas(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "page counts not folded; they stay exact and are folded later", "error", err)
			}
		}
	}
}

// foldLock is any number that nobody else locks: whoever folds has it alone, and
// whoever drops what may be folded shares it. Both delete deltas, each in an
// order of its own.
const foldLock = 0x53435f666f6c6473

// mayFold is false while another node folds, or drops what may be folded.
func (tx *Tx) mayFold(ctx context.Context) (may bool, err error) {
	if tx.conn == nil {
		return true, nil
	}
	err = tx.raw.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", foldLock).Scan(&may)
	return may, err
}

// awaitFold returns when nobody folds, nor will until tx ends.
func (tx *Tx) awaitFold(ctx context.Context) error {
	if tx.conn == nil {
		return nil
	}
	_, err := tx.raw.ExecContext(ctx, "SELECT pg_advisory_xact_lock_shared($1)", foldLock)
	return classify(err)
}

// addAllToCounts is AddToPageCount for many rows: one of each user who wrote or
// had something graded is more than there is time for, one by one.
var addAllToCounts = bulk{
	"INSERT INTO page_counts (scope, tier, block, n) VALUES ",
	"(?, ?, ?, ?)",
	" ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n",
}

// FoldPageDeltas folds what is there now, all in one step: a reader sees a
// change either in the deltas or in the counts, never in both or neither. It does
// nothing where others are at it.
func (s *Store) FoldPageDeltas(ctx context.Context) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if may, err := tx.mayFold(ctx); err != nil || !may {
			return err
		}
		taken, err := tx.query.TakePageDeltas(ctx)
		if err != nil {
			return err
		}
		sums := pageCounts{}
		for _, d := range taken {
			sums[pageKey{scope(d.Scope), d.Block}] += d.N
		}
		var rows [][]any
		for _, r := range sums.rows() {
			rows = append(rows, []any{string(r.scope), r.tier, r.block, r.n})
		}
		return tx.bulk(ctx, addAllToCounts, rows, nil)
	})
}
