package server

import (
	"net/http"
	"time"

	"studycircle"
	"studycircle/internal/api"
)

// Past maxInFlight requests at once a further one waits up to maxWait for a
// place and is then told to come back: better a quick no to some than a slow one
// to everybody.
const (
	maxInFlight = 512
	maxWait     = 500 * time.Millisecond
)

func shed(next http.Handler) http.Handler {
	places := make(chan struct{}, maxInFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
		default:
			timer := time.NewTimer(maxWait)
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
