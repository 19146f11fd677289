package sqlite

import (
	"context"
	"database/sql"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// A word is looked for in each segment of the index, so a search for a rare one takes
// as long as there are segments. Once no writes come, and the small ones hold an eighth
// of what the largest does, all are merged into one. While an index grows, each
// page is so written anew some nine times.
const (
	quietBeforeMerge = time.Second
	// mergeTurn is for how long it is merged until it is looked again whether
	// somebody writes. Its own commits count as well: it works a quarter of the time.
	mergeTurn = 500 * time.Millisecond
	// mergePages is what one transaction merges, some 15 ms.
	mergePages = 64
	smallShare = 8
	// mergeSteps is how often a caller that waits is told the progress.
	mergeSteps = 20
)

// mergeWhenQuiet merges each index whenever there was no commit for a while, until
// ctx ends.
func (s *searcher) mergeWhenQuiet(ctx context.Context, d *DB) {
	merging, done := map[*index]bool{}, uint64(0)
	job := periodic.Job{Name: "merging search indexes", Every: quietBeforeMerge, Timeout: time.Minute, Meaning: "rare words are found more slowly"}
	engine.WhenQuiet(ctx, d, job, func(ctx context.Context, version uint64) (err error) {
		if version == done {
			return nil
		}
		done = version // also after a failure: it would fail again until the next write
		for _, i := range s.indexes {
			if !merging[i] {
				if merging[i], _, err = scattered(ctx, d.reads, i); err != nil {
					return err
				}
			}
			for until := time.Now().Add(mergeTurn); merging[i] && time.Now().Before(until); {
				pages, err := s.mergeStep(ctx, d, i)
				if err != nil {
					return err
				}
				merging[i] = pages > 0
			}
		}
		return nil
	})
}

// mergeAll merges an index where that is worth it, and calls step mergeSteps
// times.
func (s *searcher) mergeAll(ctx context.Context, d *DB, i *index, step func()) error {
	steps := 0
	defer func() {
		for ; steps < mergeSteps; steps++ {
			step()
		}
	}()
	merging, all, err := scattered(ctx, d.reads, i)
	if err != nil {
		return err
	}
	for merged := 0; merging; {
		pages, err := s.mergeStep(ctx, d, i)
		if err != nil {
			return err
		}
		merging = pages > 0
		for merged += pages; steps < mergeSteps*min(merged, all)/all; steps++ {
			step()
		}
	}
	return nil
}

// scattered reports whether the small segments together are large, and how many pages
// begin a word in all.
func scattered(ctx context.Context, raw db.DBTX, i *index) (is bool, all int, err error) {
	var largest int
	err = raw.QueryRowContext(ctx, "SELECT COALESCE(SUM(n), 0), COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM "+i.name+"_idx GROUP BY segid)").Scan(&all, &largest)
	return (all-largest)*smallShare >= largest && all > largest, all, err
}

// mergeStep merges some more of all segments into one, where that is worth it, and
// returns how many pages that was.
func (s *searcher) mergeStep(ctx context.Context, d *DB, i *index) (pages int, err error) {
	return s.mergeOn(ctx, d, i, func(ctx context.Context, tx *sql.Tx) (bool, error) {
		worth, _, err := scattered(ctx, tx, i)
		return worth, err
	})
}

// mergeOn merges some more and returns how many pages that was. A merge that is under
// way goes on: to ask for all segments again would begin it anew, with what was
// written meanwhile. Where there is none, all segments are merged if begin says so.
func (s *searcher) mergeOn(ctx context.Context, d *DB, i *index, begin func(context.Context, *sql.Tx) (bool, error)) (pages int, err error) {
	err = d.Write(ctx, func(ctx context.Context, tx *engine.Tx) (err error) {
		own := native(tx)
		var structure []byte
		if err := own.StmtContext(ctx, i.structure).QueryRowContext(ctx).Scan(&structure); err != nil { //nolint:sqlclosecheck // closed when the transaction ends
			return err
		}
		if mergeUnderWay(structure) {
			if pages, err = s.mergePages(ctx, own, i, mergePages); pages > 0 || err != nil {
				return err
			}
		}
		if all, err := begin(ctx, own); !all || err != nil {
			return err
		}
		pages, err = s.mergePages(ctx, own, i, -mergePages)
		return err
	})
	return pages, err
}
