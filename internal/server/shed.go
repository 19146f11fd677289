package server

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"studycircle"
	"studycircle/internal/api"
)

// How many requests a node works on at once, and how long a further one waits.
const (
	maxInFlight = 512
	maxWait     = 500 * time.Millisecond
)

// earlyBody is how much of a body is read before a request takes a place, in
// bytes: all of nearly every one. maxLate bounds how many longer ones have a place
// at once.
const (
	earlyBody = 16 << 10
	maxLate   = 64
)

// gather reads bodies before requests take a place: whoever sends slowly must not
// keep others out. What is longer than earlyBody goes to late.
func gather(next, late http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 || (r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch) {
			next.ServeHTTP(w, r)
			return
		}
		var early bytes.Buffer
		n, err := io.CopyN(&early, r.Body, earlyBody)
		var body io.Reader = &early
		switch {
		case err == nil:
			body = io.MultiReader(&early, r.Body)
		case !errors.Is(err, io.EOF):
			body = io.MultiReader(&early, failing{err})
		}
		// The request itself keeps its body: by that the server knows how to part
		// from a client that goes on sending after its answer.
		gathered := *r
		gathered.Body = readBody{body, r.Body}
		if n == earlyBody {
			late.ServeHTTP(w, &gathered)
		} else {
			next.ServeHTTP(w, &gathered)
		}
	})
}

// readBody is a body of which some was read.
type readBody struct {
	io.Reader
	io.Closer
}

// failing is the end of a body that could not be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// shed lets inFlight requests through at once, to all handlers that it is given. A
// further one waits for a place and is then told to come back: better a quick no to
// some than a slow one to everybody.
func shed(inFlight int, wait time.Duration) func(next http.Handler) http.Handler {
	places := make(chan struct{}, inFlight)
	var warned atomic.Int64 // Unix seconds; once a minute is enough
	handle := func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
		default:
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case places <- struct{}{}:
			case <-r.Context().Done():
				return
			case <-timer.C:
				if now, last := time.Now().Unix(), warned.Load(); now-last >= 60 && warned.CompareAndSwap(last, now) {
					slog.WarnContext(r.Context(), "more is asked than this node can answer: some are told to come back")
				}
				api.WriteProblem(w, &studycircle.Error{
					Code: studycircle.CodeUnavailable, Message: "Too many people are asking at once. Please try again in a moment.",
					RetryAfter: time.Second,
				})
				return
			}
		}
		defer func() { <-places }()
		next.ServeHTTP(w, r)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(next, w, r) })
	}
}
