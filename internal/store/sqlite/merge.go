package sqlite

import (
	"context"
	"database/sql"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// A search looks for a word in each segment of the index, so its time for a rare word grows with their number. Once
// writes pause and the small segments hold an eighth of the largest, all are merged into one. While an index grows,
// each page is so rewritten some nine times.
const (
	quietBeforeMerge = time.Second
	// mergeTurn is the time of merging between two checks for writes. Its own commits count as well: it works a
	// quarter of the time.
	mergeTurn = 500 * time.Millisecond
	// mergePages is the work of one transaction, some 15 ms.
	mergePages = 64
	smallShare = 8
	// mergeSteps is the number of progress reports to a waiting caller.
	mergeSteps = 20
)

// mergeWhenQuiet merges each index when commits pause, until ctx ends.
func (s *searcher) mergeWhenQuiet(ctx context.Context, d *DB) {
	merging, done := map[*index]bool{}, uint64(0)
	job := periodic.Job{Name: "merging search indexes", Every: quietBeforeMerge, Timeout: time.Minute, Meaning: "rare words are found more slowly"}
	engine.WhenQuiet(ctx, d, job, func(ctx context.Context, version uint64) (err error) {
		if version == done {
			return nil
		}
		done = version // also after a failure, which would repeat until the next write
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

// mergeAll merges an index if that is worthwhile, and calls step mergeSteps times.
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

// scattered reports whether the small segments together are large, and returns the number of pages that begin a word.
func scattered(ctx context.Context, raw db.DBTX, i *index) (is bool, all int, err error) {
	var largest int
	err = raw.QueryRowContext(ctx, "SELECT COALESCE(SUM(n), 0), COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM "+i.name+"_idx GROUP BY segid)").Scan(&all, &largest)
	return (all-largest)*smallShare >= largest && all > largest, all, err
}

// mergeStep merges some more of all segments into one, if that is worthwhile, and returns the number of pages.
func (s *searcher) mergeStep(ctx context.Context, d *DB, i *index) (pages int, err error) {
	return s.mergeOn(ctx, d, i, func(ctx context.Context, tx *sql.Tx) (bool, error) {
		worth, _, err := scattered(ctx, tx, i)
		return worth, err
	})
}

// mergeOn merges some more and returns the number of pages. It continues a running merge: asking for all segments
// again would restart it with the writes since. If none is running, begin makes it merge all segments.
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
