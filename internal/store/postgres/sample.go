package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// sample is the result of PostgreSQL's ANALYZE on a sample of the rows, and how many of those rows may have gone
// since. Key: the index, and the time of the ANALYZE. Audience: all users, as a number up to engine.MaxMatches.
// Emptied by: the next ANALYZE, and age. Bound: PostgreSQL keeps a thousand words.
type sample struct {
	analyzed int64   // when, in microseconds; 0 if unknown
	size     float64 // the number of rows now, about
	rows     float64 // the number of rows at the ANALYZE, at least
	gone     float64
	shares   map[group][]wordShare // of words, sorted
	readAt   time.Time

	// When this node first saw that ANALYZE: the rows that may have gone since, and all rows ever updated or removed.
	goneBefore, removedBefore float64
}

// wordShare is the share of the rows that contain a word.
type wordShare struct {
	word  string
	share float64
}

// of returns the shares of the words that begin with the last word of m.
func (s *sample) of(m match) []wordShare {
	all, prefix := s.shares[m.group], m.Words[len(m.Words)-1]
	first, _ := slices.BinarySearchFunc(
		all, prefix, func(w wordShare, prefix string) int { return strings.Compare(w.word, prefix) },
	)
	end := first
	for end < len(all) && strings.HasPrefix(all[end].word, prefix) {
		end++
	}
	return all[first:end]
}

const (
	// leastShare is 150 rows of a sample of 30,000, give or take 12.
	leastShare = 0.005
	// sampleAge bounds how long the words of a sample are kept: ANALYZE is counted a moment before its result is
	// visible.
	sampleAge = 2 * time.Second
	// costAge is sampleAge where the words only show which plan costs less.
	costAge = time.Minute
)

// surelyCommon reports whether at least MaxMatches rows are known to contain a word, without counting: counting that
// far costs 5 to 20 ms. A sample's result counts only if it shows twice engine.MaxMatches, minus all rows that have
// gone since, and a share of the sample (of 30,000 rows as a rule) that chance cannot have doubled. New rows remove
// no word.
func (s *sample) surelyCommon(m match) bool {
	if s == nil || s.analyzed == 0 {
		return false
	}
	return slices.ContainsFunc(s.of(m), func(w wordShare) bool {
		return w.share >= leastShare && w.share*s.rows-s.gone >= 2*engine.MaxMatches
	})
}

// probablyFew reports whether the sample shows at most a tenth of engine.MaxMatches for these words.
func (s *sample) probablyFew(m match) bool {
	if s == nil || s.analyzed == 0 {
		return false
	}
	share := 0.0
	for _, w := range s.of(m) {
		share += w.share
	}
	return share*s.size <= engine.MaxMatches/10
}

// smallParts reports whether the sample shows that the documents of all parts with a word that begins like the last one
// of m cost more to read than all documents of its parts. A part that the sample does not name has fewer than
// leastShare.
func (s *sample) smallParts(m match) bool {
	if s.analyzed == 0 {
		return false
	}
	const rowCost = 32 // of reading and comparing a row, in entries of an index
	share, parts := 0.0, 0.0
	for _, w := range s.of(m) {
		share += w.share
	}
	named := s.shares[m.group]
	for _, part := range m.Parts {
		at, is := slices.BinarySearchFunc(
			named, "="+part, func(w wordShare, word string) int { return strings.Compare(w.word, word) },
		)
		if is {
			parts += named[at].share
		} else {
			parts += leastShare
		}
	}
	return share > rowCost*parts
}

// since takes over the numbers that this node recorded when it first saw the same ANALYZE. Without an earlier sample,
// all rows that changed since may be new, and as many of them as were ever updated or removed may have gone instead.
func (s *sample) since(last *sample, changed, removed float64) {
	if last != nil && last.analyzed == s.analyzed && last.removedBefore <= removed {
		s.rows, s.goneBefore, s.removedBefore = last.rows, last.goneBefore, last.removedBefore
	} else {
		s.rows, s.goneBefore, s.removedBefore = s.size-changed, min(changed, removed), removed
	}
	s.gone = min(changed, s.goneBefore+removed-s.removedBefore)
}

// sampled reads how many rows have changed, and the words only after an ANALYZE: reading those costs more than most
// searches. PostgreSQL counts updated and removed rows apart from new ones, but not since its last ANALYZE, so a new
// node may know less than an old one. If the sample shows few matches, the number of changes does not matter.
func (s *searcher) sampled(ctx context.Context, raw db.DBTX, m match) (*sample, error) {
	now := sample{readAt: time.Now()}
	s.mu.Lock()
	latest := s.latest[m.Index]
	s.mu.Unlock()
	switch {
	case latest == nil:
	case m.Index.Parted && now.readAt.Sub(latest.readAt) < costAge,
		now.readAt.Sub(latest.readAt) < sampleAge && latest.probablyFew(m):
		return latest, nil
	}
	var changed, removed float64
	err := raw.QueryRowContext(ctx, `
		SELECT pg_stat_get_live_tuples(c.oid), pg_stat_get_mod_since_analyze(c.oid),
			pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
			CAST(COALESCE(1000000 * EXTRACT(EPOCH FROM
				GREATEST(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid))), 0) AS BIGINT)
		FROM pg_class c WHERE c.oid = CAST($1 AS REGCLASS)`, m.Index.Name).Scan(&now.size, &changed, &removed, &now.analyzed)
	if err != nil {
		return nil, err
	}
	now.since(latest, changed, removed)
	if latest != nil && latest.analyzed == now.analyzed && now.readAt.Sub(latest.readAt) < sampleAge {
		now.shares, now.readAt = latest.shares, latest.readAt
		return &now, nil
	}
	if now.shares, err = commonWords(ctx, raw, m.Index); err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.latest == nil {
		s.latest = map[*engine.Index]*sample{}
	}
	s.latest[m.Index] = &now
	s.mu.Unlock()
	return &now, nil
}

func commonWords(ctx context.Context, raw db.DBTX, i *engine.Index) (shares map[group][]wordShare, err error) {
	rows, err := raw.QueryContext(ctx, `
		SELECT s.attname = 'title', f.word, f.share
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname IN ('title', 'words'),
			unnest(CAST(CAST(s.most_common_elems AS TEXT) AS TEXT[]), s.most_common_elem_freqs) AS f (word, share)
		WHERE c.oid = CAST($1 AS REGCLASS) AND f.word IS NOT NULL
		ORDER BY f.word COLLATE "C"`, i.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	shares = map[group][]wordShare{}
	for rows.Next() {
		var title bool
		var w wordShare
		if err := rows.Scan(&title, &w.word, &w.share); err != nil {
			return nil, err
		}
		where := anywhere
		if title {
			where = inTitle
		}
		shares[where] = append(shares[where], w)
	}
	return shares, rows.Err()
}
