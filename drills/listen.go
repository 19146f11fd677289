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

// audience is people with a page open: each hears the stream of events through
// the balancer, and goes on from the last place wherever it ends.
type audience struct {
	stop      context.CancelFunc
	done      sync.WaitGroup
	listeners []*listener
}

// listener is one of them.
type listener struct {
	url    string
	client *http.Client
	place  string

	mu     sync.Mutex
	heard  map[string]int // assignments, by id: how often
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
				_ = l.listen(ctx) // every stream ends some time, and with an error as a rule
				_ = pause(ctx, 100*time.Millisecond)
			}
		})
	}
	return a
}

// end lets all hear what was said before, and ends them.
func (a *audience) end(ctx context.Context) error {
	// Readers are woken by commits and ask every second anyway.
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

// hear takes an event, or a place without one.
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

// during counts, over all listeners, the streams that were opened and the resets
// that were heard in a span of time.
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

// bar is met where nobody had to look anew since from.
func (a *audience) bar(r *report, from time.Time) {
	opened, resets := a.during(from, time.Now())
	r.bar(resets == 0, "event streams: %d of %d opened again, %d had to look anew", opened, len(a.listeners), resets)
}

// missed counts what listeners were never told of, by an event or by a reset after
// it was asked for, and what they were told of twice.
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
