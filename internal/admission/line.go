// Package admission shares out what is short on a node: places for requests that
// the processor works for, and turns at whatever else few can use at once. Who is
// signed in comes before who is not, and everybody's first request before
// anybody's second.
//
// It knows neither HTTP nor what is done in a place.
package admission

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrFull says that there is no place, and none to wait in either.
var ErrFull = errors.New("too many are waiting")

// Claim is who asks for a place.
type Claim struct {
	// Key is what shares are counted by: a session, or the network of an address.
	Key string
	// Known is set for whoever is signed in.
	Known bool
}

// Line lets a bounded number in at once and a bounded number wait, each for a
// bounded time. It is safe for concurrent use.
type Line struct {
	patience   time.Duration
	maxWaiting int

	mu   sync.Mutex
	free int
	// turn counts who was let in after waiting.
	turn    int
	waiting int        // in classes
	classes [2]class   // of strangers, and of those who are signed in
	back    *list.List // of chan bool: who had a place and needs one again
	used    usage
}

// class is the waiting of one kind of claim: a group for each key. Whose key has used
// least is served first, and of equals each in turn.
type class struct {
	groups map[string]*group
	turns  *list.List // of *group
}

// group is who waits under one key, the first in front.
type group struct {
	key     string
	waiters *list.List // of chan bool: true is a place, false is none
	turn    *list.Element
	used    time.Duration
}

// knownTurns of every turns go to who is signed in, while strangers wait too.
const (
	knownTurns = 3
	turns      = 4
)

// NewLine makes a line of so many places, in which so many more may wait, none of
// them longer than patience.
func NewLine(places, waiting int, patience time.Duration) *Line {
	l := &Line{free: places, maxWaiting: waiting, patience: patience, back: list.New(), used: newUsage()}
	for i := range l.classes {
		l.classes[i] = class{map[string]*group{}, list.New()}
	}
	return l
}

// TryEnter takes a place that is free and that nobody waits for.
func (l *Line) TryEnter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free == 0 {
		return false
	}
	l.free--
	return true
}

// Enter waits for a place. ErrFull where there is none in time; ctx's error. Who
// was let in calls Leave.
func (l *Line) Enter(ctx context.Context, c Claim) error {
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return nil
	}
	if l.waiting >= l.maxWaiting && !l.makeRoom(c) {
		l.mu.Unlock()
		return ErrFull
	}
	g, w := l.queue(c)
	let := answerTo(w)
	l.mu.Unlock()
	timer := time.NewTimer(l.patience)
	defer timer.Stop()
	select {
	case in := <-let:
		if !in {
			return ErrFull
		}
		return nil
	case <-timer.C:
		return l.giveUp(c, g, w, let, ErrFull)
	case <-ctx.Done():
		return l.giveUp(c, g, w, let, ctx.Err())
	}
}

// giveUp takes a waiter out of the line. It may have been let in meanwhile.
func (l *Line) giveUp(c Claim, g *group, w *list.Element, let chan bool, why error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case in := <-let:
		if in && !errors.Is(why, ErrFull) {
			l.pass()
			return why
		}
		if in {
			return nil
		}
		return ErrFull
	default:
		l.remove(l.classOf(c), g, w)
		return why
	}
}

// Leave gives a place back.
func (l *Line) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pass()
}

// leaveUnwaited gives a place back, but not where somebody waits for it.
func (l *Line) leaveUnwaited() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting > 0 {
		return false
	}
	l.pass()
	return true
}

// charge has c pay for the time that it had a place, where others wait for one:
// those who have paid less come first.
func (l *Line) charge(c Claim, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.used.add(c, took)
	if g := l.classOf(c).groups[c.Key]; g != nil {
		g.used = now
	}
}

// Return waits for a place once more, before all others: for who has left theirs
// to wait for something else. It is false where ctx ended first.
func (l *Line) Return(ctx context.Context) bool {
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return true
	}
	let := make(chan bool, 1)
	w := l.back.PushBack(let)
	l.mu.Unlock()
	select {
	case <-let:
		return true
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-let:
		return true
	default:
		l.back.Remove(w)
		return false
	}
}

// Waiting is how many wait.
func (l *Line) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

// pass hands a place to whoever is next, or keeps it free.
func (l *Line) pass() {
	if first := l.back.Front(); first != nil {
		l.back.Remove(first)
		answerTo(first) <- true
		return
	}
	if l.waiting == 0 {
		l.free++
		return
	}
	strangers, known := &l.classes[0], &l.classes[1]
	c := known
	if l.turn++; known.turns.Len() == 0 || (l.turn%turns >= knownTurns && strangers.turns.Len() > 0) {
		c = strangers
	}
	g := c.next()
	c.turns.MoveToBack(g.turn)
	first := g.waiters.Front()
	l.remove(c, g, first)
	answerTo(first) <- true
}

// answerTo is where somebody who waits hears what becomes of it.
func answerTo(waiter *list.Element) chan bool {
	answer, _ := waiter.Value.(chan bool) // see group and Line
	return answer
}

// next is whose turn it is.
func (c *class) next() *group {
	first, _ := c.turns.Front().Value.(*group) // see class
	for e := first.turn.Next(); e != nil; e = e.Next() {
		if g, _ := e.Value.(*group); g.used < first.used {
			first = g
		}
	}
	return first
}

func (l *Line) classOf(c Claim) *class {
	if c.Known {
		return &l.classes[1]
	}
	return &l.classes[0]
}

func (l *Line) queue(c Claim) (*group, *list.Element) {
	in := l.classOf(c)
	g := in.groups[c.Key]
	if g == nil {
		g = &group{key: c.Key, waiters: list.New(), used: l.used.of(c)}
		g.turn = in.turns.PushBack(g)
		in.groups[c.Key] = g
	}
	l.waiting++
	return g, g.waiters.PushBack(make(chan bool, 1))
}

func (l *Line) remove(c *class, g *group, w *list.Element) {
	g.waiters.Remove(w)
	l.waiting--
	if g.waiters.Len() == 0 {
		c.turns.Remove(g.turn)
		delete(c.groups, g.key)
	}
}

// makeRoom turns away the last of those who wait under the key with most of them,
// where that is fairer than turning c away: strangers' before others', and of keys
// with as many the one whose turn comes last.
func (l *Line) makeRoom(c Claim) bool {
	for i := range l.classes {
		from := &l.classes[i]
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
		if g := l.classOf(c).groups[c.Key]; g != nil {
			own = g.waiters.Len()
		}
		if stranger := from == &l.classes[0]; (stranger && c.Known) || (stranger != c.Known && most.waiters.Len() > own+1) {
			last := most.waiters.Back()
			l.remove(from, most, last)
			answerTo(last) <- false
			return true
		}
	}
	return false
}
