package grademodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The record of the other parts is the same to the bit, whichever of two equal parts is left out, and in any order.
func TestRecordsWithoutOneOfEqualParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kinds := make([]Part, rapid.IntRange(1, 4).Draw(t, "kinds"))
		for i := range kinds {
			x := rapid.Float64Range(.1, 1).Draw(t, "x")
			kinds[i] = Part{P: x, M: x / 3, XX: x / 7, XE: x / 11, XD: x / 13}
		}
		parts := rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 12).Draw(t, "parts")
		want := map[Part]Record{}
		elsewhere := Record{P: .1, M: .3}
		for i, record := range recordsWithout(parts, elsewhere) {
			if _, there := want[parts[i]]; !there {
				want[parts[i]] = record
			}
			require.Equal(t, want[parts[i]], record)
		}
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		for i, record := range recordsWithout(parts, elsewhere) {
			require.Equal(t, want[parts[i]], record)
		}
	})
}

func TestStrictnessIsNeverMinusZero(t *testing.T) {
	t.Parallel()
	b, _ := Record{M: -.01, P: 1}.Judge()
	require.False(t, math.Signbit(b))
}
