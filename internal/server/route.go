package server

import (
	"cmp"
	"net/http"
	"strings"
	"time"
)

// The routes of requests that match no pattern.
const (
	assetRoute = "asset" // any file of the build
	otherRoute = "other" // what matches nothing
)

// route returns the pattern that r matches, such as /assignment/{id}, and never a part of an address that a client
// chooses.
func (p *pages) route(r *http.Request, files assets) string {
	at := r.URL.Path
	switch {
	case forAPI(r):
		return cmp.Or(p.API.Route(r), otherRoute)
	case at == "/livez", at == "/readyz":
		return at
	case files[at] != nil:
		return assetRoute
	}
	switch _, pattern := p.routes.Handler(r); pattern {
	case "/{$}":
		return "/"
	case "/", "":
		return otherRoute
	default:
		return pattern
	}
}

// forAPI reports whether the API answers r.
func forAPI(r *http.Request) bool {
	at := r.URL.Path
	return strings.HasPrefix(at, "/api/") || strings.HasPrefix(at, "/calendar/") ||
		at == "/.well-known/studycircle-keys" ||
		(r.Method == http.MethodPost && strings.HasPrefix(at, "/unsubscribe/"))
}

// measuring makes answering call measure for each answer but streams, with the request, the status and the time until
// the answer was complete.
func measuring(next http.Handler, measure func(r *http.Request, status int, took time.Duration)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, ok := w.(*answer); ok {
			began := time.Now()
			a.measure = func(status int) { measure(r, status, time.Since(began)) }
		}
		next.ServeHTTP(w, r)
	})
}
