// Package server is the outer shell of a node: the pages' first HTML, static
// files, health, and the limits that keep it standing. What the product does is
// behind /api/.
package server

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/klauspost/compress/gzhttp"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/identity"
	"studycircle/internal/service"
	"studycircle/internal/site"
)

// Config is what the server is made of.
type Config struct {
	API       http.Handler
	Identity  *identity.Identity
	Service   *service.Service
	Cookie    api.Cookie
	Ready     func(context.Context) error
	Web       fs.FS
	Brand     string
	PublicURL *url.URL
	Site      site.Settings
	DemoUsers []DemoUser
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
	// Answers hold secrets beside what visitors can choose; a random length
	// keeps their size from telling (BREACH).
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		return nil, err
	}
	work := shed(compress(pages.with(c.API, files)), maxInFlight, maxWait)
	mux := http.NewServeMux()
	mux.Handle("/", work)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := c.Ready(r.Context()); err != nil {
			slog.WarnContext(r.Context(), "not ready", "error", err)
			plain(w, http.StatusServiceUnavailable, "the database does not answer\n")
			return
		}
		plain(w, http.StatusOK, "ok\n")
	})
	return recovered(mux, c.PublicURL.Scheme == "https"), nil
}

func plain(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client is gone: there is nobody to tell
}

// recovered answers a panic as an internal error and keeps the node up. Being
// the outermost, it also sets what every answer has.
func recovered(next http.Handler, tls bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if tls {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000") // a year
		}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so too
				panic(p)
			}
			slog.ErrorContext(r.Context(), "panic", "panic", p, "path", r.URL.Path, "stack", string(debug.Stack()))
			api.WriteProblem(w, studycircle.Errorf(studycircle.CodeInternal, "Something went wrong on our side. Please try again."))
		}()
		next.ServeHTTP(w, r)
	})
}
