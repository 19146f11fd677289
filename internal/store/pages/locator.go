package pages

import (
	"context"
	"slices"
	"sync"
)

// Versions returns the versions of a database.
type Versions interface {
	// Version numbers the committed state, for a reader in ctx.
	Version(ctx context.Context) (uint64, error)
}

// Locator finds the starts of pages.
//
// It caches the counts it has read. Key: the scopes, and for tier 0 the block of tier 1 too. Audience: all readers;
// the numbers carry no personal data. Emptied by: any commit, of any node or program: counts are used only while the
// database's version is the one they were read under. Bound: maxCounts numbers.
type Locator struct {
	versions Versions
	on       Queryer

	mu      sync.Mutex
	version uint64
	counts  map[countsKey][]count
	held    int
}

// NewLocator returns a Locator that reads counts from a database, which keeps the statements that it has parsed.
func NewLocator(on Queryer, v Versions) *Locator { return &Locator{versions: v, on: on} }

// maxCounts bounds the cache to some 20 MB.
const maxCounts = 1 << 20

// countsKey is the key of cached counts: those of tier 1, or those of tier 0 in one of its blocks.
type countsKey struct {
	Set
	within int64 // a block of tier 1; whole for all of it
}

// whole stands for no block.
const whole = -1

// count is the number of rows in a block.
type count struct{ block, n int64 }

// Locate finds the start of the page after the first skip rows.
func (l *Locator) Locate(ctx context.Context, d Order, skip int64, s Set) (Start, error) {
	return l.LocateWithout(ctx, d, skip, s, nil)
}

// LocateWithout is Locate without some rows of the set, at the given positions, ascending.
func (l *Locator) LocateWithout(ctx context.Context, d Order, skip int64, s Set, without []int64) (Start, error) {
	// A commit between two reads can make the tiers differ. Then both are read again. After several attempts the
	// small one is taken, and the page is as exact as a page can be that changes while it is read.
	for attempt := 0; ; attempt++ {
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

// maxAttempts is the most reads of counts that do not agree.
const maxAttempts = 8

func (l *Locator) try(
	ctx context.Context, version uint64, d Order, skip int64, s Set, without []int64,
) (start Start, agreed bool, err error) {
	big, err := l.read(ctx, version, countsKey{s, whole})
	if err != nil {
		return start, false, err
	}
	big = less(big, BlockRows*BlockFanout, without)
	start.Total = sum(big)
	if skip >= start.Total {
		return start, true, nil
	}
	in, skip := pass(big, d, skip)
	small, err := l.read(ctx, version, countsKey{s, in.block})
	if err != nil {
		return start, false, err
	}
	small = less(small, BlockRows, without)
	agreed = sum(small) == in.n
	if skip >= sum(small) {
		return start, agreed, nil
	}
	in, skip = pass(small, d, skip)
	start.Found, start.Skip, start.From = true, skip, in.block*BlockRows
	if d == NewestFirst {
		start.From += BlockRows - 1
	}
	if in.n == BlockRows { // every position is taken
		start.From, start.Skip = start.From+int64(d)*skip, 0
	}
	return start, agreed, nil
}

// pass finds the block of the row after the first skip rows, and how many of them are in that block. There are more
// rows than skip.
func pass(counts []count, d Order, skip int64) (count, int64) {
	at := 0
	step := 1
	if d == NewestFirst {
		at, step = len(counts)-1, -1
	}
	for skip >= counts[at].n {
		skip -= counts[at].n
		at += step
	}
	return counts[at], skip
}

func sum(counts []count) (n int64) {
	for _, c := range counts {
		n += c.n
	}
	return n
}

// read returns the counts of a key, as of version or later.
func (l *Locator) read(ctx context.Context, version uint64, key countsKey) ([]count, error) {
	l.mu.Lock()
	found, known := l.counts[key]
	known = known && l.version == version
	l.mu.Unlock()
	if known {
		return found, nil
	}
	var err error
	if found, err = readCounts(ctx, l.on, key); err != nil {
		return nil, err
	}
	l.keep(version, key, found)
	return found, nil
}

// keep stores counts that were read after version was asked for.
func (l *Locator) keep(version uint64, key countsKey, found []count) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if version < l.version {
		return
	}
	if version > l.version || l.held+len(found) > maxCounts || l.counts == nil {
		l.version, l.held, l.counts = version, 0, map[countsKey][]count{}
	}
	l.held += len(found) + 8 // the overhead of an entry
	l.counts[key] = found
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
