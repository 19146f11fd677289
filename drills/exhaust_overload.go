package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// capacityBy is how many connections a node's capacity is found with, each
	// asking again as soon as it is answered.
	capacityBy = 32
	// arrivalsBy is how many connections those come over who do not wait for others'
	// answers.
	arrivalsBy  = 5300
	overloadFor = 10 * time.Second
	timesMore   = 10
)

// overload asks ten times as much as a node can answer, whether it answers or not.
func overload(ctx context.Context, r *report) (err error) {
	r.chapter("%d times as much as the node can do, over %d connections", timesMore, arrivalsBy)
	f, err := openField(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	most := f.arrivals(ctx, capacityBy, 0)
	r.say("capacity: %.0f a second, p99 %s", most.rate(), inMs(percentile(most.waits, 99)))
	// Livez and memory are looked at meanwhile; whose requests are answered does not
	// matter here.
	var probed honest
	var beside sync.WaitGroup
	quiet, stop := context.WithCancel(ctx)
	beside.Go(func() {
		lone := &field{node: f.node}
		for quiet.Err() == nil {
			h := lone.measure(quiet, time.Second)
			probed.lives, probed.memory = append(probed.lives, h.lives...), max(probed.memory, h.memory)
		}
	})
	got := f.arrivals(ctx, arrivalsBy, timesMore*most.rate())
	stop()
	beside.Wait()
	r.bar(got.rate() >= leastOfMost*most.rate(), "answered %.0f a second of %.0f asked: %.2f of capacity, p99 %s",
		got.rate(), float64(got.asked)/overloadFor.Seconds(), got.rate()/most.rate(), inMs(percentile(got.waits, 99)))
	r.bar(got.other == 0 && percentile(got.noes, 99) <= time.Second, "told to come back: %d, all with Retry-After, p99 %s; neither: %d",
		len(got.noes), inMs(percentile(got.noes, 99)), got.other)
	r.bar(probed.alive() <= mostWait, "/livez p99 %s", inMs(probed.alive()))
	r.bar(probed.memory <= mostMemory, "RssAnon %d MB at most", probed.memory>>20)
	return ctx.Err()
}

// load is what became of many requests.
type load struct {
	mu    sync.Mutex
	asked int64
	waits []time.Duration // of those answered
	noes  []time.Duration // of those told to come back
	other int             // got no answer, or another
}

func (l *load) rate() float64 { return float64(len(l.waits)) / overloadFor.Seconds() }

// arrivals asks over so many connections, so often a second in all, or as often as
// each is answered where rate is 0.
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

// arrive asks over one connection, at a pace of its own.
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
		status, retry, err := exchange(c, in, "/api/assignments?search=words&limit=20&page="+fmt.Sprint(1+n%100))
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
		// Whoever was answered late asks no more often for it: they are others then.
		if due = due.Add(every); every > 0 && time.Since(due) > every {
			due = time.Now()
		}
	}
}

// exchange asks once and reads the answer.
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
