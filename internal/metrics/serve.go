package metrics

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof" // its handlers are on the default mux too, which nothing serves
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Bounds of connections. A profile of a minute is written at its end.
const (
	headerWithin  = 10 * time.Second
	requestWithin = 30 * time.Second
	answerWithin  = 2 * time.Minute
	idleWithin    = 5 * time.Minute
	// maxScrapes bounds the scrapes at once; further ones are answered with 503.
	maxScrapes = 4
)

// Handler serves the metrics at /metrics and Go's profiles under /debug/pprof/. The program's arguments, which may
// contain secrets, are not among these.
func (m *Metrics) Handler() http.Handler {
	log := slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: log, ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: maxScrapes,
	}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	return mux
}

// Serve serves Handler on l until l is closed, and returns the listener's error.
func (m *Metrics) Serve(l net.Listener) error {
	s := &http.Server{
		Handler: m.Handler(), ReadHeaderTimeout: headerWithin, ReadTimeout: requestWithin, WriteTimeout: answerWithin,
		IdleTimeout: idleWithin, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
	}
	return s.Serve(l)
}
