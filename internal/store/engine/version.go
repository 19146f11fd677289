package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Numbering gives numbers to states of a database: what its engine says is
// committed, of this node or any other. Two equal states have the same data, and
// every commit that changes data makes another state.
type Numbering[S comparable] struct {
	last atomic.Pointer[numbered[S]]
}

type numbered[S comparable] struct {
	state  S
	number uint64
}

// Number is the one that stands for a state. It grows from state to state.
func (n *Numbering[S]) Number(now S) uint64 {
	for {
		last := n.last.Load()
		if last != nil && last.state == now {
			return last.number
		}
		// A caller that was overtaken may number an old state anew. That costs a
		// cache its entries but is correct: no number stands for two states.
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

// WithVersion is ctx for reads under a version that was asked for already: they
// show that one or a later one, and ask for none.
func WithVersion(ctx context.Context, version uint64) context.Context {
	return context.WithValue(ctx, versionKey{}, version)
}

// VersionOf returns the version that ctx has; 0 if it has none.
func VersionOf(ctx context.Context) uint64 {
	version, _ := ctx.Value(versionKey{}).(uint64)
	return version
}

// AskTimeout bounds one question to the database that many wait for.
const AskTimeout = 4 * time.Second

// Shared lets many who ask the same at once share few questions. An answer is
// given only to those who came before its question was asked, so nobody learns
// less than they would have by asking themselves.
type Shared[T any] struct {
	ask func() (T, error)

	mu   sync.Mutex
	next *question[T] // callers that wait for the next question; nil if there are none
	busy bool         // run is active
	idle sync.Cond    // on mu: run has ended
}

type question[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// NewShared makes a Shared of a question.
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

// run asks one question after the other while callers wait.
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

// Wait returns once no question is under way.
func (s *Shared[T]) Wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy {
		s.idle.Wait()
	}
}
