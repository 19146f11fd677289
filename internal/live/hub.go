// Package live carries what changes to those who listen. One reader a node asks
// the store for news, when the store says that there are some and every second
// anyway, and keeps the last of them in memory; any number of listeners take
// them from there.
//
// It knows no HTTP and no SQL. Who may hear what is the policy's to say.
package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"studycircle"
)

// Log is where news come from.
type Log interface {
	// News returns what happened after the token since, and up to until or, where
	// that is "", the present. Since "" nothing has happened.
	News(ctx context.Context, since, until string) (studycircle.News, error)
	// OnNews calls notify when there may be news, until ctx ends.
	OnNews(ctx context.Context, notify func())
}

const (
	// askEvery bounds how late news are when nobody tells that there are some.
	askEvery = time.Second
	// askTimeout bounds one question.
	askTimeout = 4 * time.Second
	// pace is the least time between two questions.
	pace = 20 * time.Millisecond
	// idleAfter is how long the reader goes on for nobody.
	idleAfter = time.Minute
	// kept is how many events are kept, or a quarter more, for listeners to take:
	// some 3 MB.
	kept = 8192
)

// How many listeners a node has at most, each some 15 kB, and how many of them
// may be visitors, so that those do not keep users out; then one user's and one
// network's visitors, so that nobody keeps others out. A browser listens once,
// whatever the number of its tabs.
const (
	maxListeners = 2500
	maxVisitors  = 1500
	maxOfUser    = 30
	maxOfNetwork = 300
)

// Hub is one node's reader. Its methods are safe for concurrent use.
type Hub struct {
	log   Log
	news  chan struct{} // there may be news
	ended chan struct{} // closed by Close

	mu sync.Mutex
	// events are the last ones; the first of them is number `first`.
	events []studycircle.PlacedEvent
	first  int
	// now is the place up to which events go; "" while nobody wants to know.
	now   string
	grown chan struct{} // closed, and replaced, when events or now change
	// waiting want to know of a question that is asked after they came.
	waiting   []chan error
	wanted    time.Time // when somebody last wanted to know
	listeners int
	visitors  int
	of        map[Viewer]int // how many of them each has
	closed    bool
}

// NewHub makes a hub. Run makes it work.
func NewHub(log Log) *Hub {
	return &Hub{log: log, news: make(chan struct{}, 1), ended: make(chan struct{}), grown: make(chan struct{}), of: map[Viewer]int{}}
}

// Run reads until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	var listening sync.WaitGroup
	listening.Go(func() { h.log.OnNews(ctx, h.wake) })
	defer listening.Wait()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		select {
		case <-h.news:
		case <-tick.C:
		case <-ctx.Done():
			h.Close()
			return
		}
		if !h.busy() {
			continue
		}
		h.ask(ctx)
		// What comes meanwhile is asked for together.
		pause := time.NewTimer(pace)
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}

func (h *Hub) wake() {
	select {
	case h.news <- struct{}{}:
	default: // the next question is still to be asked
	}
}

// busy tells whether anybody wants to know. When nobody did for a while, what is
// kept is forgotten.
func (h *Hub) busy() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners > 0 || len(h.waiting) > 0 || time.Since(h.wanted) < idleAfter {
		return true
	}
	h.first += len(h.events)
	h.events, h.now = nil, ""
	return false
}

// ask reads on and answers those who waited for it.
func (h *Hub) ask(ctx context.Context) {
	h.mu.Lock()
	waiting := h.waiting
	h.waiting = nil
	h.mu.Unlock()
	err := h.readOn(ctx)
	if err != nil && ctx.Err() == nil {
		slog.DebugContext(ctx, "no news; next try follows", "error", err)
	}
	for _, w := range waiting {
		w <- err
	}
}

func (h *Hub) readOn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	for {
		h.mu.Lock()
		since := h.now
		h.mu.Unlock()
		news, err := h.log.News(ctx, since, "")
		if err != nil {
			return err
		}
		if news.Gone {
			news.Events = []studycircle.PlacedEvent{reset(news.Now)}
		}
		h.add(news)
		if !news.More {
			return nil
		}
	}
}

func reset(place string) studycircle.PlacedEvent {
	return studycircle.PlacedEvent{Event: studycircle.Event{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}, Token: place}
}

func (h *Hub) add(news studycircle.News) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = news.Now
	if len(news.Events) == 0 {
		return
	}
	h.events = append(h.events, news.Events...)
	if len(h.events) > kept+kept/4 {
		// Copied, so that what is dropped does not stay in memory.
		h.first += len(h.events) - kept
		h.events = append(make([]studycircle.PlacedEvent, 0, kept+kept/2), h.events[len(h.events)-kept:]...)
	}
	close(h.grown)
	h.grown = make(chan struct{})
}

// fresh waits until what is known is at least as new as this call.
func (h *Hub) fresh(ctx context.Context) error {
	answer := make(chan error, 1)
	h.mu.Lock()
	h.waiting, h.wanted = append(h.waiting, answer), time.Now()
	h.mu.Unlock()
	h.wake()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-h.ended:
		return errEnded
	}
}

// Place is a place that is not later than the present, for a page to say from
// where on its reader should listen. It asks the store only when nobody else
// has made the hub do so within a minute.
func (h *Hub) Place(ctx context.Context) (string, error) {
	h.mu.Lock()
	place := h.now
	h.wanted = time.Now()
	h.mu.Unlock()
	if place != "" {
		return place, nil
	}
	if err := h.fresh(ctx); err != nil {
		return "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now, nil
}

// Close ends all listeners and takes no more. More than once is as good as once.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.ended)
	}
}
