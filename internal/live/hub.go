// Package live carries events to listeners. One reader per node reads new events from the
// store, when the store announces some and every second anyway, and keeps the last ones in
// memory, from which any number of listeners take them.
//
// It knows no HTTP and no SQL. The policy decides which events a listener may receive.
package live

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"studycircle"
)

// Log is the source of events.
type Log interface {
	// News returns the events after the cursor since, up to the cursor until or, if that is
	// "", the present. After the cursor "" there are none.
	News(ctx context.Context, since, until string) (studycircle.News, error)
	// RoleIn returns a user's role in a circle at this moment, "" for those who are not members.
	RoleIn(ctx context.Context, userID, circleID string) (studycircle.CircleRole, error)
	// OnNews calls notify when there may be new events, until ctx ends.
	OnNews(ctx context.Context, notify func())
}

const (
	// askEvery bounds how late events are if they are not announced.
	askEvery = time.Second
	// askTimeout bounds one question.
	askTimeout = 4 * time.Second
	// pace is the least time between two questions.
	pace = 20 * time.Millisecond
	// idleAfter is how long the reader goes on without listeners.
	idleAfter = time.Minute
	// kept is how many events are kept for listeners, or a quarter more: some 3 MB.
	kept = 8192
)

// Bounds of a node's listeners, each of some 15 kB: of all, of visitors, so that they leave
// room for users, of one user, and of one network's visitors. A browser listens once,
// whatever the number of its tabs.
const (
	maxListeners = 2500
	maxVisitors  = 1500
	maxOfUser    = 30
	maxOfNetwork = 300
)

// Config is the configuration of a Hub.
type Config struct {
	Log Log
	// Hall says which events of the hall are heard; all if empty.
	Hall studycircle.HallMode
	// Refused, if not nil, is called for each listener that is refused because there are too many.
	Refused func()
}

// Hub is one node's reader. Its methods are safe for concurrent use.
type Hub struct {
	Config
	news  chan struct{} // there may be new events
	ended chan struct{} // closed by Close

	mu sync.Mutex
	// events are the last ones; the number of the first one is `first`.
	events []studycircle.PlacedEvent
	first  int
	// now is the cursor after the last event; "" until the first read, and again after idleAfter without callers.
	now   string
	grown chan struct{} // closed, and replaced, when events or now change
	// waiting callers receive the result of a read that begins after their call.
	waiting   []chan error
	wanted    time.Time // when a caller last needed the present cursor
	listeners int
	visitors  int
	of        map[Viewer]int // listeners by viewer
	closed    bool
}

// NewHub makes a hub, which works while Run runs.
func NewHub(c Config) *Hub {
	c.Hall = cmp.Or(c.Hall, studycircle.HallOn)
	return &Hub{
		Config: c, news: make(chan struct{}, 1), ended: make(chan struct{}), grown: make(chan struct{}),
		of: map[Viewer]int{},
	}
}

// Run reads until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	var listening sync.WaitGroup
	listening.Go(func() { h.Log.OnNews(ctx, h.wake) })
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
		// Events that come meanwhile are read together.
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
	default: // the next read has not begun
	}
}

// busy reports whether any caller needs events. After a while without listeners it drops the kept events.
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

// ask reads new events and answers the callers that wait for that.
func (h *Hub) ask(ctx context.Context) {
	h.mu.Lock()
	waiting := h.waiting
	h.waiting = nil
	h.mu.Unlock()
	err := h.readOn(ctx)
	if err != nil && ctx.Err() == nil {
		slog.DebugContext(ctx, "reading events failed; will retry", "error", err)
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
		news, err := h.Log.News(ctx, since, "")
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

func reset(cursor string) studycircle.PlacedEvent {
	return studycircle.PlacedEvent{
		Event: studycircle.Event{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}, Token: cursor,
	}
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
		// Copied, so that dropped events do not stay in memory.
		h.first += len(h.events) - kept
		h.events = append(make([]studycircle.PlacedEvent, 0, kept+kept/2), h.events[len(h.events)-kept:]...)
	}
	close(h.grown)
	h.grown = make(chan struct{})
}

// fresh waits until the hub has read all events committed before the call.
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

// Listeners returns the number of listeners.
func (h *Hub) Listeners() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.listeners
}

// Cursor returns a recent event cursor for a page to resume from, no later than the
// present. It reads from the store only if the hub has not done so within a minute.
func (h *Hub) Cursor(ctx context.Context) (string, error) {
	h.mu.Lock()
	cursor := h.now
	h.wanted = time.Now()
	h.mu.Unlock()
	if cursor != "" {
		return cursor, nil
	}
	if err := h.fresh(ctx); err != nil {
		return "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now, nil
}

// Close ends all listeners and accepts no more. It may be called again.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.ended)
	}
}
