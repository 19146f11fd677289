package postgres

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
	"studycircle/internal/testpg"
)

// A search in a part is exact, whether the part's rows or those of the words are read, and beyond the size of parts
// that are read whole.
func TestSearchesInPartsOfAnySize(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), testpg.DB(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	exec := func(text string) {
		t.Helper()
		_, err := s.pool.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	// Each third row of a part has the word in its title. One row in fifty has another word.
	sizes := map[string]int{"large": maxPart + 300, "middle": engine.MaxMatches + 300, "small": 60}
	place := 0
	seqs := map[string][2][]int64{} // in the title, and not
	for _, part := range []string{"small", "large", "middle"} {
		exec(fmt.Sprintf(`INSERT INTO circle_search (seq, title, words)
			SELECT %[1]d + n, array_to_tsvector(ARRAY['=%[2]s', CASE WHEN n %% 3 = 0 THEN 'common' ELSE 'other' || n END]),
				array_to_tsvector(ARRAY['=%[2]s', CASE WHEN n %% 50 = 0 THEN 'seldom' ELSE 'often' END, 'common', 'text' || n])
			FROM generate_series(1, %[3]d) AS g (n)`, place, part, sizes[part]))
		var titles, others []int64
		for n := 1; n <= sizes[part]; n++ {
			if at := int64(place + n); n%3 == 0 {
				titles = append(titles, at)
			} else {
				others = append(others, at)
			}
		}
		slices.Reverse(titles)
		slices.Reverse(others)
		seqs[part], place = [2][]int64{titles, others}, place+sizes[part]
	}
	check := func(small bool) {
		t.Helper()
		for part, size := range sizes {
			m := match{Match: engine.Match{Index: tables.CircleIndex, Words: []string{"comm"}, Parts: []string{part}}}
			found, err := s.search.sampled(t.Context(), s.pool, m)
			require.NoError(t, err)
			require.Equal(t, small && part == "small", found.smallParts(m), part)
			_, whole, err := s.readParts(t.Context(), m)
			require.NoError(t, err)
			require.Equal(t, part != "large", whole, part)
			want := slices.Concat(seqs[part][0], seqs[part][1])
			want = want[:min(len(want), engine.MaxMatches)]
			const limit = 40
			for _, number := range []int64{1, 2, int64(len(want)) / limit, int64(len(want))/limit + 1, 1 << 60} {
				p := studycircle.Page{Number: number, Limit: limit}
				got, total, err := s.Search(t.Context(), m.Match, p)
				require.NoError(t, err)
				require.EqualValues(t, len(want), total, part)
				if p.Skip() >= total {
					require.Empty(t, got)
					continue
				}
				require.Equal(t, want[p.Skip():min(p.Skip()+limit, total)], got, "page %d of %s", number, part)
			}
			seldom := engine.Match{Index: tables.CircleIndex, Words: []string{"seldom"}, Parts: []string{part}}
			_, total, err := s.Search(t.Context(), seldom, studycircle.Page{Number: 1, Limit: 1})
			require.NoError(t, err)
			require.EqualValues(t, size/50, total, part)
		}
	}
	both := engine.Match{Index: tables.CircleIndex, Words: []string{"seldom"}, Parts: []string{"middle", "small"}}
	got, total, err := s.Search(t.Context(), both, studycircle.Page{Number: 1, Limit: engine.MaxMatches})
	require.NoError(t, err)
	require.EqualValues(t, sizes["small"]/50+sizes["middle"]/50, total)
	require.Len(t, got, int(total))
	require.True(t, slices.IsSortedFunc(got, func(a, b int64) int { return cmp.Compare(b, a) }))
	check(false) // there was no ANALYZE
	exec("ANALYZE circle_search")
	s.search.latest = nil // as after costAge
	check(true)
}

// The open assignments of a circle are read in the order of an index that has all of it, and whether the reader is a
// member is asked once, not for each row.
func TestCirclesListsAreReadInOrder(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), testpg.DB(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	conn, err := s.pool.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	exec := func(text string) {
		t.Helper()
		_, err := conn.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	// Most circles are small, so the planner expects few rows in any of them.
	exec(`INSERT INTO assignments (id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, circle_id)
		SELECT 'a' || n, '', '', '', 1, 'easy', n, 0, 0, 0, CASE WHEN n % 2 = 0 THEN 'large' ELSE 'c' || n / 40 END FROM generate_series(1, 40000) AS g (n)`)
	exec("VACUUM ANALYZE assignments")
	exec("SET plan_cache_mode = force_generic_plan")
	for name, list := range map[string]*engine.List{"assignments_in": tables.LivePlaces, "assignments_in_level": tables.LevelPlaces} {
		of := studycircle.ViewerOf("u")
		exec("PREPARE " + name + " AS " + list.PageSQL(of.Role(), false, 50))
		values := map[string]string{"assignments_in": "'large', 'u', 50000", "assignments_in_level": "'large', 'easy', 'u', 50000"}[name]
		var plan string
		require.NoError(t, conn.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON, COSTS off) EXECUTE "+name+" ("+values+")").Scan(&plan))
		require.Contains(t, plan, `"Index Name": "`+name+`"`)
		require.Contains(t, plan, `"Index Only Scan"`)
		require.NotContains(t, plan, `"Sort"`)
		require.Contains(t, plan, `"One-Time Filter"`, "the condition on the circle")
	}
}
