package store

import (
	"context"
	"time"

	"studycircle/internal/store/db"
)

// A word is looked for in each piece of the index, so a search for a rare one takes
// as long as there are pieces. Once nobody writes, and the small ones hold an eighth
// of what the largest does, all are merged into one. While an index grows, each
// page is so written anew some nine times.
const (
	calmBeforeMerge = time.Second
	// mergeTurn is for how long it is merged until it is looked again whether
	// somebody writes. Its own commits count as well: it works a quarter of the time.
	mergeTurn = 500 * time.Millisecond
	// mergePages is what one transaction merges, some 15 ms.
	mergePages = 64
	smallShare = 8
	// mergeSteps is how often somebody who waits for it hears how far it is.
	mergeSteps = 20
)

// mergeWhenCalm merges the index whenever nobody has committed for a while, until
// ctx ends.
func (s *sqliteSearch) mergeWhenCalm(ctx context.Context) {
	store := s.reads.store
	merging, done := false, uint64(0)
	store.whenCalm(ctx, calmBeforeMerge, "rare words are found more slowly", func(ctx context.Context, version uint64) (err error) {
		if version == done {
			return nil
		}
		done = version // where it fails as well: until somebody writes, it would again
		if !merging {
			if merging, _, err = scattered(ctx, store.reads); err != nil {
				return err
			}
		}
		for until := time.Now().Add(mergeTurn); merging && time.Now().Before(until); {
			pages, err := s.mergeSome(ctx)
			if err != nil {
				return err
			}
			merging = pages > 0
		}
		return nil
	})
}

// mergeAll merges the index where that is worth it, and calls step mergeSteps
// times.
func (s *sqliteSearch) mergeAll(ctx context.Context, step func()) error {
	told := 0
	defer func() {
		for ; told < mergeSteps; told++ {
			step()
		}
	}()
	merging, all, err := scattered(ctx, s.reads.store.reads)
	if err != nil {
		return classify(err)
	}
	for merged := 0; merging; {
		pages, err := s.mergeSome(ctx)
		if err != nil {
			return err
		}
		merging = pages > 0
		for merged += pages; told < mergeSteps*min(merged, all)/all; told++ {
			step()
		}
	}
	return nil
}

// scattered tells whether the small pieces together are large, and how many pages
// begin a word in all.
func scattered(ctx context.Context, raw db.DBTX) (is bool, all int, err error) {
	var largest int
	err = raw.QueryRowContext(ctx, "SELECT COALESCE(SUM(n), 0), COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM assignment_search_idx GROUP BY segid)").Scan(&all, &largest)
	return (all-largest)*smallShare >= largest && all > largest, all, err
}

// mergeSome merges some more of all pieces into one, and returns how many pages
// that was; 0 when there is one piece.
func (s *sqliteSearch) mergeSome(ctx context.Context) (pages int, err error) {
	err = s.reads.store.Write(ctx, func(ctx context.Context, tx *Tx) (err error) {
		pages, err = s.mergePages(ctx, tx, -mergePages)
		return err
	})
	return pages, err
}
