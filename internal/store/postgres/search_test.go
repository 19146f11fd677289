package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
	"studycircle/internal/testpg"
)

// A result of PostgreSQL's sample holds while rows are added, in any number, and until too many have gone. A node
// that starts later cannot tell the two apart, and counts.
func TestASampleHoldsWhileRowsComeIn(t *testing.T) {
	t.Parallel()
	url := testpg.DB(t)
	node := func() *DB {
		t.Helper()
		s, err := Open(t.Context(), url)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	first := node()
	run := func(statements ...string) {
		t.Helper()
		conn, err := first.pool.Conn(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
		// The last one publishes its statistics at once, instead of within seconds.
		for _, s := range append(statements, "SELECT pg_stat_force_next_flush()") {
			_, err := conn.ExecContext(t.Context(), s)
			require.NoError(t, err)
		}
	}
	insert := func(from, to int) string {
		return fmt.Sprintf(`INSERT INTO assignment_search (seq, title, words) SELECT n, array_to_tsvector(ARRAY['rare' || n]),
			array_to_tsvector(ARRAY['rare' || n, CASE WHEN n %% 4 = 0 THEN 'seldom' ELSE 'common' END]) FROM generate_series(%d, %d) AS g (n)`, from, to)
	}
	check := func(s *DB, known bool) {
		t.Helper()
		m := match{Match: engine.Match{Index: tables.HallIndex, Words: []string{"comm"}}}
		found, err := s.search.sampled(t.Context(), s.pool, m)
		require.NoError(t, err)
		require.Equal(t, known, found.surelyCommon(m), "known to be common")
		_, total, err := s.Search(t.Context(), m.Match, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		var want int64
		require.NoError(t, s.pool.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM assignment_search WHERE words @@ CAST('common' AS TSQUERY)").Scan(&want))
		require.Equal(t, min(want, engine.MaxMatches), total)
	}
	run("ALTER TABLE assignment_search SET (autovacuum_enabled = false)", insert(1, 40_000))
	check(first, false) // there was no ANALYZE
	run("ANALYZE assignment_search")
	check(first, true)
	check(node(), true)
	run(insert(40_001, 80_000))
	check(first, true)
	check(node(), true) // no row was ever removed
	run("DELETE FROM assignment_search WHERE seq <= 8000")
	check(first, true)
	second := node()
	check(second, false)
	run("DELETE FROM assignment_search WHERE seq <= 12000")
	check(first, false)
	run("ANALYZE assignment_search")
	check(first, true)
	check(second, true)
	run("DELETE FROM assignment_search WHERE seq <= 70000")
	check(first, false)
	check(second, false)
	run(insert(100_001, 200_000), "SELECT pg_stat_reset()")
	check(first, false) // as after a crash: PostgreSQL has forgotten what it counted
}

// After tidying, new words are in the indexes, and no search has to read the list of pending ones.
func TestNewWordsArePutIntoTheIndexes(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), testpg.DB(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for i := range 100 {
		a := studycircle.Assignment{ID: fmt.Sprint("a", i), Title: "Title", Description: "Some words.", Level: studycircle.Easy}
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return tables.Publish(ctx, tx, a) }))
	}
	require.NoError(t, s.tidyIndexes(t.Context()))
	var left int
	require.NoError(t, s.pool.QueryRowContext(t.Context(),
		"SELECT gin_clean_pending_list('assignment_search_title') + gin_clean_pending_list('assignment_search_words')").Scan(&left))
	require.Zero(t, left, "pages of pending words")
	_, total, err := s.Search(t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{"words"}}, studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 100, total)
}
