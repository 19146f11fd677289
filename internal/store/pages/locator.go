package pages

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math/bits"
	"slices"
	"sync"
)

// Versions returns the versions of a database.
type Versions interface {
	// Version numbers the committed state, for a reader in ctx.
	Version(ctx context.Context) (uint64, error)
	// CommitVersion returns the present version, and whether cached counts can be carried over a commit.
	CommitVersion() (version uint64, carries bool)
}

// Locator finds the starts of pages.
//
// It caches the counts it has read. Key: the scopes, and for tier 0 the block of tier 1 too. Audience: all readers;
// the numbers carry no personal data. Emptied by: any commit, of any node or program: counts are used only while the
// database's version is the one they were read under, or were carried to: see Carry. Bound: maxCounts numbers.
type Locator struct {
	versions Versions
	db       Database

	mu       sync.Mutex
	version  uint64
	counts   map[countsKey][]count
	rows     map[rowsKey]*positions
	uses     map[Scope][]Set // the sets in the maps above that contain a scope
	held     int
	prepared map[int]statements // by the number of scopes
}

type statements struct{ big, small *sql.Stmt }

func (s statements) close() (err error) {
	for _, one := range []*sql.Stmt{s.big, s.small} {
		if one != nil {
			err = errors.Join(err, one.Close())
		}
	}
	return err
}

// NewLocator returns a Locator that reads counts from d.
func NewLocator(d Database, v Versions) *Locator {
	return &Locator{versions: v, db: d, prepared: map[int]statements{}}
}

// Close closes its statements.
func (l *Locator) Close() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.prepared {
		err = errors.Join(err, s.close())
	}
	l.prepared = nil
	return err
}

// maxCounts bounds the cache to some 20 MB.
const maxCounts = 1 << 20

// countsKey is the key of cached counts: those of tier 1, or those of tier 0 in one of its blocks.
type countsKey struct {
	Set
	within int64 // a block of tier 1; whole for all of it
}

// whole stands for no block.
const whole = -1

// rowsKey is a block of tier 0.
type rowsKey struct {
	Set
	block int64
}

// count is the number of rows in a block.
type count struct{ block, n int64 }

// Locate finds the start of the page after the first skip rows. positions reads those of a block's rows, ascending.
func (l *Locator) Locate(ctx context.Context, d Order, skip int64, s Set, positions func(block int64) ([]int64, error)) (Start, error) {
	// A commit between two reads can make the tiers differ. Then both are read again. After several attempts the
	// small one is taken, and the page is as exact as a page can be that changes while it is read.
	for attempt := 0; ; attempt++ {
		version, err := l.versions.Version(ctx)
		if err != nil {
			return Start{}, err
		}
		start, agreed, err := l.try(ctx, version, d, skip, s, nil)
		if err == nil && start.Found && (agreed || attempt == maxAttempts) {
			return l.exact(version, d, s, start, positions)
		}
		if err != nil || agreed || attempt == maxAttempts {
			return start, err
		}
	}
}

// maxAttempts is the most reads of counts that do not agree.
const maxAttempts = 8

func (l *Locator) try(ctx context.Context, version uint64, d Order, skip int64, s Set, without []int64) (start Start, agreed bool, err error) {
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

func (l *Locator) statements(ctx context.Context, scopes int) (statements, error) {
	l.mu.Lock()
	known, prepared := l.prepared[scopes]
	l.mu.Unlock()
	if prepared {
		return known, nil
	}
	bigQuery, smallQuery := queries(scopes)
	var made statements
	var err error
	// Both are kept until Close.
	if made.big, err = l.db.PrepareContext(ctx, bigQuery); err == nil {
		made.small, err = l.db.PrepareContext(ctx, smallQuery)
	}
	if err != nil {
		return known, errors.Join(err, made.close())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.prepared == nil {
		return known, errors.Join(sql.ErrConnDone, made.close())
	}
	if other, prepared := l.prepared[scopes]; prepared {
		return other, made.close()
	}
	l.prepared[scopes] = made
	return made, nil
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
	args := arguments(key.Set)
	of, err := l.statements(ctx, len(args))
	if err != nil {
		return nil, err
	}
	statement := of.big
	if key.within != whole {
		statement, args = of.small, append(args, key.within)
	}
	if found, err = readCounts(ctx, statement, args); err != nil {
		return nil, err
	}
	l.keep(version, key.Set, len(found), func() { l.counts[key] = found })
	return found, nil
}

func arguments(s Set) (args []any) {
	for _, one := range s.Scopes() {
		args = append(args, one)
	}
	return args
}

// keep stores n counts that were read after version was asked for. Counts that are carried over commits must be of
// exactly that version, so they must be read before the next commit.
func (l *Locator) keep(version uint64, s Set, n int, store func()) {
	if now, carries := l.versions.CommitVersion(); carries && now != version {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if version < l.version {
		return
	}
	if version > l.version || l.held+n > maxCounts || l.counts == nil {
		l.version, l.held = version, 0
		l.counts, l.rows = map[countsKey][]count{}, map[rowsKey]*positions{}
		l.uses = map[Scope][]Set{}
	}
	l.held += n + 8 // the overhead of an entry
	for _, text := range s.Scopes() {
		one := Scope(text)
		if !slices.Contains(l.uses[one], s) {
			l.uses[one] = append(l.uses[one], s)
		}
	}
	store()
}

// Carry brings the cache from one version to the next. Exactly one commit lies between them, and changed is its only
// change of counts. Without Carry, each page after a write would read hundreds of counts of which one has changed.
func (l *Locator) Carry(from, to uint64, changed Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.version != from || l.counts == nil {
		return
	}
	l.version = to
	for at, n := range changed {
		for _, s := range l.uses[at.Scope] {
			big := at.Block / BlockFanout
			l.add(countsKey{s, whole}, big, n)
			l.add(countsKey{s, big}, at.Block, n)
			delete(l.rows, rowsKey{s, at.Block}) // its rows changed, even if their number did not
		}
	}
}

// add requires the lock.
func (l *Locator) add(key countsKey, block, n int64) {
	if counts, known := l.counts[key]; known {
		l.counts[key] = added(counts, block, n)
	}
}

// added returns counts with n more in a block. It leaves counts unchanged, because other goroutines read them.
func added(counts []count, block, n int64) []count {
	at, known := slices.BinarySearchFunc(counts, block, func(c count, block int64) int { return cmp.Compare(c.block, block) })
	if !known {
		return slices.Insert(slices.Clip(counts), at, count{block, n})
	}
	counts = slices.Clone(counts)
	counts[at].n += n
	return counts
}

// exact converts a start that skips rows to one that begins at a row, with the positions of its block's rows, so that
// a page does not skip rows that were counted before.
func (l *Locator) exact(version uint64, d Order, s Set, start Start, read func(block int64) ([]int64, error)) (Start, error) {
	if start.Skip == 0 {
		return start, nil
	}
	key := rowsKey{s, start.From / BlockRows}
	l.mu.Lock()
	rows, known := l.rows[key]
	known = known && l.version == version
	l.mu.Unlock()
	if !known {
		found, err := read(key.block)
		if err != nil {
			return start, err
		}
		rows = positionsOf(key.block, found)
		l.keep(version, s, len(rows), func() { l.rows[key] = rows })
	}
	at := start.Skip
	if d == NewestFirst {
		at = rows.count() - 1 - start.Skip
	}
	if at < 0 || at >= rows.count() {
		return start, nil // a commit came in between: skipping rows is as good
	}
	start.From, start.Skip = key.block*BlockRows+rows.nth(at), 0
	return start, nil
}

// positions are the positions with a row in a block, one bit each.
type positions [BlockRows / 64]uint64

func positionsOf(block int64, rows []int64) *positions {
	p := &positions{}
	for _, at := range rows {
		at -= block * BlockRows
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

// nth returns the position of the row after the first n, which are fewer than count.
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
	return BlockRows
}
