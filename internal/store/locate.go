package store

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"studycircle/internal/store/db"
)

type direction int64

const (
	oldestFirst direction = 1
	newestFirst direction = -1
)

// pageStart is where a page begins: pass skip rows from position from on.
type pageStart struct {
	total int64
	found bool // false past the end
	from  int64
	skip  int64

	version uint64 // under which it was found
}

// scopes are read as one; one that is missing is the first again.
type scopes [3]scope

func oneScope(s scope) scopes { return scopes{s, s, s} }

// locator finds where pages begin.
//
// It keeps the counts it has read. Key: the scopes, and for tier 0 the block of
// tier 1 too. Audience: everybody; numbers say nothing of anybody. Emptied by:
// any commit, of any node or program: counts are used only while the database's
// version is the one they were read under, or were brought to: see carry. Bound:
// maxCounts numbers.
type locator struct {
	store *Store

	mu      sync.Mutex
	version uint64
	big     map[scopes][]count
	small   map[smallKey][]count
	rows    map[smallKey]*positions
	uses    map[scope][]scopes // under which a scope is in the maps above
	held    int
}

// maxCounts bounds what a locator keeps to some 20 MB.
const maxCounts = 1 << 20

// smallKey is a block of a tier.
type smallKey struct {
	scopes
	block int64
}

// count is how many rows lie in a block.
type count struct{ block, n int64 }

// locate finds the start of the page after the first skip rows. positions reads
// those of a block's rows, ascending.
func (l *locator) locate(ctx context.Context, src source, d direction, skip int64, s scopes, positions func(block int64) ([]int64, error)) (pageStart, error) {
	// A commit between two reads can make the tiers differ. Then both are read
	// anew; after some times the small one is right, and the page as exact as one
	// can be that is read while it changes.
	for attempt := 0; ; attempt++ {
		start, agreed, err := l.try(ctx, src, d, skip, s)
		if err == nil && start.found && (agreed || attempt == 8) {
			return l.exact(d, s, start, positions)
		}
		if err != nil || agreed || attempt == 8 {
			return start, err
		}
		if src.version != 0 {
			return start, errBehind // the primary can tell a newer version
		}
	}
}

func (l *locator) try(ctx context.Context, src source, d direction, skip int64, s scopes) (start pageStart, agreed bool, err error) {
	version := src.version
	if version == 0 {
		if version, err = l.store.Version(ctx); err != nil {
			return start, false, err
		}
	}
	big, err := l.bigCounts(ctx, src, version, s)
	if err != nil {
		return start, false, err
	}
	start.total, start.version = sum(big), version
	if skip >= start.total {
		return start, true, nil
	}
	in, skip := pass(big, d, skip)
	small, err := l.smallCounts(ctx, src, version, s, in.block)
	if err != nil {
		return start, false, err
	}
	agreed = sum(small) == in.n
	if skip >= sum(small) {
		return start, agreed, nil
	}
	in, skip = pass(small, d, skip)
	start.found, start.skip, start.from = true, skip, in.block*blockRows
	if d == newestFirst {
		start.from += blockRows - 1
	}
	if in.n == blockRows { // no position is empty
		start.from, start.skip = start.from+int64(d)*skip, 0
	}
	return start, agreed, nil
}

// pass finds the block in which the row after the first skip rows lies, and how
// many of them lie in that block. There are more rows than skip.
func pass(counts []count, d direction, skip int64) (count, int64) {
	at := 0
	step := 1
	if d == newestFirst {
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

func (l *locator) bigCounts(ctx context.Context, src source, version uint64, s scopes) ([]count, error) {
	l.mu.Lock()
	found, known := l.big[s]
	known = known && l.version == version
	l.mu.Unlock()
	if known {
		return found, nil
	}
	rows, err := src.query.BigPageCounts(ctx, db.BigPageCountsParams{Scope1: string(s[0]), Scope2: string(s[1]), Scope3: string(s[2])})
	if err != nil {
		return nil, err
	}
	found = make([]count, len(rows))
	for i, r := range rows {
		found[i] = count{r.Block, r.N}
	}
	l.keep(version, s, len(found), func() { l.big[s] = found })
	return found, nil
}

func (l *locator) smallCounts(ctx context.Context, src source, version uint64, s scopes, big int64) ([]count, error) {
	key := smallKey{s, big}
	l.mu.Lock()
	found, known := l.small[key]
	known = known && l.version == version
	l.mu.Unlock()
	if known {
		return found, nil
	}
	rows, err := src.query.SmallPageCounts(ctx, db.SmallPageCountsParams{
		Scope1: string(s[0]), Scope2: string(s[1]), Scope3: string(s[2]), Big: big,
	})
	if err != nil {
		return nil, err
	}
	found = make([]count, len(rows))
	for i, r := range rows {
		found[i] = count{r.Block, r.N}
	}
	l.keep(version, s, len(found), func() { l.small[key] = found })
	return found, nil
}

// keep stores n counts that were read after version was told. Those that are
// carried over commits must be of just that version: read before the next commit.
func (l *locator) keep(version uint64, s scopes, n int, store func()) {
	if now, carries := l.store.told(); carries && now.number != version {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if version < l.version {
		return
	}
	if version > l.version || l.held+n > maxCounts || l.big == nil {
		l.version, l.held = version, 0
		l.big, l.small, l.rows = map[scopes][]count{}, map[smallKey][]count{}, map[smallKey]*positions{}
		l.uses = map[scope][]scopes{}
	}
	l.held += n + 8 // an entry costs something by itself
	for _, one := range s {
		if !slices.Contains(l.uses[one], s) {
			l.uses[one] = append(l.uses[one], s)
		}
	}
	store()
}

// carry brings what is kept from one version to the next, between which just one
// commit lies, which changed counts by changed and nothing else about them. Else
// each page after a write would read hundreds of counts of which one is another.
func (l *locator) carry(from, to uint64, changed pageCounts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.version != from || l.big == nil {
		return
	}
	l.version = to
	for at, n := range changed {
		for _, s := range l.uses[at.scope] {
			if counts, known := l.big[s]; known {
				l.big[s] = added(counts, at.block/blockFanout, n)
			}
			key := smallKey{s, at.block / blockFanout}
			if counts, known := l.small[key]; known {
				l.small[key] = added(counts, at.block, n)
			}
			delete(l.rows, smallKey{s, at.block}) // other rows, though as many maybe
		}
	}
}

// added returns counts with n more in a block. It leaves counts as they are: others read them.
func added(counts []count, block, n int64) []count {
	at, known := slices.BinarySearchFunc(counts, block, func(c count, block int64) int { return cmp.Compare(c.block, block) })
	if !known {
		return slices.Insert(slices.Clip(counts), at, count{block, n})
	}
	counts = slices.Clone(counts)
	counts[at].n += n
	return counts
}

// exact makes of a start that passes rows one that begins at a row, by the
// positions of its block's rows; so no page passes rows that were counted before.
func (l *locator) exact(d direction, s scopes, start pageStart, read func(block int64) ([]int64, error)) (pageStart, error) {
	if start.skip == 0 {
		return start, nil
	}
	key := smallKey{s, start.from / blockRows}
	l.mu.Lock()
	rows, known := l.rows[key]
	known = known && l.version == start.version
	l.mu.Unlock()
	if !known {
		found, err := read(key.block)
		if err != nil {
			return start, err
		}
		rows = positionsOf(key.block, found)
		l.keep(start.version, s, len(rows), func() { l.rows[key] = rows })
	}
	at := start.skip
	if d == newestFirst {
		at = rows.count() - 1 - start.skip
	}
	if at < 0 || at >= rows.count() {
		return start, nil // a commit came in between: passing rows is as good
	}
	start.from, start.skip = key.block*blockRows+rows.nth(at), 0
	return start, nil
}

// positions are those of a block that hold rows, one bit each.
type positions [blockRows / 64]uint64

func positionsOf(block int64, rows []int64) *positions {
	p := &positions{}
	for _, at := range rows {
		at -= block * blockRows
		p[at/64] |= 1 << (at % 64)
	}
	return p
}

func (p *positions) count() (n int64) {
	for _, word := range p {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// nth is the place of the row after the first n, which are fewer than count.
func (p *positions) nth(n int64) int64 {
	for i, word := range p {
		if here := int64(bits.OnesCount64(word)); n >= here {
			n -= here
			continue
		}
		for range n {
			word &= word - 1
		}
		return int64(i*64 + bits.TrailingZeros64(word))
	}
	return blockRows
}
