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
	mu     sync.Mutex
	latest map[*engine.Index]*sample
}

// match is what a search asks for, and what is known of it.
type match struct {
	engine.Match
	group group
	// common says that there are engine.MaxMatches of them or more.
	common bool
	// sample is PostgreSQL's, where it may tell something.
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

// queueSearch queues what tx has to say to search indexes.
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

// vectorOf is what the index gets of words that are in order, and of markers, each a
// lexeme that no word can be, in order as well: PostgreSQL would sort them otherwise.
func vectorOf(words string, markers []string) pgtype.TSVector {
	lexemes := make([]pgtype.TSVectorLexeme, 0, strings.Count(words, " ")+1+len(markers))
	for word := range strings.FieldsSeq(words) {
		lexemes = append(lexemes, pgtype.TSVectorLexeme{Word: word})
	}
	for _, marker := range markers {
		word := "=" + marker
		at, _ := slices.BinarySearchFunc(lexemes, word, func(l pgtype.TSVectorLexeme, word string) int { return strings.Compare(l.Word, word) })
		lexemes = slices.Insert(lexemes, at, pgtype.TSVectorLexeme{Word: word})
	}
	return pgtype.TSVector{Lexemes: lexemes, Valid: true}
}

// tidyEvery is how often what was written is put into the indexes. Each time costs
// as much as some hundred assignments, as most of the indexes' pages have some word
// of theirs.
const tidyEvery = 10 * time.Second

// tidyIndexes has PostgreSQL put new words into the indexes. By
// itself it does so when it has gathered 4 MB of them, some 5,000 assignments, and
// until then each search reads them all: 2 ms and more, where a rare word takes a
// tenth of one. Any number of nodes may do so.
func (d *DB) tidyIndexes(ctx context.Context) error {
	for _, i := range tables.Indexes {
		_, err := d.pool.ExecContext(ctx, "SELECT gin_clean_pending_list('"+i.Name+"_title'), gin_clean_pending_list('"+i.Name+"_words')") //nolint:gosec // the name of a declared index
		if err != nil {
			return err
		}
	}
	return nil
}

// asked makes PostgreSQL plan for the words at hand: a plan for any words is
// wrong for common ones. It costs as much as finding a rare word.
const asked = pgx.QueryExecModeExec

// Search implements engine.Searcher. What fewer than MaxMatches rows have it finds by
// one statement, and all else group by group.
func (d *DB) Search(ctx context.Context, asked engine.Match, p studycircle.Page) (seqs []int64, total int64, err error) {
	m := match{Match: asked}
	if len(m.Words) == 1 && len(m.Markers) == 0 {
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

// pageInGroups finds the seqs of a page among total matches: first those in the
// title, then the others.
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

// pageOfFew is right where it counts fewer than engine.MaxMatches. Where few are to be
// expected PostgreSQL keeps its plan: it cannot see that there are parameters,
// and so does not think that it would find a better one for each.
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

// fewOf spells the query for these words, or so that one plan is for any.
func fewOf(i *engine.Index, anyWords bool) string {
	words, limit, skip := "CAST($1 AS TSQUERY)", "$2", "$3"
	if anyWords {
		words, limit, skip = "(SELECT CAST($1 AS TSQUERY))", "(SELECT CAST($2 AS BIGINT))", "(SELECT CAST($3 AS BIGINT))"
	}
	return `
		WITH found AS MATERIALIZED (
			SELECT seq, title @@ ` + words + ` AS in_title FROM ` + i.Name + ` WHERE words @@ ` + words + ` LIMIT ` + strconv.Itoa(engine.MaxMatches) + `
		), page AS (
			SELECT seq, in_title FROM found ORDER BY in_title DESC, seq DESC LIMIT ` + limit + ` OFFSET ` + skip + `
		)
		SELECT c.n, page.seq FROM (SELECT COUNT(*) AS n FROM found) c LEFT JOIN page ON TRUE ORDER BY page.in_title DESC, page.seq DESC`
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

// find walks from the newest on where every few rows match. Where few match it
// keeps PostgreSQL from doing so (the sum below is no index's order): finding all
// by the GIN index and sorting them is quicker.
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

// tsQuery spells m in PostgreSQL's language. Words hold letters, digits and
// marks only, so quoting them is enough.
func tsQuery(m match) string {
	terms := make([]string, len(m.Words), len(m.Words)+len(m.Markers))
	for i, w := range m.Words {
		terms[i] = "'" + w + "'"
	}
	terms[len(terms)-1] += ":*"
	for _, marker := range m.Markers {
		terms = append(terms, "'="+marker+"'")
	}
	return strings.Join(terms, " & ")
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
