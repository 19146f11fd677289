package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"studycircle"
	"studycircle/internal/store/db"
)

// postgresSearch is search on tsvector with GIN indexes (migrations/postgres).
type postgresSearch struct {
	mu     sync.Mutex
	latest *sample
}

func (*postgresSearch) change(ctx context.Context, tx *Tx, changes []searchChange) error {
	var old, seqs []int64
	var titles, words pgtype.FlatArray[pgtype.TSVector]
	for _, c := range changes {
		if c.old {
			old = append(old, c.seq)
		}
		if c.put {
			seqs = append(seqs, c.seq)
			titles = append(titles, vectorOf(c.doc.title, c.doc.level))
			words = append(words, vectorOf(c.doc.all, c.doc.level))
		}
	}
	if old != nil {
		if _, err := tx.raw.ExecContext(ctx, "DELETE FROM assignment_search WHERE seq = ANY($1)", old); err != nil {
			return err
		}
	}
	if seqs == nil {
		return nil
	}
	_, err := tx.raw.ExecContext(ctx, `INSERT INTO assignment_search (seq, title, words)
		SELECT * FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS TSVECTOR[]), CAST($3 AS TSVECTOR[]))`, seqs, titles, words)
	return err
}

// vectorOf is what the index gets of words that are in order, with the level's
// lexeme, which no word can be, in order as well: PostgreSQL would sort them otherwise.
func vectorOf(words string, l studycircle.Level) pgtype.TSVector {
	level := "=" + string(l)
	lexemes := make([]pgtype.TSVectorLexeme, 0, strings.Count(words, " ")+2)
	for word := range strings.SplitSeq(words, " ") {
		if level != "" && level < word {
			lexemes, level = append(lexemes, pgtype.TSVectorLexeme{Word: level}), ""
		}
		if word != "" {
			lexemes = append(lexemes, pgtype.TSVectorLexeme{Word: word})
		}
	}
	if level != "" {
		lexemes = append(lexemes, pgtype.TSVectorLexeme{Word: level})
	}
	return pgtype.TSVector{Lexemes: lexemes, Valid: true}
}

func (*postgresSearch) settle(bool) {}

// tidyEvery is how often what was written is put into the indexes. Each time costs
// as much as some hundred assignments, as most of the indexes' pages have some word
// of theirs.
const tidyEvery = 10 * time.Second

// tidySearch has PostgreSQL put new words into the indexes until ctx ends. By
// itself it does so when it has gathered 4 MB of them, some 5,000 assignments, and
// until then each search reads them all: 2 ms and more, where a rare word takes a
// tenth of one. Any number of nodes may do so.
func (s *Store) tidySearch(ctx context.Context) {
	every(ctx, tidyEvery, "new words are found all the same, more slowly", func(ctx context.Context) error {
		return tidyIndexes(ctx, s.reads)
	})
}

func tidyIndexes(ctx context.Context, raw db.DBTX) error {
	_, err := raw.ExecContext(ctx, "SELECT gin_clean_pending_list('assignment_search_title'), gin_clean_pending_list('assignment_search_words')")
	return err
}

// asked makes PostgreSQL plan for the words at hand: a plan for any words is
// wrong for common ones. It costs as much as finding a rare word.
const asked = pgx.QueryExecModeExec

// page finds what fewer than MaxMatches rows have by one statement, and all else
// group by group.
func (s *postgresSearch) page(ctx context.Context, raw db.DBTX, m match, p studycircle.Page) (seqs []int64, total int64, err error) {
	if !m.unsampled && len(m.words) == 1 && m.level == "" {
		if m.sample, err = s.sampled(ctx, raw, m); err != nil {
			return nil, 0, err
		}
	}
	total = MaxMatches
	if !m.sample.surelyCommon(m) {
		if seqs, total, err = pageOfFew(ctx, raw, m, p); err != nil || total < MaxMatches {
			return seqs, total, err
		}
	}
	seqs, err = s.pageInGroups(ctx, raw, m, total, p)
	return seqs, total, err
}

// pageInGroups finds the seqs of a page among total matches: first those in the
// title, then the others.
func (s *postgresSearch) pageInGroups(ctx context.Context, raw db.DBTX, m match, total int64, p studycircle.Page) ([]int64, error) {
	if p.Skip() >= total {
		return nil, nil
	}
	m.group = inTitle
	titles, err := s.count(ctx, raw, m)
	if err != nil {
		return nil, err
	}
	m.common = titles == MaxMatches
	limit := min(p.Limit, total-p.Skip())
	seqs := make([]int64, 0, limit)
	if p.Skip() < titles {
		if seqs, err = s.find(ctx, raw, m, p.Skip(), limit); err != nil {
			return nil, err
		}
	}
	if missing := limit - int64(len(seqs)); missing > 0 {
		m.group, m.common = notInTitle, total == MaxMatches
		more, err := s.find(ctx, raw, m, max(0, p.Skip()-titles), missing)
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, more...)
	}
	return seqs, nil
}

// pageOfFew is right where it counts fewer than MaxMatches. Where few are to be
// expected PostgreSQL keeps its plan: it cannot see that there are parameters,
// and so does not think that it would find a better one for each.
func pageOfFew(ctx context.Context, raw db.DBTX, m match, p studycircle.Page) (seqs []int64, total int64, err error) {
	query, args := fewOfAny, []any{tsQuery(m), p.Limit, p.Skip()}
	if !m.sample.probablyFew(m) {
		query, args = fewOfThese, slices.Insert(args, 0, any(asked))
	}
	rows, err := raw.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var seq sql.NullInt64
		if err := rows.Scan(&total, &seq); err != nil {
			return nil, 0, err
		}
		if seq.Valid {
			seqs = append(seqs, seq.Int64)
		}
	}
	return seqs, total, rows.Err()
}

var (
	fewOfThese = fewOf("CAST($1 AS TSQUERY)", "$2", "$3")
	fewOfAny   = fewOf("(SELECT CAST($1 AS TSQUERY))", "(SELECT CAST($2 AS BIGINT))", "(SELECT CAST($3 AS BIGINT))")
)

func fewOf(words, limit, skip string) string {
	return `
		WITH found AS MATERIALIZED (
			SELECT seq, title @@ ` + words + ` AS in_title FROM assignment_search WHERE words @@ ` + words + ` LIMIT ` + strconv.Itoa(MaxMatches) + `
		), page AS (
			SELECT seq, in_title FROM found ORDER BY in_title DESC, seq DESC LIMIT ` + limit + ` OFFSET ` + skip + `
		)
		SELECT c.n, page.seq FROM (SELECT COUNT(*) AS n FROM found) c LEFT JOIN page ON TRUE ORDER BY page.in_title DESC, page.seq DESC`
}

func (*postgresSearch) count(ctx context.Context, raw db.DBTX, m match) (n int64, err error) {
	if m.sample.surelyCommon(m) {
		return MaxMatches, nil
	}
	err = raw.QueryRowContext(ctx,
		"SELECT COUNT(*) FROM (SELECT 1 FROM assignment_search WHERE "+condition(m.group)+" LIMIT $2) found",
		asked, tsQuery(m), MaxMatches).Scan(&n)
	return n, err
}

// sample is what PostgreSQL's ANALYZE found in a sample of the rows, and how many
// of those it speaks of have gone since. Key: when there was an ANALYZE.
// Audience: everybody, as a number that stops at MaxMatches. Emptied by: the next
// ANALYZE, and age. Bound: PostgreSQL keeps a thousand words.
type sample struct {
	analyzed int64   // when, in microseconds; 0 where nobody knows
	size     float64 // of the table now, about
	rows     float64 // at the ANALYZE, at least
	gone     float64
	shares   map[group][]wordShare // of words, in their order
	readAt   time.Time

	// When this node first saw that ANALYZE, so many rows may have gone since, and so
	// many had ever been updated or removed.
	goneBefore, removedBefore float64
}

// wordShare is in how much of the rows a word is.
type wordShare struct {
	word  string
	share float64
}

// of returns the shares of the words that begin as the last word of m.
func (s *sample) of(m match) []wordShare {
	all, prefix := s.shares[m.group], m.words[len(m.words)-1]
	first, _ := slices.BinarySearchFunc(all, prefix, func(w wordShare, prefix string) int { return strings.Compare(w.word, prefix) })
	end := first
	for end < len(all) && strings.HasPrefix(all[end].word, prefix) {
		end++
	}
	return all[first:end]
}

const (
	// leastShare is 150 rows of a sample of 30,000, give or take 12.
	leastShare = 0.005
	// sampleAge bounds how long the words of a sample are kept: ANALYZE is counted
	// a moment before what it found can be seen.
	sampleAge = 2 * time.Second
)

// surelyCommon tells words of which PostgreSQL knows without counting that
// MaxMatches rows or more have them: counting up to there costs 5 to 20 ms. What
// its ANALYZE found in a sample is taken for sure only where it found twice
// MaxMatches, as if all rows that have gone since had had the word, and in so
// much of the sample (of 30,000 rows as a rule) that chance cannot have doubled it.
// A row that is new takes no word away.
func (s *sample) surelyCommon(m match) bool {
	if s == nil || s.analyzed == 0 {
		return false
	}
	return slices.ContainsFunc(s.of(m), func(w wordShare) bool {
		return w.share >= leastShare && w.share*s.rows-s.gone >= 2*MaxMatches
	})
}

// probablyFew tells that what the sample found with these words is a tenth of
// MaxMatches at most.
func (s *sample) probablyFew(m match) bool {
	if s == nil || s.analyzed == 0 {
		return false
	}
	share := 0.0
	for _, w := range s.of(m) {
		share += w.share
	}
	return share*s.size <= MaxMatches/10
}

// since takes over from the last sample what this node saw when it first saw the
// same ANALYZE. Where there is none, all rows that changed since may be new, and as
// many of them as were ever updated or removed may have gone instead.
func (s *sample) since(last *sample, changed, removed float64) {
	if last != nil && last.analyzed == s.analyzed && last.removedBefore <= removed {
		s.rows, s.goneBefore, s.removedBefore = last.rows, last.goneBefore, last.removedBefore
	} else {
		s.rows, s.goneBefore, s.removedBefore = s.size-changed, min(changed, removed), removed
	}
	s.gone = min(changed, s.goneBefore+removed-s.removedBefore)
}

// sampled asks how many rows have changed, and for the words only after an
// ANALYZE: reading those costs more than most searches. PostgreSQL counts what
// was ever updated or removed apart from what is new, but not since its last
// ANALYZE: a node that has just started may know less than one that was there.
// Of what it has found few of it need not know how many changed.
func (s *postgresSearch) sampled(ctx context.Context, raw db.DBTX, m match) (*sample, error) {
	now := sample{readAt: time.Now()}
	s.mu.Lock()
	latest := s.latest
	s.mu.Unlock()
	if latest != nil && now.readAt.Sub(latest.readAt) < sampleAge && latest.probablyFew(m) {
		return latest, nil
	}
	var changed, removed float64
	err := raw.QueryRowContext(ctx, `
		SELECT pg_stat_get_live_tuples(c.oid), pg_stat_get_mod_since_analyze(c.oid), pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
			CAST(COALESCE(1000000 * EXTRACT(EPOCH FROM GREATEST(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid))), 0) AS BIGINT)
		FROM pg_class c WHERE c.oid = CAST('assignment_search' AS REGCLASS)`).Scan(&now.size, &changed, &removed, &now.analyzed)
	if err != nil {
		return nil, err
	}
	now.since(latest, changed, removed)
	if latest != nil && latest.analyzed == now.analyzed && now.readAt.Sub(latest.readAt) < sampleAge {
		now.shares, now.readAt = latest.shares, latest.readAt
		return &now, nil
	}
	if now.shares, err = commonWords(ctx, raw); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.latest = &now
	s.mu.Unlock()
	return &now, nil
}

func commonWords(ctx context.Context, raw db.DBTX) (shares map[group][]wordShare, err error) {
	rows, err := raw.QueryContext(ctx, `
		SELECT s.attname = 'title', f.word, f.share
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname IN ('title', 'words'),
			unnest(CAST(CAST(s.most_common_elems AS TEXT) AS TEXT[]), s.most_common_elem_freqs) AS f (word, share)
		WHERE c.oid = CAST('assignment_search' AS REGCLASS) AND f.word IS NOT NULL
		ORDER BY f.word COLLATE "C"`)
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

// find walks from the newest on where every few rows match. Where few match it
// keeps PostgreSQL from doing so (the sum below is no index's order): finding all
// by the GIN index and sorting them is quicker.
func (*postgresSearch) find(ctx context.Context, raw db.DBTX, m match, skip, limit int64) ([]int64, error) {
	order := "seq + 0"
	if m.common {
		order = "seq"
	}
	return scanSeqs(ctx, raw,
		"SELECT seq FROM assignment_search WHERE "+condition(m.group)+" ORDER BY "+order+" DESC LIMIT $2 OFFSET $3",
		asked, tsQuery(m), limit, skip)
}

func condition(g group) string {
	switch g {
	case inTitle:
		return "title @@ CAST($1 AS TSQUERY)"
	case notInTitle:
		return "words @@ CAST($1 AS TSQUERY) AND NOT title @@ CAST($1 AS TSQUERY)"
	case anywhere:
	}
	return "words @@ CAST($1 AS TSQUERY)"
}

// tsQuery spells m in PostgreSQL's language. Words hold letters, digits and
// marks only, so quoting them is enough.
func tsQuery(m match) string {
	terms := make([]string, len(m.words), len(m.words)+1)
	for i, w := range m.words {
		terms[i] = "'" + w + "'"
	}
	terms[len(terms)-1] += ":*"
	if m.level != "" {
		terms = append(terms, "'="+string(m.level)+"'")
	}
	return strings.Join(terms, " & ")
}
