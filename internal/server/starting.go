package server

import (
	"net/http"
	"sync/atomic"
	"time"

	"studycircle"
	"studycircle/internal/api"
)

// Handover is the handler of a node that cannot start yet: it says so, until Become.
type Handover struct{ to atomic.Pointer[http.Handler] }

// Become makes h the handler of all further requests.
func (o *Handover) Become(h http.Handler) { o.to.Store(&h) }

// ServeHTTP implements http.Handler.
func (o *Handover) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch h := o.to.Load(); {
	case h != nil:
		(*h).ServeHTTP(w, r)
	case r.URL.Path == "/livez":
		plain(w, http.StatusOK, "ok\n")
	default:
		api.WriteProblem(w, &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "The database is away for a moment. Please try again.",
			RetryAfter: 2 * time.Second,
		})
	}
}
