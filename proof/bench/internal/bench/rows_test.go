package bench

import (
	"testing"

	"studycircle/proof/bench/internal/seed"
)

func TestSpreadIsAPermutation(t *testing.T) {
	for _, n := range []int{1, 33, 50, 100, 999, 1_000, 10_000, 99_999, 100_000, 999_999} {
		seen := make([]bool, n)
		for i := range n {
			k := spread(i, n)
			if seen[k] {
				t.Fatalf("%d appears twice below %d", k, n)
			}
			seen[k] = true
		}
	}
}

func TestFirstSearchesAreNeverRepeated(t *testing.T) {
	for _, test := range []struct {
		words    func(int) string
		count    int
		repeated string
	}{{rareWords, seed.RareWords - 1, repeatedRare}, {commonWords, 33, repeatedCommon}} {
		seen := map[string]bool{test.repeated: true}
		for n := range test.count {
			word := test.words(n)
			if seen[word] {
				t.Errorf("%q appears twice", word)
			}
			seen[word] = true
		}
	}
}
