package store

import (
	"context"
	"sync"
	"time"
)

// state names what is committed, in the database's own words. Two equal states
// had the same data, whoever writes: this node, another one, or a command beside
// it; and every commit that changes data makes another state.
type state struct {
	epoch    uint64    // which connection was asked: a new one may reach another server
	snapshot string    // what the database says
	header   walHeader // or what SQLite's shared memory holds
}

// walHeader is the first copy of SQLite's WAL index header: a counter of
// transactions, the log's length, its salts and checksums.
type walHeader [6]uint64

// versions tells what is committed now.
type versions interface {
	// now returns a state no older than the call: whoever saw a write being
	// acknowledged, on any node, gets a state that has it.
	now(ctx context.Context) (state, error)
	close() error
}

// numbered is a state and its number on this node.
type numbered struct {
	state
	number uint64
}

// Version numbers what is committed now: as long as it returns the same number,
// no commit has changed data, and what was read after it returned is exact. It
// grows with every commit, of any node or program. It takes some nanoseconds on
// SQLite; on PostgreSQL it waits for a query, which all who ask at once share.
func (s *Store) Version(ctx context.Context) (uint64, error) {
	now, err := s.versions.now(ctx)
	if err != nil {
		return 0, classify(err)
	}
	return s.number(now), nil
}

// number is the one that stands for a state.
func (s *Store) number(now state) uint64 {
	for {
		last := s.version.Load()
		if last != nil && last.state == now {
			return last.number
		}
		// A caller that was overtaken may number an old state anew. That costs a
		// cache its entries and misleads nobody: no number stands for two states.
		next := &numbered{state: now, number: 1}
		if last != nil {
			next.number = last.number + 1
		}
		if s.version.CompareAndSwap(last, next) {
			return next.number
		}
	}
}

// askTimeout bounds one question for the version.
const askTimeout = 4 * time.Second

// shared lets many who ask the same at once share few questions. An answer is
// given only to those who came before its question was asked, so nobody learns
// less than they would have by asking themselves.
type shared[T any] struct {
	ask func() (T, error)

	mu   sync.Mutex
	next *question[T] // those who wait for the next question; nil for nobody
	busy bool         // somebody runs
	idle sync.Cond    // on mu: nobody runs any more
}

type question[T any] struct {
	done  chan struct{}
	value T
	err   error
}

func newShared[T any](ask func() (T, error)) *shared[T] {
	s := &shared[T]{ask: ask}
	s.idle.L = &s.mu
	return s
}

func (s *shared[T]) get(ctx context.Context) (T, error) {
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

// run asks one question after the other for as long as somebody waits.
func (s *shared[T]) run() {
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

// wait returns once no question is under way.
func (s *shared[T]) wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy {
		s.idle.Wait()
	}
}
