package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A large index is merged with what comes in bit by bit, and does not fall into
// many pieces meanwhile.
func TestTheIndexIsMergedALittleAtATime(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	s.stop() // what merges all of it once nobody writes

	words, seq := 0, int64(0)
	// publish indexes n new words and returns how many rows that changed, and how
	// many pieces there were before.
	publish := func(n int) (changes, of int) {
		seq++
		var text strings.Builder
		for range n {
			words++
			fmt.Fprintf(&text, "word%06d ", words*7919%1_000_003)
		}
		var structure []byte
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			if err := tx.raw.QueryRowContext(ctx, "SELECT total_changes(), block FROM assignment_search_data WHERE id = 10").Scan(&changes, &structure); err != nil {
				return err
			}
			return tx.index(ctx, searchChange{seq: seq, put: true, doc: searchDoc{all: text.String(), level: studycircle.Easy}})
		}))
		return changes, pieces(structure)
	}
	for range 40 {
		publish(2000)
	}
	before, _ := publish(1)
	for n := range 800 {
		now, of := publish(1)
		require.Less(t, now-before, 300, "rows that one assignment changed; where FTS5 merges by itself, 509")
		if n >= 400 {
			require.Less(t, of, 19, "pieces; where nobody merges until there are sixteen of a size, 21")
		}
		before = now
	}
	_, total, err := s.search.page(t.Context(), nil, match{words: []string{"word"}}, studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, seq, total)
}

// Each page is right whether its place is known from the page itself, from
// counting, or from the bound of what is counted.
func TestPagesOfManyMatches(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()

	const all = MaxMatches + 50
	var titles, others []int64
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		titles, others = nil, nil
		for seq := int64(1); seq <= all; seq++ {
			doc := searchDoc{all: "common", level: studycircle.Easy}
			if seq%3 == 0 {
				doc.title = "common"
				titles = append(titles, seq)
			} else {
				others = append(others, seq)
			}
			switch {
			case seq > all-20: // as if it were everywhere
				doc.all = "common recent"
			case seq <= 15:
				doc.all = "common distant"
			}
			if err := tx.index(ctx, searchChange{seq: seq, put: true, doc: doc}); err != nil {
				return err
			}
		}
		return nil
	}))
	slices.Reverse(titles)
	slices.Reverse(others)
	want := slices.Concat(titles, others)[:MaxMatches]
	page := func(word string, p studycircle.Page) ([]int64, int64) {
		t.Helper()
		seqs, total, err := s.search.page(t.Context(), nil, match{words: []string{word}}, p)
		require.NoError(t, err)
		return seqs, total
	}
	const limit = 30 // 3,350 in titles end within page 112; MaxMatches end within page 334
	for _, n := range []int64{1, 2, 111, 112, 113, 333, 334, 335, 1 << 60} {
		p := studycircle.Page{Number: n, Limit: limit}
		seqs, total := page("common", p)
		require.EqualValues(t, MaxMatches, total)
		if p.Skip() >= MaxMatches {
			require.Empty(t, seqs)
			continue
		}
		require.Equal(t, want[p.Skip():min(p.Skip()+limit, MaxMatches)], seqs, "page %d", n)
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
	_, _, err = s.search.page(ended, nil, match{words: []string{"common"}}, studycircle.Page{Number: 1, Limit: 10})
	require.ErrorIs(t, err, context.Canceled)
	seqs, _ = page("common", studycircle.Page{Number: 1, Limit: 10})
	require.Equal(t, want[:10], seqs)
}

// What a search has counted once holds until as many assignments have lost words
// as it counted too many, whoever took them away; and no total is ever wrong.
func TestCountedWordsAreRightAfterAnyHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() *Store {
		t.Helper()
		s, err := Open(t.Context(), Config{Dir: dir})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	s, beside := open(), open()
	random := rand.New(rand.NewPCG(7, 11))
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	var with, without []studycircle.Assignment // the word, each in a random order
	publish := func(on *Store, n int) {
		t.Helper()
		var made []studycircle.Assignment
		require.NoError(t, on.Write(t.Context(), func(ctx context.Context, tx *Tx) (err error) {
			made = nil
			for range n {
				now = now.Add(time.Second)
				a := studycircle.Assignment{
					ID: studycircle.NewID(now), Title: "Some", Description: "common", Thumbnail: "https://example.org/a.png", Marks: 10,
					Level: studycircle.Easy, Due: studycircle.DueDateAt(now.UnixMicro(), 0), CreatedAt: now, UpdatedAt: now,
				}
				if a.Seq, err = tx.InsertAssignment(ctx, a); err != nil {
					return err
				}
				made = append(made, a)
			}
			return nil
		}))
		with = append(with, made...)
	}
	// move changes n of the assignments from one list to the other.
	move := func(on *Store, n int, from, to *[]studycircle.Assignment, description string) {
		t.Helper()
		require.NoError(t, on.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			for _, before := range (*from)[:n] {
				after := before
				after.Description, after.UpdatedAt = description, before.UpdatedAt.Add(time.Second)
				if err := tx.UpdateAssignment(ctx, before, after); err != nil {
					return err
				}
			}
			return nil
		}))
		for _, a := range (*from)[:n] {
			a.Description, a.UpdatedAt = description, a.UpdatedAt.Add(time.Second)
			*to = append(*to, a)
		}
		*from = (*from)[n:]
	}
	remove := func(on *Store, n int) {
		t.Helper()
		require.NoError(t, on.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			for _, a := range with[:n] {
				if err := tx.DeleteAssignment(ctx, a.ID, now); err != nil {
					return err
				}
			}
			return nil
		}))
		with = with[n:]
	}
	check := func() {
		t.Helper()
		for _, on := range []*Store{s, beside} {
			_, total, err := on.SearchAssignments(t.Context(), "comm", "", studycircle.Page{Number: 1, Limit: 1})
			require.NoError(t, err)
			require.Equal(t, min(int64(len(with)), MaxMatches), total)
		}
	}
	known := func() (common bool) {
		t.Helper()
		search := s.search.(*sqliteSearch)
		require.NoError(t, search.reads.with(t.Context(), func(c *rowConn, _ uint64) (err error) {
			common, err = search.common.has(c, "com")
			return err
		}))
		return common
	}
	publish(s, MaxMatches+1500)
	require.False(t, known())
	check()
	require.True(t, known())
	remove(beside, 700)
	move(s, 800, &with, &without, "other")
	require.True(t, known(), "exactly MaxMatches are left")
	check()
	remove(beside, 1)
	require.False(t, known())
	check()
	publish(beside, 1)
	check()
	require.True(t, known())
	for range 30 {
		on := []*Store{s, beside}[random.IntN(2)]
		n := random.IntN(400)
		switch random.IntN(5) {
		case 0, 1:
			publish(on, n)
		case 2:
			remove(on, min(n, len(with)))
		case 3:
			move(on, min(n, len(with)), &with, &without, "other")
		default:
			move(on, min(n, len(without)), &without, &with, "common once more")
		}
		check()
	}
}
