// Package server is the outer layer of a node: the pages' first HTML, static files, health, and the limits that
// protect it. The product itself is behind /api/.
package server

import (
	"context"
	"crypto/rand"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"studycircle/internal/api"
	"studycircle/internal/identity"
	"studycircle/internal/logs"
	"studycircle/internal/service"
	"studycircle/internal/site"
)

// Config holds the parts of the server.
type Config struct {
	API      api.API
	Identity *identity.Identity
	Service  *service.Service
	// Cursor returns a recent event cursor, for the page to listen from.
	Cursor func(context.Context) (string, error)
	Cookie api.Cookie
	// AtOnce is the number of requests in work at once.
	AtOnce int
	// Ready reports whether the database answers.
	Ready func(context.Context) error
	// Leaving reports whether the node is about to stop. /readyz then asks balancers to send no more requests, while
	// the node still serves those that come.
	Leaving func() bool
	Web     fs.FS
	// Book is the documentation as a site; nil or empty if the program was built without it.
	Book      fs.FS
	Brand     string
	PublicURL *url.URL
	Site      site.Settings
	DemoUsers []DemoUser
	// AccessLog gives each request an id, which its log lines and the header X-Request-Id have, and logs each answer but
	// streams.
	AccessLog bool
	// Measure, if not nil, is called after each answer but streams, with the pattern of the request's route.
	Measure func(route, method string, status int, took time.Duration)
	// Shed, if not nil, is called with the reason for each request that is refused because there are too many.
	Shed func(reason string)
}

// DemoUser is a sample account that the login page offers.
type DemoUser struct {
	Email       string `json:"email"`
	Password    string `json:"password"`
	DisplayName string `json:"displayName"`
}

// New returns the handler of a node.
func New(c Config) (http.Handler, error) {
	files, err := newAssets(c.Web)
	if err != nil {
		return nil, err
	}
	pages, err := newPages(c)
	if err != nil {
		return nil, err
	}
	// Answers contain secrets beside text that visitors can choose; a random length hides their compressed size
	// (BREACH).
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		return nil, err
	}
	work, bodies := newLimit(c.AtOnce, c.API.Claim), newBodies(c.API.Claim)
	work.shed, bodies.shed = c.Shed, c.Shed
	mux := http.NewServeMux()
	mux.Handle("/", files.ready(bodies.gather(work.queued(within(maxPageTime, compress(pages.with(c.API, files)))))))
	for pattern, handler := range c.API.Public {
		mux.Handle(pattern, work.queued(handler))
	}
	// Streams come last: they are counted separately, and are not compressed.
	mux.Handle("/api/events", c.API)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if c.Leaving() {
			plain(w, http.StatusServiceUnavailable, "this node is about to stop\n")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
		defer cancel()
		if err := c.Ready(ctx); err != nil {
			slog.Log(r.Context(), api.WarnLevel(r.Context()), "not ready", "error", err)
			plain(w, http.StatusServiceUnavailable, "the database does not answer, or takes no writes\n")
			return
		}
		plain(w, http.StatusOK, "ok\n")
	})
	handler := closing(everyMethod(mux), c.Leaving)
	if c.Measure != nil || c.AccessLog {
		handler = measuring(handler, func(r *http.Request, status int, took time.Duration) {
			route := pages.route(r, files)
			if c.Measure != nil {
				c.Measure(route, r.Method, status, took)
			}
			if c.AccessLog { // the path of some requests is a secret
				slog.InfoContext(
					r.Context(), "request", "method", r.Method, "route", route, "status", status, "ms", took.Milliseconds(),
				)
			}
		})
	}
	answered := answering(handler, newBudget(maxAnswers, c.API.Claim))
	if c.AccessLog {
		answered = identifying(answered)
	}
	return always(answered, c.PublicURL.Scheme == "https"), nil
}

// identifying gives each request an id of its own. A client's choice could repeat another one's.
func identifying(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(logs.WithRequest(r.Context(), id)))
	})
}

// readyWithin bounds how long /readyz waits for the database.
const readyWithin = 3 * time.Second

// everyMethod answers requests for the server as a whole, and passes on the rest.
func everyMethod(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions && r.RequestURI == "*" {
			w.Header().Set("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// maxPageTime bounds the time to make a page; the API has its own deadlines.
const maxPageTime = 5 * time.Second

func within(most time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), most)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// closing closes kept connections after their next answer once the node is leaving, so that none is cut during a
// request.
func closing(next http.Handler, leaving func() bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if leaving() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // an error means that the client is gone
}

// nosniff is a header's value. It must not be modified.
var nosniff = []string{"nosniff"}

// always sets the headers of every answer.
func always(next http.Handler, tls bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = nosniff
		if tls {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000") // a year
		}
		next.ServeHTTP(w, r)
	})
}
