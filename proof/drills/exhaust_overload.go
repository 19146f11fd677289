package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// capacityBy is the number of connections that measure capacity. Each sends the next
	// request after its answer.
	capacityBy = 32
	// arrivalsBy is the number of connections whose requests do not wait for other answers.
	arrivalsBy  = 5300
	overloadFor = 10 * time.Second
	timesMore   = 10
)

// overload sends ten times what the node can answer, whether it answers or not.
func overload(ctx context.Context, r *report) (err error) {
	r.chapter("%d times capacity, over %d connections", timesMore, arrivalsBy)
	f, err := openField(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	most, err := f.arrived(ctx, order{Connections: capacityBy})
	if err != nil {
		return err
	}
	r.say("capacity: %.0f/s, p99 %s", most.Answered, inMs(most.WaitP99))
	// Only /livez and memory are measured meanwhile.
	probed := make(chan *honest, 1)
	quiet, stop := context.WithCancel(ctx)
	go func() { probed <- (&field{node: f.node}).measure(quiet, time.Minute) }()
	got, err := f.arrived(ctx, order{Connections: arrivalsBy, Rate: timesMore * most.Answered})
	stop()
	beside := <-probed
	if err != nil {
		return err
	}
	r.bar(
		got.Asked >= 0.95*timesMore*most.Answered, "asked %.0f/s, %.1f times capacity", got.Asked, got.Asked/most.Answered,
	)
	r.bar(got.Answered >= leastOfMost*most.Answered, "answered %.0f/s: %.2f of capacity, p99 %s",
		got.Answered, got.Answered/most.Answered, inMs(got.WaitP99))
	r.bar(got.Other == 0 && got.NoP99 <= time.Second, "refused with Retry-After: %.0f/s, p99 %s; other results: %.0f",
		got.Noes, inMs(got.NoP99), got.Other)
	r.bar(beside.alive() <= mostWait, "/livez p99 %s", inMs(beside.alive()))
	r.bar(beside.memory <= mostMemory, "RssAnon %d MB at most", beside.memory>>20)
	return ctx.Err()
}

// arrived runs attackers and returns what they got.
func (f *field) arrived(ctx context.Context, o order) (arrived, error) {
	c, err := f.send(ctx, o)
	if err != nil {
		return arrived{}, err
	}
	found, err := c.end()
	return found.Arrivals, err
}

// load is the result of many requests.
type load struct {
	mu    sync.Mutex
	asked int64
	waits []time.Duration // of answered requests
	noes  []time.Duration // of refused requests
	other int             // without an answer, or with another one
}

func (l *load) arrived() arrived {
	second := overloadFor.Seconds()
	return arrived{
		Asked: float64(l.asked) / second, Answered: float64(len(l.waits)) / second, Noes: float64(len(l.noes)) / second,
		Other: float64(l.other) / second, WaitP99: percentile(l.waits, 99), NoP99: percentile(l.noes, 99),
	}
}

// arrivals sends requests over several connections at a total rate per second or, with rate 0,
// as fast as each is answered.
func (f *field) arrivals(ctx context.Context, connections int, rate float64) *load {
	ctx, stop := context.WithTimeout(ctx, overloadFor)
	defer stop()
	l := &load{}
	var asked atomic.Int64
	var all sync.WaitGroup
	for n := range connections {
		all.Go(func() {
			f.connected(ctx, from(n), func(c net.Conn) {
				var every time.Duration
				if rate > 0 {
					every = time.Duration(float64(connections) / rate * float64(time.Second))
					_ = pause(ctx, every*time.Duration(n)/time.Duration(connections)) // ends with ctx
				}
				f.arrive(ctx, c, n, every, l, &asked)
			})
		})
	}
	all.Wait()
	l.asked = asked.Load()
	return l
}

// arrive sends requests over one connection at its own pace.
func (f *field) arrive(ctx context.Context, c net.Conn, n int, every time.Duration, l *load, asked *atomic.Int64) {
	in := bufio.NewReader(c)
	for due := time.Now(); ctx.Err() == nil; n++ {
		if wait := time.Until(due); wait > 0 {
			_ = pause(ctx, wait) // ends with ctx
		}
		if every == 0 {
			due = time.Now()
		}
		asked.Add(1)
		status, retry, err := exchange(c, in, uncached())
		if ctx.Err() != nil {
			return
		}
		took := time.Since(due)
		l.mu.Lock()
		switch {
		case err == nil && status == http.StatusOK:
			l.waits = append(l.waits, took)
		case err == nil && status == http.StatusServiceUnavailable && retry:
			l.noes = append(l.noes, took)
		default:
			l.other++
		}
		l.mu.Unlock()
		if err != nil {
			return
		}
		// A late answer does not increase the rate afterwards: requests stand for different
		// clients.
		if due = due.Add(every); every > 0 && time.Since(due) > every {
			due = time.Now()
		}
	}
}

// uncached returns the path of a search that matches everything and is unlikely to be cached,
// which is the most expensive read. Cached answers cost hardly more than refusals, so ten times
// their number could not be sent.
func uncached() string {
	words := []string{"words", "to", "read"}
	rand.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	limit := 1 + rand.IntN(10)
	return fmt.Sprintf(
		"/api/assignments?search=%s+assign&limit=%d&page=%d", strings.Join(words, "+"), limit, 1+rand.IntN(assignments/limit),
	)
}

// exchange sends a request and reads the answer.
func exchange(c net.Conn, in *bufio.Reader, path string) (status int, retryAfter bool, err error) {
	if _, err := io.WriteString(c, request(http.MethodGet, path, "", 0)); err != nil {
		return 0, false, err
	}
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, false, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Header.Get("Retry-After") != "", errors.Join(err, response.Body.Close())
}
