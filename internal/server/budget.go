package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"studycircle/internal/admission"
)

// errNoRoom is the end of what was cut, or not begun, because too many bytes were
// held for others.
var errNoRoom = errors.New("too many bytes are held at once")

// budget bounds the bytes that a node holds for clients who take their time, all
// of them together. Where it is short, the client that holds most is cut, strangers before
// those who are signed in. It is safe for concurrent use.
type budget struct {
	total int
	claim func(*http.Request) admission.Claim

	mu   sync.Mutex
	used int
	// first and last are those that can be cut, in the order they began: of those
	// under one key the first is the slowest.
	first, last *hold
	looking     bool          // at who has taken too long, again and again
	freed       chan struct{} // closed, and replaced, when there is more room; nil while no request waits
}

// client is who is waited for: an http.ResponseWriter, as far as it has deadlines.
type client interface {
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// longAgo ends any waiting.
var longAgo = time.Unix(1, 0)

// hold is what is held for one request. It is used by one goroutine.
type hold struct {
	budget *budget
	r      *http.Request
	// until is how long the client may take, unless the connection's own deadline bounds it.
	until      time.Time
	client     client
	sends      bool // the client does; otherwise it takes
	n          int
	whose      *admission.Claim // known from the first time that it is asked
	slow       bool             // among those that can be cut
	wasCut     bool
	prev, next *hold
}

func newBudget(total int, claim func(*http.Request) admission.Claim) *budget {
	return &budget{total: total, claim: claim}
}

// lookEvery is how exactly until is kept. Looking once for all is much cheaper than
// a timer for each.
const lookEvery = time.Second

// begin holds n more bytes and may be cut from now on, at the latest when until has
// passed. It makes room by cutting others, and where that makes too little goes
// beyond the total: what is held for an answer was made before it is counted.
func (h *hold) begin(n int, until time.Time) {
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	h.n += n
	h.until = until
	b.used += n
	b.add(h)
	if !b.looking {
		b.looking = true
		time.AfterFunc(lookEvery, b.look)
	}
	for b.used > b.total && b.cutOne(nil) {
	}
}

// grow holds n more bytes, at the price of others, or once there is room for them.
// errNoRoom if there is none in time.
func (h *hold) grow(ctx context.Context, n int, patience time.Duration) error {
	b, deadline := h.budget, time.Now().Add(patience)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.used+n > b.total {
		if h.wasCut {
			return errNoRoom
		}
		if b.cutOne(h) {
			continue
		}
		if err := b.await(ctx, deadline); err != nil {
			return err
		}
	}
	if h.wasCut {
		return errNoRoom
	}
	h.n += n
	b.used += n
	b.add(h)
	return nil
}

// await waits, without the lock that it expects and leaves with, for more room.
func (b *budget) await(ctx context.Context, deadline time.Time) error {
	if b.freed == nil {
		b.freed = make(chan struct{})
	}
	freed := b.freed
	b.mu.Unlock()
	defer b.mu.Lock()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-freed:
		return nil
	case <-timer.C:
		return errNoRoom
	case <-ctx.Done():
		return ctx.Err()
	}
}

// settle says that the client is waited for no longer: what is held is held on,
// and cut no more.
func (h *hold) settle() {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.budget.remove(h)
}

// end gives back all that is held, and reports whether it was cut.
func (h *hold) end() (wasCut bool) {
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(h)
	b.free(h)
	return h.wasCut
}

// free expects the lock.
func (b *budget) free(h *hold) {
	b.used -= h.n
	h.n = 0
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

func (b *budget) add(h *hold) {
	if h.slow {
		return
	}
	h.slow, h.prev = true, b.last
	if b.last == nil {
		b.first = h
	} else {
		b.last.next = h
	}
	b.last = h
}

func (b *budget) remove(h *hold) {
	if !h.slow {
		return
	}
	if h.prev == nil {
		b.first = h.next
	} else {
		h.prev.next = h.next
	}
	if h.next == nil {
		b.last = h.prev
	} else {
		h.next.prev = h.prev
	}
	h.slow, h.prev, h.next = false, nil, nil
}

// cutOne cuts the first of those who hold most together, strangers before others.
// For what is not held yet, wanted, no client with a better claim is cut, and under
// its own key none at all.
func (b *budget) cutOne(wanted *hold) bool {
	held := map[admission.Claim]int{}
	firsts := map[admission.Claim]*hold{}
	for h := b.first; h != nil; h = h.next {
		c := b.claimOf(h)
		held[c] += h.n
		if firsts[c] == nil && h != wanted {
			firsts[c] = h
		}
	}
	var most admission.Claim
	var victim *hold
	for c, h := range firsts {
		if victim == nil || (most.SignedIn && !c.SignedIn) || (most.SignedIn == c.SignedIn && held[c] > held[most]) {
			most, victim = c, h
		}
	}
	if victim == nil {
		return false
	}
	if wanted != nil {
		own := b.claimOf(wanted)
		if (most.SignedIn && !own.SignedIn) || (most.SignedIn == own.SignedIn && held[most] <= held[own]) {
			return false
		}
	}
	b.cut(victim)
	return true
}

func (b *budget) claimOf(h *hold) admission.Claim {
	if h.whose == nil {
		c := b.claim(h.r)
		h.whose = &c
	}
	return *h.whose
}

// cut ends the waiting for a client.
func (b *budget) cut(h *hold) {
	b.remove(h)
	b.free(h)
	h.wasCut = true
	switch {
	case h.client == nil: // a writer without deadlines, which never waits
	case h.sends:
		_ = h.client.SetReadDeadline(longAgo)
	default:
		_ = h.client.SetWriteDeadline(longAgo)
	}
}

// look cuts clients that have taken too long, while there are any.
func (b *budget) look() {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	for h := b.first; h != nil; {
		late := h
		h = h.next
		if !late.until.IsZero() && !now.Before(late.until) {
			b.cut(late)
		}
	}
	if b.looking = b.first != nil; b.looking {
		time.AfterFunc(lookEvery, b.look)
	}
}
