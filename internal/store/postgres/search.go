package postgres

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
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// searcher is search on tsvector with GIN indexes (migrations/postgres).
type searcher struct {
	found *partMatches

	mu     sync.Mutex
	latest map[*engine.Index]*sample
}

// match is a search, with the statistics of its words.
type match struct {
	engine.Match
	group group
	// common reports that there are at least engine.MaxMatches matches.
	common bool
	// sample is PostgreSQL's; nil if it cannot help.
	sample *sample
}

type group int

const (
	anywhere group = iota
	inTitle
	notInTitle
)

// ApplySearch implements engine.TxEngine.
func (*DB) ApplySearch(ctx context.Context, tx *engine.Tx) error {
	if len(tx.Search) == 0 {
		return nil
	}
	p := native(tx)
	queueSearch(p.queued, tx)
	return p.flush(ctx)
}

// queueSearch queues tx's changes of the search indexes.
func queueSearch(batch *pgx.Batch, tx *engine.Tx) {
	for _, changes := range engine.Merged(tx.Search) {
		var old, places []int64
		var titles, all pgtype.FlatArray[pgtype.TSVector]
		for _, c := range changes {
			if c.Old {
				old = append(old, c.Place)
			}
			if c.Put {
				places = append(places, c.Place)
				titles = append(titles, vectorOf(c.Doc.Title, c.Doc.Markers))
				all = append(all, vectorOf(c.Doc.All, c.Doc.Markers))
			}
		}
		name := changes[0].Index.Name
		if old != nil {
			batch.Queue("DELETE FROM "+name+" WHERE seq = ANY($1)", old)
		}
		if places != nil {
			batch.Queue("INSERT INTO "+name+` (seq, title, words)
				SELECT * FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS TSVECTOR[]), CAST($3 AS TSVECTOR[]))`, places, titles, all)
		}
	}
	tx.Search = nil
}

// vectorOf returns the index entry of sorted words and sorted markers, each marker a lexeme that no word can be.
// Without it PostgreSQL would sort them itself.
func vectorOf(words string, markers []string) pgtype.TSVector {
	lexemes := make([]pgtype.TSVectorLexeme, 0, strings.Count(words, " ")+1+len(markers))
	for word := range strings.FieldsSeq(words) {
		lexemes = append(lexemes, pgtype.TSVectorLexeme{Word: word})
	}
	for _, marker := range markers {
		word := "=" + marker
		at, _ := slices.BinarySearchFunc(
			lexemes, word, func(l pgtype.TSVectorLexeme, word string) int { return strings.Compare(l.Word, word) },
		)
		lexemes = slices.Insert(lexemes, at, pgtype.TSVectorLexeme{Word: word})
	}
	return pgtype.TSVector{Lexemes: lexemes, Valid: true}
}

// tidyEvery is the interval of writing new words into the indexes. A run costs as much as some hundred assignments,
// because most pages of the indexes contain one of their words.
const tidyEvery = 10 * time.Second

// tidyIndexes makes PostgreSQL move new words into the indexes. By itself it does so after 4 MB of them, some 5,000
// assignments; until then each search reads them all, which takes 2 ms and more, while a rare word takes a tenth of
// one. Any number of nodes may run it.
func (d *DB) tidyIndexes(ctx context.Context) error {
	for _, i := range tables.Indexes {
		_, err := d.pool.ExecContext(ctx, "SELECT gin_clean_pending_list('"+i.Name+"_title'), gin_clean_pending_list('"+i.Name+"_words')") //nolint:gosec // the name of a declared index
		if err != nil {
			return err
		}
	}
	return nil
}

// asked makes PostgreSQL plan for the given words: a generic plan is wrong for common ones. It costs as much as
// finding a rare word.
const asked = pgx.QueryExecModeExec

// Search implements engine.Searcher. One statement finds fewer than MaxMatches rows; more are found group by group.
func (d *DB) Search(
	ctx context.Context, asked engine.Match, p studycircle.Page,
) (seqs []int64, total int64, err error) {
	m := match{Match: asked}
	if m.Index.Parted {
		var whole bool
		if seqs, total, whole, err = d.searchParts(ctx, m, p); err != nil || whole {
			return seqs, total, err
		}
	}
	if len(m.Words) == 1 && len(m.Markers)+len(m.Parts) == 0 {
		if m.sample, err = d.search.sampled(ctx, d.pool, m); err != nil {
			return nil, 0, err
		}
	}
	total = engine.MaxMatches
	if !m.sample.surelyCommon(m) {
		if seqs, total, err = pageOfFew(ctx, d.pool, m, p); err != nil || total < engine.MaxMatches {
			return seqs, total, err
		}
	}
	seqs, err = pageInGroups(ctx, d.pool, m, total, p)
	return seqs, total, err
}

// pageInGroups returns the seqs of a page among total matches: first those in the title, then the others.
func pageInGroups(ctx context.Context, raw db.DBTX, m match, total int64, p studycircle.Page) ([]int64, error) {
	if p.Skip() >= total {
		return nil, nil
	}
	m.group = inTitle
	titles, err := countMatches(ctx, raw, m)
	if err != nil {
		return nil, err
	}
	m.common = titles == engine.MaxMatches
	limit := min(p.Limit, total-p.Skip())
	seqs := make([]int64, 0, limit)
	if p.Skip() < titles {
		if seqs, err = find(ctx, raw, m, p.Skip(), limit); err != nil {
			return nil, err
		}
	}
	if missing := limit - int64(len(seqs)); missing > 0 {
		m.group, m.common = notInTitle, total == engine.MaxMatches
		more, err := find(ctx, raw, m, max(0, p.Skip()-titles), missing)
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, more...)
	}
	return seqs, nil
}

// pageOfFew is exact if it counts fewer than engine.MaxMatches. If few are expected, PostgreSQL keeps its plan: the
// query hides that it has parameters, so that PostgreSQL does not plan for each.
func pageOfFew(ctx context.Context, raw db.DBTX, m match, p studycircle.Page) (seqs []int64, total int64, err error) {
	text, args := fewOf(m.Index, true), []any{tsQuery(m), p.Limit, p.Skip()}
	if !m.sample.probablyFew(m) {
		text, args = fewOf(m.Index, false), slices.Insert(args, 0, any(asked))
	}
	rows, err := raw.QueryContext(ctx, text, args...)
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

// fewOf spells the query for the given words, or with one plan for any words.
func fewOf(i *engine.Index, anyWords bool) string {
	words, limit, skip := "CAST($1 AS TSQUERY)", "$2", "$3"
	if anyWords {
		words, limit, skip = "(SELECT CAST($1 AS TSQUERY))", "(SELECT CAST($2 AS BIGINT))", "(SELECT CAST($3 AS BIGINT))"
	}
	return `
		WITH found AS MATERIALIZED (
			SELECT seq, title @@ ` + words + ` AS in_title FROM ` + i.Name + ` WHERE words @@ ` + words + ` LIMIT ` +
		strconv.Itoa(engine.MaxMatches) + `
		), page AS (
			SELECT seq, in_title FROM found ORDER BY in_title DESC, seq DESC LIMIT ` + limit + ` OFFSET ` + skip + `
		)
		SELECT c.n, page.seq FROM (SELECT COUNT(*) AS n FROM found) c LEFT JOIN page ON TRUE
		ORDER BY page.in_title DESC, page.seq DESC`
}

func countMatches(ctx context.Context, raw db.DBTX, m match) (n int64, err error) {
	if m.sample.surelyCommon(m) {
		return engine.MaxMatches, nil
	}
	err = raw.QueryRowContext(ctx,
		"SELECT COUNT(*) FROM (SELECT 1 FROM "+m.Index.Name+" WHERE "+condition(m.group)+" LIMIT $2) found",
		asked, tsQuery(m), engine.MaxMatches).Scan(&n)
	return n, err
}

// find walks from the newest row if matches are frequent. If they are rare, it keeps PostgreSQL from doing so (no
// index has the order of the sum below): finding all by the GIN index and sorting them is faster.
func find(ctx context.Context, raw db.DBTX, m match, skip, limit int64) ([]int64, error) {
	order := "seq + 0"
	if m.common {
		order = "seq"
	}
	return scanSeqs(ctx, raw,
		"SELECT seq FROM "+m.Index.Name+" WHERE "+condition(m.group)+" ORDER BY "+order+" DESC LIMIT $2 OFFSET $3",
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

// tsQuery spells m as a tsquery. Words contain only letters, digits and marks, so quoting them is enough.
func tsQuery(m match) string {
	if len(m.Markers)+len(m.Parts) == 0 {
		return tsWords(m)
	}
	return tsWords(m) + " & " + tsMarkers(m)
}

// tsWords is tsQuery without the markers.
func tsWords(m match) string { return "'" + strings.Join(m.Words, "' & '") + "':*" }

// tsMarkers is tsQuery without the words.
func tsMarkers(m match) string {
	all := make([]string, 0, len(m.Markers)+1)
	if len(m.Parts) > 0 {
		all = append(all, "('="+strings.Join(m.Parts, "' | '=")+"')")
	}
	for _, marker := range m.Markers {
		all = append(all, "'="+marker+"'")
	}
	return strings.Join(all, " & ")
}

// scanSeqs runs a query of one column of seqs.
func scanSeqs(ctx context.Context, raw db.DBTX, text string, args ...any) (seqs []int64, err error) {
	rows, err := raw.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		seqs = append(seqs, seq)
	}
	return seqs, rows.Err()
}
