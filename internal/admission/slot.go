package admission

import (
	"context"
	"time"
)

// Slot is one request's slot of a queue.
type Slot struct {
	queue *Queue
	owner Claimer
	held  bool
	since time.Time
}

// Claimer returns the claim that something counts for. It is called only while requests
// wait.
type Claimer interface{ Claim() Claim }

type slotKey struct{}

// Hold returns a slot that was just acquired for owner.
func (q *Queue) Hold(owner Claimer) Slot { return Slot{q, owner, true, time.Now()} }

// With returns a context for work that is done in s.
func With(ctx context.Context, s *Slot) context.Context {
	return context.WithValue(ctx, slotKey{}, s)
}

// ClaimOf returns the claim of the slot in ctx; the zero Claim if ctx has none.
func ClaimOf(ctx context.Context) Claim {
	if s, ok := ctx.Value(slotKey{}).(*Slot); ok {
		return s.owner.Claim()
	}
	return Claim{}
}

// WithoutSlot runs f, which waits for something other than the processor, while the slot
// in ctx is released for others.
func WithoutSlot(ctx context.Context, f func() error) error {
	s, ok := ctx.Value(slotKey{}).(*Slot)
	if !ok {
		return f()
	}
	return s.Without(ctx, f)
}

// Without runs f while the slot is released for others, and acquires it again.
func (s *Slot) Without(ctx context.Context, f func() error) error {
	if !s.held {
		return f()
	}
	s.Release()
	defer func() {
		// If ctx has ended there is no slot: only the error remains to be sent.
		s.held = s.queue.Reacquire(ctx)
		s.since = time.Now()
	}()
	return f()
}

// Release gives the slot back, if it is held.
func (s *Slot) Release() {
	if !s.held {
		return
	}
	s.held = false
	if !s.queue.releaseUnwanted() {
		s.queue.charge(s.owner.Claim(), time.Since(s.since))
		s.queue.Release()
	}
}
