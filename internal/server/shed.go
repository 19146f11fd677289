package server

import (
	"net/http"
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
