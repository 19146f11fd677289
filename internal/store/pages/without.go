package pages

import (
	"context"
	"slices"
)

// LocateWithout is Locate for the rows of a set but for some, at positions that are
// given, ascending. It passes rows within their block.
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

// less are counts of blocks of some positions each, but for rows at positions without,
// which are among those that are counted.
func less(counts []count, width int64, without []int64) []count {
	if len(without) == 0 {
		return counts
	}
	counts = slices.Clone(counts) // others read them
	for i := range counts {
		from, _ := slices.BinarySearch(without, counts[i].block*width)
		to, _ := slices.BinarySearch(without, (counts[i].block+1)*width)
		counts[i].n -= int64(to - from)
	}
	return counts
}
