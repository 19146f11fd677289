package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// audience is a group of clients with a page open. Each reads the event stream through the
// balancer and resumes from its last cursor.
type audience struct {
	stop      context.CancelFunc
	done      sync.WaitGroup
	listeners []*listener
}

// listener is a client of the audience.
type listener struct {
	url    string
	client *http.Client
	place  string

	mu     sync.Mutex
	heard  map[string]int // times each assignment was heard, by id
	resets []time.Time
	opened []time.Time
}

func newAudience(ctx context.Context, url string, size int) *audience {
	a := &audience{}
	ctx, a.stop = context.WithCancel(ctx)
	for range size {
		l := &listener{url: url, client: &http.Client{Transport: &http.Transport{}}, heard: map[string]int{}}
		a.listeners = append(a.listeners, l)
		a.done.Go(func() {
			for ctx.Err() == nil {
				_ = l.listen(ctx) // every stream ends at some point, usually with an error
				_ = pause(ctx, 100*time.Millisecond)
			}
		})
	}
	return a
}

// end waits until all clients have received earlier events, and stops them.
func (a *audience) end(ctx context.Context) error {
	// Commits wake the readers, which also poll each second.
	err := pause(ctx, 3*time.Second)
	a.stop()
	a.done.Wait()
	return err
}

// listen reads one stream until it ends.
func (l *listener) listen(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/api/events", nil)
	if err != nil {
		return err
	}
	if l.place != "" {
		request.Header.Set("Last-Event-ID", l.place)
	}
	answer, err := l.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s", answer.Status)
	}
	l.note(func() { l.opened = append(l.opened, time.Now()) })
	var id, data string
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id = value
		case "data":
			data = value
		case "":
			if err := l.hear(id, data); err != nil {
				return err
			}
			id, data = "", ""
		}
	}
	return nil
}

// hear handles an event, or a cursor without one.
func (l *listener) hear(id, data string) error {
	var e struct {
		Kind string `json:"kind"`
		ID   string `json:"_id"`
	}
	if data != "" {
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return err
		}
	}
	if id != "" {
		l.place = id
	}
	l.note(func() {
		switch e.Kind {
		case "reset":
			l.resets = append(l.resets, time.Now())
		case "assignment.created":
			l.heard[e.ID]++
		}
	})
	return nil
}

func (l *listener) note(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// during counts the opened streams and received resets of all listeners in a time span.
func (a *audience) during(from, to time.Time) (opened, resets int) {
	within := func(all []time.Time) (n int) {
		for _, at := range all {
			if !at.Before(from) && at.Before(to) {
				n++
			}
		}
		return n
	}
	for _, l := range a.listeners {
		l.note(func() {
			opened += within(l.opened)
			resets += within(l.resets)
		})
	}
	return opened, resets
}

// bar reports whether no listener had a reset since from.
func (a *audience) bar(r *report, from time.Time) {
	opened, resets := a.during(from, time.Now())
	r.bar(resets == 0, "event streams: %d of %d reopened, %d resets", opened, len(a.listeners), resets)
}

// missed counts assignments that listeners did not hear of, by an event or a later reset, and
// those they heard of twice.
func (a *audience) missed(assignments map[string]time.Time) (missed, twice int) {
	for _, l := range a.listeners {
		var last time.Time
		if len(l.resets) > 0 {
			last = l.resets[len(l.resets)-1]
		}
		for id, at := range assignments {
			switch n := l.heard[id]; {
			case n == 0 && !last.After(at):
				missed++
			case n > 1:
				twice++
			}
		}
	}
	return missed, twice
}
