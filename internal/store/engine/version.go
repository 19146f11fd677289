package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Numbering numbers the states of a database: an engine's description of all commits, of this node or any other.
// Equal states have the same data, and every commit that changes data creates another state.
type Numbering[S comparable] struct {
	last atomic.Pointer[numbered[S]]
}

type numbered[S comparable] struct {
	state  S
	number uint64
}

// Number returns the number of a state. It grows from state to state.
func (n *Numbering[S]) Number(now S) uint64 {
	for {
		last := n.last.Load()
		if last != nil && last.state == now {
			return last.number
		}
		// A caller that was overtaken may number an old state anew. That costs a cache its entries but is correct: a
		// number never stands for two states.
		next := &numbered[S]{state: now, number: 1}
		if last != nil {
			next.number = last.number + 1
		}
		if n.last.CompareAndSwap(last, next) {
			return next.number
		}
	}
}

type versionKey struct{}

// WithVersion returns a ctx for reads under a known version: they see that version or a later one, without asking for
// it.
func WithVersion(ctx context.Context, version uint64) context.Context {
	return context.WithValue(ctx, versionKey{}, version)
}

// VersionOf returns the version of ctx; 0 if it has none.
func VersionOf(ctx context.Context) uint64 {
	version, _ := ctx.Value(versionKey{}).(uint64)
	return version
}

// AskTimeout bounds one query that many callers wait for.
const AskTimeout = 4 * time.Second

// Shared lets concurrent callers share the answers to one question. A caller gets only an answer to a question asked
// after its call, so the answer is as new as one of its own.
type Shared[T any] struct {
	ask func() (T, error)

	mu   sync.Mutex
	next *question[T] // callers of the next question; nil if there are none
	busy bool         // run is active
	idle sync.Cond    // on mu: run has ended
}

type question[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// NewShared returns a Shared of a question.
func NewShared[T any](ask func() (T, error)) *Shared[T] {
	s := &Shared[T]{ask: ask}
	s.idle.L = &s.mu
	return s
}

// Get returns an answer to a question that was asked after the call.
func (s *Shared[T]) Get(ctx context.Context) (T, error) {
	s.mu.Lock()
	q := s.next
	if q == nil {
		q = &question[T]{done: make(chan struct{})}
		s.next = q
		if !s.busy {
			s.busy = true
			go s.run()
		}
	}
	s.mu.Unlock()
	select {
	case <-q.done:
		return q.value, q.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// run asks questions one after the other while callers wait.
func (s *Shared[T]) run() {
	for {
		s.mu.Lock()
		q := s.next
		s.next = nil
		if q == nil {
			s.busy = false
			s.idle.Broadcast()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		q.value, q.err = s.ask()
		close(q.done)
	}
}

// Wait returns once no question is running.
func (s *Shared[T]) Wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy {
		s.idle.Wait()
	}
}
