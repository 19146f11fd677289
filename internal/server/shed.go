package server

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/api"
)

// The number of requests that wait for a slot, and how long.
const (
	maxWaiting = 256
	maxWait    = 500 * time.Millisecond
)

// limitConcurrency works on as many requests at once as there are slots. Further ones wait in line, and are then
// asked to retry: a quick refusal of some is better than a slow answer for all.
type limitConcurrency struct {
	queue  *admission.Queue
	claim  func(*http.Request) admission.Claim
	shed   shed
	warned atomic.Int64 // Unix seconds; once a minute is enough
}

// The reasons to refuse a request.
const (
	SlotsFull  = "slots"  // no slot became free in time
	BodiesFull = "bodies" // no memory for its body became free in time
)

// shed is called with the reason for each request that is refused; nil if refusals are not counted.
type shed func(reason string)

func (s shed) count(reason string) {
	if s != nil {
		s(reason)
	}
}

func newLimit(slots int, claim func(*http.Request) admission.Claim) *limitConcurrency {
	return &limitConcurrency{queue: admission.NewQueue(slots, maxWaiting, maxWait), claim: claim}
}

// queued returns a handler that makes requests wait for a slot before next. While next waits for something other than
// the processor, it releases its slot.
func (l *limitConcurrency) queued(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !l.enter(w, r) {
			return
		}
		slot := l.queue.Hold(claimer{l.claim, r})
		defer slot.Release()
		if a, ok := w.(*answer); ok {
			a.slot = &slot
		}
		next.ServeHTTP(w, r.WithContext(admission.With(r.Context(), &slot)))
	})
}

// claimer returns the claim of a request.
type claimer struct {
	claim func(*http.Request) admission.Claim
	r     *http.Request
}

// Claim implements admission.Claimer.
func (c claimer) Claim() admission.Claim { return c.claim(c.r) }

// enter waits for a slot, or answers that there is none.
func (l *limitConcurrency) enter(w http.ResponseWriter, r *http.Request) bool {
	if l.queue.TryAcquire() {
		return true
	}
	err := l.queue.Acquire(r.Context(), l.claim(r))
	if errors.Is(err, admission.ErrFull) {
		l.warn(r)
		l.shed.count(SlotsFull)
		tooBusy(w)
	}
	return err == nil
}

func (l *limitConcurrency) warn(r *http.Request) {
	if now, last := time.Now().Unix(), l.warned.Load(); now-last >= 60 && l.warned.CompareAndSwap(last, now) {
		slog.WarnContext(r.Context(), "overloaded: some requests are refused with 503")
	}
}

// busy is the answer of most requests at ten times the capacity, so it is made once. It must not be modified.
var busy = func() (made recorded) {
	made.header = http.Header{}
	api.WriteProblem(&made, &studycircle.Error{
		Code: studycircle.CodeUnavailable, Message: "Too many people are asking at once. Please try again in a moment.",
		RetryAfter: time.Second,
	})
	made.header.Set("Content-Length", strconv.Itoa(made.body.Len()))
	return made
}()

func tooBusy(w http.ResponseWriter) {
	maps.Copy(w.Header(), busy.header)
	w.WriteHeader(busy.status)
	_, _ = w.Write(busy.body.Bytes()) // an error means that the client is gone
}

// recorded is an answer to send repeatedly.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorded) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorded) WriteHeader(status int) { r.status = status }

// Write implements io.Writer.
func (r *recorded) Write(p []byte) (int, error) { return r.body.Write(p) }
