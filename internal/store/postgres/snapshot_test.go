package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A reader who takes news in any parts ends with the same snapshot as one who takes them at once: no transaction
// twice, none left out.
func TestSnapshotsReadInPartsMissNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const last = 24
		draw := func(name string, lowest uint64, but func(uint64) bool) snapshot {
			s := snapshot{max: rapid.Uint64Range(max(3, lowest), last).Draw(t, name+" max")}
			for n := uint64(3); n < s.max; n++ {
				if !but(n) && rapid.Bool().Draw(t, name) {
					s.running = append(s.running, n)
				}
			}
			return s
		}
		before := draw("before", 3, func(uint64) bool { return false })
		now := draw("now", before.max, before.saw) // what has ended has ended
		seen := map[uint64]bool{}
		for n := uint64(3); n < last; n++ {
			if before.saw(n) || !now.saw(n) {
				continue
			}
			at := before.upTo(n, now)
			seen[n] = true
			again, ok := parseSnapshot(at.String())
			require.True(t, ok, at.String())
			for x := uint64(1); x <= last; x++ {
				require.Equal(t, before.saw(x) || seen[x], again.saw(x), "%v to %v by %d: %d", before, now, n, x)
			}
			if rapid.Bool().Draw(t, "resumes") {
				before = at
			}
		}
	})
}

func TestSnapshotsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "1", "1:2", "1:2:3:4", "a:2:", "2:1:", "1:5:5", "1:5:0", "2:9:4,3", "2:9:-3", "0:0:", "1:99999999999999999999:", "1:2: "} {
		_, ok := parseSnapshot(text)
		require.False(t, ok, text)
	}
	s, ok := parseSnapshot("2:9:2,4")
	require.True(t, ok)
	require.Equal(t, snapshot{max: 9, running: []uint64{2, 4}}, s)
}

func TestRemovedRowsAreMissed(t *testing.T) {
	t.Parallel()
	s := snapshot{max: 10, running: []uint64{4, 7}}
	for name, c := range map[string]struct {
		floor uint64
		now   snapshot
		news  []uint64
		want  bool
	}{
		"nothing removed":             {0, snapshot{max: 30}, []uint64{4, 7}, false},
		"what it had seen":            {6, snapshot{max: 30, running: []uint64{4}}, []uint64{7}, false},
		"what came later":             {10, snapshot{max: 30}, []uint64{4, 7, 11}, true},
		"what was running":            {6, snapshot{max: 30}, []uint64{7}, true},
		"what is running":             {9, snapshot{max: 30, running: []uint64{4, 7}}, nil, false},
		"what was running is there":   {9, snapshot{max: 30}, []uint64{4, 7}, false},
		"nothing of those that wrote": {3, snapshot{max: 30}, []uint64{4, 7}, false},
	} {
		require.Equal(t, c.want, s.misses(c.floor, c.now, c.news), name)
	}
}
