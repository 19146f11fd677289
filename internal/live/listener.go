package live

import (
	"context"
	"errors"
	"time"

	"studycircle"
)

var (
	errEnded = &studycircle.Error{
		Code: studycircle.CodeUnavailable, Message: "This server is about to stop. Please connect again.",
		RetryAfter: time.Second,
	}
	errFull = &studycircle.Error{
		Code:       studycircle.CodeUnavailable,
		Message:    "Too many people are listening at once. Lists refresh by themselves meanwhile.",
		RetryAfter: 30 * time.Second,
	}
	errGreedy = &studycircle.Error{
		Code: studycircle.CodeUnavailable, Message: "You, or others in your network, are listening many times at once. " +
			"Lists refresh by themselves meanwhile.",
		RetryAfter: 30 * time.Second,
	}
)

// Viewer identifies a listener: a user's id, or "" and the network of a visitor.
type Viewer struct {
	User, Network string
	// Moderator is set for a user who decides on reports.
	Moderator bool
}

// share returns the viewer that a listener counts for, and how many that one may have.
func (v Viewer) share() (of Viewer, most int) {
	if v.User != "" {
		return Viewer{User: v.User}, maxOfUser
	}
	return v, maxOfNetwork
}

// maxAtOnce is how many events a listener receives at once. If there are more, it receives
// one reset instead: its page would refetch everything either way.
const maxAtOnce = 500

// Listener takes events one after the other. It is used by one goroutine.
type Listener struct {
	hub    *Hub
	viewer Viewer
	missed []studycircle.PlacedEvent // events before next
	next   int                       // number of the next event
	cursor string
}

// Listen begins after the cursor since, or at the present if since is "". A cursor that is
// too old or unknown begins with EventsReset. CodeUnavailable if there are too many
// listeners, of this viewer or in all, or if the hub is closed. The caller calls Leave.
func (h *Hub) Listen(ctx context.Context, viewer Viewer, since string) (*Listener, error) {
	if err := h.enter(viewer); err != nil {
		if h.Refused != nil && !errors.Is(err, errEnded) {
			h.Refused()
		}
		return nil, err
	}
	l := &Listener{hub: h, viewer: viewer}
	if err := l.begin(ctx, since); err != nil {
		l.Leave()
		return nil, err
	}
	return l, nil
}

func (h *Hub) enter(viewer Viewer) error {
	of, most := viewer.share()
	visitor := viewer.User == ""
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errEnded
	}
	if h.listeners >= maxListeners || (visitor && h.visitors >= maxVisitors) {
		return errFull
	}
	if h.of[of] >= most {
		return errGreedy
	}
	h.of[of]++
	h.listeners++
	if visitor {
		h.visitors++
	}
	return nil
}

// begin reads what was missed. The hub first reads at least up to since; the events between
// since and the hub's cursor come from the store, later ones from the hub, none twice.
func (l *Listener) begin(ctx context.Context, since string) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if err := l.hub.fresh(ctx); err != nil {
		return err
	}
	l.hub.mu.Lock()
	l.next, l.cursor = l.hub.first+len(l.hub.events), l.hub.now
	l.hub.mu.Unlock()
	for since != "" && since != l.cursor {
		news, err := l.hub.Log.News(ctx, since, l.cursor)
		if err != nil {
			return err
		}
		if news.Gone || len(l.missed)+len(news.Events) > kept {
			l.missed = []studycircle.PlacedEvent{reset(l.cursor)}
			return nil
		}
		l.missed = append(l.missed, news.Events...)
		since = news.Now
	}
	return nil
}

// Take returns the new events that the viewer may receive at this moment, the cursor after them, and a
// channel that is closed when there are more. ok is false if the hub cannot serve the
// listener any longer, because it is too slow, the hub is closed, or the viewer's circles are unknown.
func (l *Listener) Take(
	ctx context.Context,
) (events []studycircle.PlacedEvent, cursor string, more <-chan struct{}, ok bool) {
	h := l.hub
	h.mu.Lock()
	more = h.grown
	end := h.first + len(h.events)
	ok = !h.closed && l.next >= h.first && l.next <= end
	var news []studycircle.PlacedEvent
	if ok {
		// Kept events are appended to and copied, never changed.
		news = h.events[l.next-h.first:]
		l.next, l.cursor = end, h.now
	}
	h.mu.Unlock()
	circles := &circlesOf{ctx: ctx, log: h.Log, userID: l.viewer.User}
	who := studycircle.Hearer{UserID: l.viewer.User, Moderator: l.viewer.Moderator, RoleIn: circles.role}
	for _, batch := range [][]studycircle.PlacedEvent{l.missed, news} {
		for _, e := range batch {
			if studycircle.CanHear(who, e.Event, l.hub.Hall) {
				events = append(events, e)
			}
		}
	}
	if circles.err != nil {
		return nil, l.cursor, more, false
	}
	l.missed = nil
	if len(events) > maxAtOnce {
		events = []studycircle.PlacedEvent{reset(l.cursor)}
	}
	return events, l.cursor, more, ok
}

// circlesOf asks for a user's roles in circles, of each once.
type circlesOf struct {
	ctx    context.Context //nolint:containedctx // of one call of Take
	log    Log
	userID string
	known  map[string]studycircle.CircleRole
	err    error
}

func (c *circlesOf) role(circleID string) studycircle.CircleRole {
	role, known := c.known[circleID]
	if known || c.err != nil {
		return role
	}
	if c.known == nil {
		c.known = map[string]studycircle.CircleRole{}
	}
	role, c.err = c.log.RoleIn(c.ctx, c.userID, circleID)
	c.known[circleID] = role
	return role
}

// Ended returns a channel that is closed with the hub.
func (l *Listener) Ended() <-chan struct{} { return l.hub.ended }

// Leave makes room for another listener.
func (l *Listener) Leave() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	of, _ := l.viewer.share()
	if l.hub.of[of]--; l.hub.of[of] == 0 {
		delete(l.hub.of, of)
	}
	l.hub.listeners--
	if l.viewer.User == "" {
		l.hub.visitors--
	}
}
