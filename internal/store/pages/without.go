package pages

import (
	"context"
	"slices"
)

// LocateWithout is Locate without some rows of the set, at the given positions, ascending. It skips rows within their
// block.
func (l *Locator) LocateWithout(ctx context.Context, d Order, skip int64, s Set, without []int64) (Start, error) {
	for attempt := 0; ; attempt++ { // as Locate does
		version, err := l.versions.Version(ctx)
		if err != nil {
			return Start{}, err
		}
		start, agreed, err := l.try(ctx, version, d, skip, s, without)
		if err != nil || agreed || attempt == maxAttempts {
			return start, err
		}
	}
}

// less returns counts of blocks of some positions each without the rows at the given positions, which are among those
// counted.
func less(counts []count, width int64, without []int64) []count {
	if len(without) == 0 {
		return counts
	}
	counts = slices.Clone(counts) // other goroutines read them
	for i := range counts {
		from, _ := slices.BinarySearch(without, counts[i].block*width)
		to, _ := slices.BinarySearch(without, (counts[i].block+1)*width)
		counts[i].n -= int64(to - from)
	}
	return counts
}
