package store

import (
	"context"
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

// addToCounts adds to both tiers on SQLite.
func addToCounts(ctx context.Context, q *db.Queries, sums pageCounts) error {
	type key struct {
		tier int64
		pageKey
	}
	both := map[key]int64{}
	for k, n := range sums {
		both[key{0, k}] += n
		both[key{1, pageKey{k.scope, k.block / blockFanout}}] += n
	}
	for k, n := range both {
		if n == 0 {
			continue
		}
		err := q.AddToPageCount(ctx, db.AddToPageCountParams{Scope: string(k.scope), Tier: k.tier, Block: k.block, N: n})
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
	every(ctx, foldEvery, "page counts stay exact and take longer to read", s.FoldPageDeltas)
}

// foldLock is any number that nobody else locks: whoever folds has it alone, and
// whoever drops what may be folded shares it. Both delete deltas, each in an
// order of its own.
const foldLock = 0x53435f666f6c6473

// mayFold is false while another node folds, or drops what may be folded.
func (tx *Tx) mayFold(ctx context.Context) (may bool, err error) {
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

// foldAll takes the oldest deltas and adds them up in page_counts.
const foldAll = `
WITH taken AS (
	DELETE FROM page_deltas WHERE id <= (SELECT MAX(d.id) FROM (SELECT id FROM page_deltas ORDER BY id LIMIT 5000) AS d)
	RETURNING scope, block, n
), sums (scope, tier, block, n) AS (
	SELECT scope, 0, block, CAST(SUM(n) AS BIGINT) FROM taken GROUP BY 1, 3
	UNION ALL SELECT scope, 1, block / $1, CAST(SUM(n) AS BIGINT) FROM taken GROUP BY 1, 3
)
INSERT INTO page_counts (scope, tier, block, n) SELECT scope, tier, block, n FROM sums WHERE n <> 0
ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n`

// FoldPageDeltas folds what is there now, all in one step: a reader sees a
// change either in the deltas or in the counts, never in both or neither. It does
// nothing where others are at it, nor on SQLite, where nobody leaves deltas.
func (s *Store) FoldPageDeltas(ctx context.Context) error {
	if s.engine == sqliteEngine {
		return nil
	}
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if may, err := tx.mayFold(ctx); err != nil || !may {
			return err
		}
		_, err := tx.raw.ExecContext(ctx, foldAll, blockFanout)
		return err
	})
}
