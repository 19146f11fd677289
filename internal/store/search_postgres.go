package store

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"studycircle/internal/store/db"
)

// postgresSearch is search on tsvector with GIN indexes (migrations/postgres).
type postgresSearch struct{}

func (postgresSearch) change(ctx context.Context, tx *Tx, changes []searchChange) error {
	var old, seqs []int64
	var titles, words []string
	for _, c := range changes {
		if c.old {
			old = append(old, c.seq)
		}
		if c.put {
			seqs = append(seqs, c.seq)
			titles = append(titles, withLevel(c.doc.title, c.doc))
			words = append(words, withLevel(c.doc.all, c.doc))
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
		SELECT c.seq, array_to_tsvector(string_to_array(c.title, ' ')), array_to_tsvector(string_to_array(c.words, ' '))
		FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS TEXT[]), CAST($3 AS TEXT[])) AS c (seq, title, words)`,
		seqs, titles, words)
	return err
}

// withLevel adds the level's lexeme, which no word can be.
func withLevel(words string, d searchDoc) string {
	return strings.TrimLeft(words+" ="+string(d.level), " ")
}

func (postgresSearch) settle(bool) {}

// asked makes PostgreSQL plan for the words at hand: a plan for any words is
// wrong for most.
const asked = pgx.QueryExecModeExec

func (postgresSearch) count(ctx context.Context, raw db.DBTX, m match) (n int64, err error) {
	if common, err := surelyCommon(ctx, raw, m); err != nil || common {
		return MaxMatches, err
	}
	err = raw.QueryRowContext(ctx,
		"SELECT COUNT(*) FROM (SELECT 1 FROM assignment_search WHERE "+condition(m.group)+" LIMIT $2) found",
		asked, tsQuery(m), MaxMatches).Scan(&n)
	return n, err
}

// surelyCommon tells words of which PostgreSQL knows without counting that
// MaxMatches rows or more have them: counting up to there costs 5 to 20 ms. What
// its ANALYZE found in a sample is taken for sure only where it found twice
// MaxMatches, however all rows that changed since may have changed, and in so
// much of the sample (of 30,000 rows as a rule) that chance cannot have doubled it.
func surelyCommon(ctx context.Context, raw db.DBTX, m match) (bool, error) {
	column := map[group]string{anywhere: "words", inTitle: "title"}[m.group]
	// A standby keeps no count of what changed.
	if m.unsampled || len(m.words) > 1 || m.level != "" || column == "" {
		return false, nil
	}
	var rows, changed, share float64
	err := raw.QueryRowContext(ctx, `
		SELECT c.reltuples, pg_stat_get_mod_since_analyze(c.oid), COALESCE((
			SELECT MAX(f.share)
			FROM pg_stats s, unnest(CAST(CAST(s.most_common_elems AS TEXT) AS TEXT[]), s.most_common_elem_freqs) AS f (word, share)
			WHERE s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = $1 AND starts_with(f.word, $2)
		), 0)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.oid = CAST('assignment_search' AS REGCLASS)`,
		column, m.words[0]).Scan(&rows, &changed, &share)
	return share >= leastShare && share*(rows-changed)-changed >= 2*MaxMatches, err
}

// leastShare is 150 rows of a sample of 30,000, give or take 12.
const leastShare = 0.005

// find walks from the newest on where every few rows match. Where few match it
// keeps PostgreSQL from doing so (the sum below is no index's order): finding all
// by the GIN index and sorting them is quicker.
func (postgresSearch) find(ctx context.Context, raw db.DBTX, m match, skip, limit int64) ([]int64, error) {
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
