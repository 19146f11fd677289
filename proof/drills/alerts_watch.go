package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// lookEvery is the time between two looks at the alerts.
const lookEvery = 200 * time.Millisecond

// alert is an alert as Prometheus reports it.
type alert struct {
	Labels, Annotations map[string]string
	State               string
}

// sighting is what an alert with its labels has done.
type sighting struct {
	// last is the alert as it was last seen pending, or first seen firing.
	last alert
	// When it was first seen pending and firing, and last seen to be gone; zero if it was not.
	pending, firing, gone time.Time
	// returned counts how often it came back after it had fired.
	returned int
}

// watch follows the alerts of a Prometheus.
type watch struct {
	stop  context.CancelFunc
	ended chan error

	mu   sync.Mutex
	seen map[string]*sighting // by their labels
}

// newWatch looks until end is called or ctx ends.
func newWatch(ctx context.Context, p *prometheus) *watch {
	w := &watch{ended: make(chan error, 1), seen: map[string]*sighting{}}
	ctx, w.stop = context.WithCancel(ctx)
	go func() {
		for {
			if err := w.look(ctx, p); err != nil || pause(ctx, lookEvery) != nil {
				w.ended <- err
				return
			}
		}
	}()
	return w
}

// end returns the first error of looking.
func (w *watch) end() error {
	w.stop()
	if err := <-w.ended; !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (w *watch) look(ctx context.Context, p *prometheus) error {
	var found struct{ Alerts []alert }
	if err := p.get(ctx, "/api/v1/alerts", nil, &found); err != nil {
		return err
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	there := map[string]bool{}
	for _, a := range found.Alerts {
		key := fmt.Sprint(a.Labels)
		there[key] = true
		g := w.seen[key]
		if g == nil {
			g = &sighting{}
			w.seen[key] = g
		}
		if !g.gone.IsZero() && !g.firing.IsZero() {
			g.returned++
		}
		g.gone = time.Time{}
		switch {
		case a.State == "pending" && g.firing.IsZero():
			if g.last.State != "pending" {
				g.pending = now
			}
			g.last = a
		case a.State == "firing" && g.firing.IsZero():
			g.firing, g.last = now, a
		}
	}
	for key, g := range w.seen {
		if !there[key] && g.gone.IsZero() {
			g.gone = now
			if g.firing.IsZero() {
				g.last.State = "" // a later one is pending anew
			}
		}
	}
	return nil
}

// forget forgets the alerts that are gone.
func (w *watch) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.seen, func(_ string, g *sighting) bool { return !g.gone.IsZero() })
}

// firing returns the alert with exactly these labels if it has fired, or nil.
func (w *watch) firing(labels map[string]string) *sighting {
	w.mu.Lock()
	defer w.mu.Unlock()
	if g := w.seen[fmt.Sprint(labels)]; g != nil && !g.firing.IsZero() {
		return g
	}
	return nil
}

// fired returns the names of the alerts that have fired.
func (w *watch) fired() (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range w.seen {
		if name := g.last.Labels["alertname"]; !g.firing.IsZero() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// calm reports whether no alert is left, pending or firing.
func (w *watch) calm() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range w.seen {
		if g.gone.IsZero() {
			return false
		}
	}
	return true
}

// await waits until a condition is met, or for most. It returns an error if the watch or ctx has ended.
func (w *watch) await(ctx context.Context, most time.Duration, met func() bool) error {
	for until := time.Now().Add(most); !met() && time.Now().Before(until); {
		if len(w.ended) > 0 {
			return errors.New("prometheus does not answer")
		}
		if err := pause(ctx, lookEvery/2); err != nil {
			return err
		}
	}
	return nil
}

// String lists the alerts that were seen.
func (w *watch) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for key, g := range w.seen {
		lines = append(lines, fmt.Sprintf("%s: %s, gone: %t", key, g.last.State, !g.gone.IsZero()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
