// Package admission shares out scarce slots of a node: those of requests that the processor
// works for, and others that few may hold at once. Users go before visitors, and each
// client's first request before any client's second.
//
// It knows neither HTTP nor what is done in a slot.
package admission

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrFull is returned if no slot becomes free in time, or too many requests wait.
var ErrFull = errors.New("too many are waiting")

// Claim identifies the client that asks for a slot.
type Claim struct {
	// Key is what use is counted by: a session, or the network of an address.
	Key string
	// SignedIn is set for a user.
	SignedIn bool
}

// Queue has a bounded number of slots and lets a bounded number of requests wait for one,
// each for a bounded time. It is safe for concurrent use.
type Queue struct {
	patience   time.Duration
	maxWaiting int

	mu   sync.Mutex
	free int
	// turn counts the requests that got a slot after waiting.
	turn    int
	waiting int        // in classes
	classes [2]class   // of visitors, and of users
	back    *list.List // of chan bool: requests that need their slot again
	used    usage
}

// class has the waiting requests of visitors or of users, a group for each key. The key that
// has used least time is served first, and equal ones take turns.
type class struct {
	groups map[string]*group
	turns  *list.List // of *group
}

// group has the waiting requests of one key, the oldest in front.
type group struct {
	key     string
	waiters *list.List // of chan bool: true is a slot, false a refusal
	turn    *list.Element
	used    time.Duration
}

// Of each turns slots, userTurns go to users while visitors wait too.
const (
	userTurns = 3
	turns     = 4
)

// NewQueue makes a queue with a number of slots, in which so many more requests may wait,
// each no longer than patience.
func NewQueue(slots, waiting int, patience time.Duration) *Queue {
	q := &Queue{free: slots, maxWaiting: waiting, patience: patience, back: list.New(), used: newUsage()}
	for i := range q.classes {
		q.classes[i] = class{map[string]*group{}, list.New()}
	}
	return q
}

// TryAcquire takes a free slot and reports whether there was one.
func (q *Queue) TryAcquire() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free == 0 {
		return false
	}
	q.free--
	return true
}

// Acquire waits for a slot. It returns ErrFull if there is none in time, or ctx's error.
// After success the caller calls Release.
func (q *Queue) Acquire(ctx context.Context, c Claim) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	if q.waiting >= q.maxWaiting && !q.makeRoom(c) {
		q.mu.Unlock()
		return ErrFull
	}
	g, w := q.queue(c)
	let := answerTo(w)
	q.mu.Unlock()
	timer := time.NewTimer(q.patience)
	defer timer.Stop()
	select {
	case in := <-let:
		if !in {
			return ErrFull
		}
		return nil
	case <-timer.C:
		return q.giveUp(c, g, w, let, ErrFull)
	case <-ctx.Done():
		return q.giveUp(c, g, w, let, ctx.Err())
	}
}

// giveUp removes a waiter, which may have got a slot meanwhile.
func (q *Queue) giveUp(c Claim, g *group, w *list.Element, let chan bool, why error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case in := <-let:
		if in && !errors.Is(why, ErrFull) {
			q.pass()
			return why
		}
		if in {
			return nil
		}
		return ErrFull
	default:
		q.remove(q.classOf(c), g, w)
		return why
	}
}

// Release gives a slot back.
func (q *Queue) Release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass()
}

// releaseUnwanted gives a slot back unless requests wait for it, and reports whether it did.
func (q *Queue) releaseUnwanted() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting > 0 {
		return false
	}
	q.pass()
	return true
}

// charge counts the time that c held a slot while others waited: keys with less come first.
func (q *Queue) charge(c Claim, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.used.add(c, took)
	if g := q.classOf(c).groups[c.Key]; g != nil {
		g.used = now
	}
}

// Reacquire waits for a slot before all other requests, after WithoutSlot has released one.
// It reports false if ctx ended first.
func (q *Queue) Reacquire(ctx context.Context) bool {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return true
	}
	let := make(chan bool, 1)
	w := q.back.PushBack(let)
	q.mu.Unlock()
	select {
	case <-let:
		return true
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-let:
		return true
	default:
		q.back.Remove(w)
		return false
	}
}

// Waiting returns the number of requests that wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// pass hands a slot to the next request, or keeps it free.
func (q *Queue) pass() {
	if first := q.back.Front(); first != nil {
		q.back.Remove(first)
		answerTo(first) <- true
		return
	}
	if q.waiting == 0 {
		q.free++
		return
	}
	visitors, users := &q.classes[0], &q.classes[1]
	c := users
	if q.turn++; users.turns.Len() == 0 || (q.turn%turns >= userTurns && visitors.turns.Len() > 0) {
		c = visitors
	}
	g := c.next()
	c.turns.MoveToBack(g.turn)
	first := g.waiters.Front()
	q.remove(c, g, first)
	answerTo(first) <- true
}

// answerTo returns the channel that a waiter receives its answer on.
func answerTo(waiter *list.Element) chan bool {
	answer, _ := waiter.Value.(chan bool) // see group and Queue
	return answer
}

// next returns the group whose turn it is.
func (c *class) next() *group {
	first, _ := c.turns.Front().Value.(*group) // see class
	for e := first.turn.Next(); e != nil; e = e.Next() {
		if g, _ := e.Value.(*group); g.used < first.used {
			first = g
		}
	}
	return first
}

func (q *Queue) classOf(c Claim) *class {
	if c.SignedIn {
		return &q.classes[1]
	}
	return &q.classes[0]
}

func (q *Queue) queue(c Claim) (*group, *list.Element) {
	in := q.classOf(c)
	g := in.groups[c.Key]
	if g == nil {
		g = &group{key: c.Key, waiters: list.New(), used: q.used.of(c)}
		g.turn = in.turns.PushBack(g)
		in.groups[c.Key] = g
	}
	q.waiting++
	return g, g.waiters.PushBack(make(chan bool, 1))
}

func (q *Queue) remove(c *class, g *group, w *list.Element) {
	g.waiters.Remove(w)
	q.waiting--
	if g.waiters.Len() == 0 {
		c.turns.Remove(g.turn)
		delete(c.groups, g.key)
	}
}

// makeRoom refuses the last request of the key with most waiting, if that is fairer than
// refusing c, and reports whether it did. Visitors' requests go first; of keys with equally
// many, the one whose turn comes last.
func (q *Queue) makeRoom(c Claim) bool {
	for i := range q.classes {
		from := &q.classes[i]
		var most *group
		for turn := from.turns.Front(); turn != nil; turn = turn.Next() {
			g, _ := turn.Value.(*group) // see class
			if most == nil || g.waiters.Len() >= most.waiters.Len() {
				most = g
			}
		}
		if most == nil {
			continue
		}
		own := 0
		if g := q.classOf(c).groups[c.Key]; g != nil {
			own = g.waiters.Len()
		}
		if visitors := from == &q.classes[0]; (visitors && c.SignedIn) ||
			(visitors != c.SignedIn && most.waiters.Len() > own+1) {
			last := most.waiters.Back()
			q.remove(from, most, last)
			answerTo(last) <- false
			return true
		}
	}
	return false
}
