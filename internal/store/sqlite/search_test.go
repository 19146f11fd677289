package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

type index struct {
	*DB
	t     *testing.T
	mu    sync.Mutex
	docs  int64
	words int
}

// openAlone opens a database without background work.
func openAlone(t *testing.T) *DB {
	t.Helper()
	return openDirAlone(t, t.TempDir())
}

func openDirAlone(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// publish indexes one document of new words, and one word that all documents contain.
func (i *index) publish(words int) {
	i.t.Helper()
	var text strings.Builder
	text.WriteString("everywhere")
	i.mu.Lock()
	i.docs++
	seq := i.docs
	for range words {
		i.words++
		fmt.Fprintf(&text, " word%06d", i.words*7919%1_000_003)
	}
	i.mu.Unlock()
	assert.NoError(i.t, i.Write(i.t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		return tx.Index(ctx, engine.Change{Index: tables.HallIndex, Place: seq, Put: true, Doc: engine.Doc{All: text.String(), Markers: []string{"easy"}}})
	}))
}

// segments counts the segments of the index.
func (i *index) segments() (n int) {
	i.t.Helper()
	require.NoError(i.t, i.reads.QueryRowContext(i.t.Context(), "SELECT COUNT(DISTINCT segid) FROM assignment_search_idx").Scan(&n))
	return n
}

// whole checks that the index is sound and finds every document.
func (i *index) whole() {
	i.t.Helper()
	_, err := i.writes.ExecContext(i.t.Context(), "INSERT INTO assignment_search (assignment_search) VALUES ('integrity-check')")
	require.NoError(i.t, err)
	for _, word := range []string{"everywhere", "word"} {
		_, total, err := i.Search(i.t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{word}}, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(i.t, err)
		require.Equal(i.t, i.docs, total, word)
	}
}

// FTS5 merges the index as documents arrive, so that a search looks into few segments.
func TestTheIndexHasFewSegments(t *testing.T) {
	t.Parallel()
	i := &index{t: t, DB: openAlone(t)}
	for range 10 {
		i.publish(2000)
	}
	for range 400 {
		i.publish(1)
	}
	require.Less(t, i.segments(), 24)
	i.whole()
}

// The index is merged into one segment beside writes, which do not keep it from completing.
func TestTheIndexIsOptimizedWhileOthersWrite(t *testing.T) {
	t.Parallel()
	i := &index{t: t, DB: openAlone(t)}
	for range 8 {
		i.publish(4000)
	}
	const patience = 200
	steps := 0
	require.NoError(t, i.optimize(t.Context(), tables.HallIndex, func(context.Context, time.Time) {
		steps++
		require.Less(t, steps, patience)
		for range 3 {
			i.publish(10)
		}
	}))
	require.Less(t, i.segments(), 24)
	i.whole()

	var writers sync.WaitGroup
	for range 32 {
		writers.Go(func() {
			for range 8 {
				i.publish(50)
			}
		})
	}
	steps = 0
	require.NoError(t, i.Analyze(t.Context(), nil, func() { steps++ }))
	require.Equal(t, i.AnalyzeSteps(nil), steps)
	writers.Wait()
	i.whole()
	require.NoError(t, i.optimize(t.Context(), tables.HallIndex, func(context.Context, time.Time) {}))
	require.Equal(t, 1, i.segments())
	i.whole()
}

// Each page is exact, whether its position comes from the page itself, from counting, or from the bound of counting.
func TestPagesOfManyMatches(t *testing.T) {
	t.Parallel()
	s := openAlone(t)

	const all = engine.MaxMatches + 50
	var titles, others []int64
	require.NoError(t, s.Write(engine.WithLongWrite(t.Context(), engine.LongImport), func(ctx context.Context, tx *engine.Tx) error {
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
