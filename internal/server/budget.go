package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"studycircle/internal/admission"
)

// errNoRoom is the error of a request that was cut or refused because too many bytes were held for others.
var errNoRoom = errors.New("too many bytes are held at once")

// budget bounds the bytes that a node holds for all slow clients together. When it is exhausted, the client that
// holds most is cut, visitors before users. It is safe for concurrent use.
type budget struct {
	total int
	claim func(*http.Request) admission.Claim

	mu   sync.Mutex
	used int
	// first and last are the holds that can be cut, in the order they began: of those with one key the first is the
	// slowest.
	first, last *hold
	looking     bool          // look runs
	freed       chan struct{} // closed, and replaced, when memory is freed; nil while no request waits
}

// client is the part of an http.ResponseWriter that sets deadlines.
type client interface {
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// longAgo is a deadline that ends any wait.
var longAgo = time.Unix(1, 0)

// hold is the memory held for one request. It is used by one goroutine.
type hold struct {
	budget *budget
	r      *http.Request
	// until is the client's deadline, if the connection's own does not apply.
	until      time.Time
	client     client
	sends      bool // the client sends; otherwise it receives
	n          int
	whose      *admission.Claim // set at the first call
	slow       bool             // among the holds that can be cut
	wasCut     bool
	prev, next *hold
}

func newBudget(total int, claim func(*http.Request) admission.Claim) *budget {
	return &budget{total: total, claim: claim}
}

// lookEvery is the precision of until. Checking all holds at once is much cheaper than a timer for each.
const lookEvery = time.Second

// begin holds n more bytes, and allows the hold to be cut from now on, at the latest at until. It makes room by
// cutting others. If that is not enough it exceeds the total, because an answer exists before it is counted.
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

// grow holds n more bytes by cutting others, or once there is room. errNoRoom if there is none in time.
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

// await waits for more room. It is called and returns with the lock held, and waits without it.
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

// settle ends the wait for the client: the memory stays held, and the hold cannot be cut any more.
func (h *hold) settle() {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.budget.remove(h)
}

// end frees the held memory, and reports whether the hold was cut.
func (h *hold) end() (wasCut bool) {
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(h)
	b.free(h)
	return h.wasCut
}

// free requires the lock.
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

// cutOne cuts the first hold of the client that holds most, visitors before users. For a hold that is still wanted,
// it cuts no client with a better claim, and none with the same key.
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

// cut ends the wait for a client.
func (b *budget) cut(h *hold) {
	b.remove(h)
	b.free(h)
	h.wasCut = true
	switch {
	case h.client == nil: // a writer without deadlines never waits
	case h.sends:
		_ = h.client.SetReadDeadline(longAgo)
	default:
		_ = h.client.SetWriteDeadline(longAgo)
	}
}

// look cuts clients that exceed their time, while there are holds.
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
