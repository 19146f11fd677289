package server

import (
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

// shed lets inFlight requests through at once. A further one waits for a place
// and is then told to come back: better a quick no to some than a slow one to
// everybody.
func shed(next http.Handler, inFlight int, wait time.Duration) http.Handler {
	places := make(chan struct{}, inFlight)
	var warned atomic.Int64 // Unix seconds; once a minute is enough
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	})
}
