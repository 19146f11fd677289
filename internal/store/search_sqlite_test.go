package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

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
	total, err := s.search.count(t.Context(), s.reads, match{words: []string{"word"}})
	require.NoError(t, err)
	require.Equal(t, seq, total)
}
