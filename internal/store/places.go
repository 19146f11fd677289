package store

import (
	"context"
	"hash/maphash"
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	placesInSet = 8       // 64 bytes, a line of the processor's cache
	minPlaces   = 1 << 12 // 32 KB
	maxPlaces   = 1 << 22 // 32 MB
	// placesPerRow is how much room there is for each assignment, so that hardly
	// any set is full.
	placesPerRow = 2
	// learnEvery is how often it is looked whether there is room for all.
	learnEvery = time.Second
	learnStep  = 256
)

// places remembers the numbers under which assignments are stored, so that one is
// found without the index of ids, which costs SQLite as much as reading the row.
// Key: the assignment's id. Audience: nobody; no data is held, and who reads by a
// remembered number looks whether the id stands there. Emptied by: nothing; a
// number that is not true is a detour. Bound: maxPlaces.
type places struct {
	seed    maphash.Seed
	table   atomic.Pointer[placeTable] // nil until learnAll has come by
	highest atomic.Int64               // of all numbers that were remembered
}

// placeTable has a power of two of sets. An id belongs to the one that the low
// bits of its hash name.
type placeTable struct {
	sets []placeSet
	mask uint64
}

// placeSet holds numbers in the low half of each slot, below the high half of
// their ids' hashes. An empty slot is 0.
type placeSet [placesInSet]atomic.Uint64

const placeNumber = math.MaxUint32

// of returns where id was when it was last read.
func (p *places) of(id string) (seq int64, known bool) {
	set, tag := p.set(id)
	if set == nil {
		return 0, false
	}
	for i := range set {
		if at := set[i].Load(); at&^placeNumber == tag && at&placeNumber != 0 {
			return int64(at & placeNumber), true
		}
	}
	return 0, false
}

// remember says where id is. In a full set another place is forgotten.
func (p *places) remember(id string, seq int64) {
	set, tag := p.set(id)
	if set == nil || seq < 0 || seq > placeNumber {
		return
	}
	slot := &set[tag>>32%placesInSet]
	for i := range set {
		if at := set[i].Load(); at == 0 || at&^placeNumber == tag {
			slot = &set[i]
			break
		}
	}
	slot.Store(tag | uint64(seq))
	for highest := p.highest.Load(); seq > highest && !p.highest.CompareAndSwap(highest, seq); {
		highest = p.highest.Load()
	}
}

// set is nil where nothing is remembered yet.
func (p *places) set(id string) (set *placeSet, tag uint64) {
	t := p.table.Load()
	if t == nil {
		return nil, 0
	}
	h := maphash.String(p.seed, id)
	return &t.sets[h&t.mask], h &^ placeNumber
}

// learnPlaces remembers where all assignments are, the newest first, and does so
// again when there have come twice as many, until ctx ends.
func (r *sqliteReads) learnPlaces(ctx context.Context) {
	every(ctx, learnEvery, "single assignments take longer to find", func(ctx context.Context) error {
		if r.places.roomFor(r.places.highest.Load()) {
			return nil
		}
		return r.learnAll(ctx)
	})
}

// roomFor is false as well before anything was learned.
func (p *places) roomFor(highest int64) bool {
	t := p.table.Load()
	return t != nil && placesInSet*len(t.sets) >= int(min(placesPerRow*highest, maxPlaces))
}

func (r *sqliteReads) learnAll(ctx context.Context) error {
	var highest int64
	err := r.with(ctx, func(c *rowConn, _ uint64) error {
		return each(c.highest, func() { highest = c.highest.ColumnInt64(0) })
	})
	if err != nil {
		return err
	}
	room := min(max(placesPerRow*highest, minPlaces), maxPlaces)
	mask := uint64(1)<<bits.Len64(uint64(room/placesInSet-1)) - 1
	r.places.table.Store(&placeTable{make([]placeSet, mask+1), mask})
	step := int64(learnStep)
	for left, before := int64(maxPlaces/placesPerRow), "~"; left > 0 && step == learnStep; left -= step { // no id comes after ~
		if err := ctx.Err(); err != nil {
			return err
		}
		step = 0
		err := r.with(ctx, func(c *rowConn, _ uint64) error {
			c.ids.BindText(1, before)
			c.ids.BindInt64(2, learnStep)
			return each(c.ids, func() {
				step, before = step+1, c.ids.ColumnText(0)
				r.places.remember(before, c.ids.ColumnInt64(1))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
