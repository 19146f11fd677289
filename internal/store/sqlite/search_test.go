package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// A large index is merged in small steps as rows arrive, and keeps few segments meanwhile.
func TestTheIndexIsMergedALittleAtATime(t *testing.T) {
	t.Parallel()
	s := openAlone(t) // no background work merges it

	words, seq := 0, int64(0)
	// publish indexes n new words and returns the number of changed rows, and of segments before.
	publish := func(n int) (changes, of int) {
		seq++
		var text strings.Builder
		for range n {
			words++
			fmt.Fprintf(&text, "word%06d ", words*7919%1_000_003)
		}
		var structure []byte
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			if err := tx.DB.QueryRowContext(ctx, "SELECT total_changes(), block FROM assignment_search_data WHERE id = 10").Scan(&changes, &structure); err != nil {
				return err
			}
			return tx.Index(ctx, engine.Change{Index: tables.HallIndex, Place: seq, Put: true, Doc: engine.Doc{All: text.String(), Markers: []string{"easy"}}})
		}))
		return changes, segments(structure)
	}
	for range 40 {
		publish(2000)
	}
	before, _ := publish(1)
	for n := range 800 {
		now, of := publish(1)
		require.Less(t, now-before, 300, "rows that one assignment changed; where FTS5 merges by itself, 509")
		if n >= 400 {
			require.Less(t, of, 19, "segments; without merging until there are sixteen of a size, 21")
		}
		before = now
	}
	_, total, err := s.Search(t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{"word"}}, studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, seq, total)
}

// Each page is exact, whether its position comes from the page itself, from counting, or from the bound of counting.
func TestPagesOfManyMatches(t *testing.T) {
	t.Parallel()
	s := openAlone(t)

	const all = engine.MaxMatches + 50
	var titles, others []int64
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		titles, others = nil, nil
		for seq := int64(1); seq <= all; seq++ {
			doc := engine.Doc{All: "common", Markers: []string{"easy"}}
			if seq%3 == 0 {
				doc.Title = "common"
				titles = append(titles, seq)
			} else {
				others = append(others, seq)
			}
			switch {
			case seq > all-20: // a word in every title
				doc.All = "common recent"
			case seq <= 15:
				doc.All = "common distant"
			}
			if err := tx.Index(ctx, engine.Change{Index: tables.HallIndex, Place: seq, Put: true, Doc: doc}); err != nil {
				return err
			}
		}
		return nil
	}))
	slices.Reverse(titles)
	slices.Reverse(others)
	want := slices.Concat(titles, others)[:engine.MaxMatches]
	page := func(word string, p studycircle.Page) ([]int64, int64) {
		t.Helper()
		seqs, total, err := s.Search(t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{word}}, p)
		require.NoError(t, err)
		return seqs, total
	}
	const limit = 30 // 3,350 in titles end within page 112; engine.MaxMatches end within page 334
	for _, n := range []int64{1, 2, 111, 112, 113, 333, 334, 335, 1 << 60} {
		p := studycircle.Page{Number: n, Limit: limit}
		seqs, total := page("common", p)
		require.EqualValues(t, engine.MaxMatches, total)
		if p.Skip() >= engine.MaxMatches {
			require.Empty(t, seqs)
			continue
		}
		require.Equal(t, want[p.Skip():min(p.Skip()+limit, engine.MaxMatches)], seqs, "page %d", n)
	}
	for word, n := range map[string]int64{"recent": 20, "distant": 15, "nowhere": 0} {
		seqs, total := page(word, studycircle.Page{Number: 1, Limit: 100})
		require.Equal(t, n, total)
		require.Len(t, seqs, int(n))
	}
	// A page that begins right after the last title, and one after all matches.
	seqs, _ := page("common", studycircle.Page{Number: 2, Limit: int64(len(titles))})
	require.Equal(t, want[len(titles):2*len(titles)], seqs)
	seqs, total := page("recent", studycircle.Page{Number: 3, Limit: 10})
	require.Empty(t, seqs)
	require.EqualValues(t, 20, total)

	ended, end := context.WithCancel(t.Context())
	end()
	_, _, err := s.Search(ended, engine.Match{Index: tables.HallIndex, Words: []string{"common"}}, studycircle.Page{Number: 1, Limit: 10})
	require.ErrorIs(t, err, context.Canceled)
	seqs, _ = page("common", studycircle.Page{Number: 1, Limit: 10})
	require.Equal(t, want[:10], seqs)
}
