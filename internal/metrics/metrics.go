// Package metrics publishes what a node does and holds, in the text format of Prometheus, with Go's profiles beside it.
// Other packages call plain functions and know nothing of it. It knows nothing of the product: names of routes, kinds
// and reasons come from its callers, who pass patterns and never ids.
package metrics

import (
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// namespace begins the name of each of the program's own metrics.
const namespace = "studycircle"

// other is the label for what has no name of its own, so that clients cannot add series.
const other = "other"

// The bounds of buckets. A read of the embedded database takes a tenth of a millisecond, a request a hundred times that
// at most, except under load.
var (
	requestBuckets  = prometheus.DefBuckets // 5 ms to 10 s
	databaseBuckets = []float64{0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5}
	groupBuckets    = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// methods are the values of the label method, besides other.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete, http.MethodOptions,
}

// Metrics counts and measures. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	shed     *prometheus.CounterVec
	database *prometheus.HistogramVec
	groups   prometheus.Histogram
	mails    *prometheus.CounterVec
	caches   *prometheus.CounterVec
}

// New returns the metrics of a node that runs a version of the program, and of its process.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Buckets: requestBuckets,
			Help: "Time from a request's header to its complete answer, without sending it. Streams are not included.",
		}, []string{"route", "method", "code"}),
		shed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_shed_total",
			Help: "Requests refused with 503 because the node has too many, by what there was no room in.",
		}, []string{"reason"}),
		database: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "db_duration_seconds", Buckets: databaseBuckets,
			Help: "Time that a caller waited for the database. Writes include the wait for their turn and the commit.",
		}, []string{"kind"}),
		groups: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "db_commit_group_size", Buckets: groupBuckets,
			Help: "Writes in one commit.",
		}),
		mails: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "mails_total",
			Help: "Attempts to send an email: sent, failed and to be tried again, refused for good by the mail server, or " +
				"given up after a day.",
		}, []string{"kind", "result"}),
		caches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "cache_requests_total",
			Help: "Lookups in a cache of the node: hit or miss.",
		}, []string{"cache", "result"}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1, with the versions of the program and of Go.",
	}, []string{"version", "goversion"})
	build.WithLabelValues(version, runtime.Version()).Set(1)
	m.registry.MustRegister(m.requests, m.shed, m.database, m.groups, m.mails, m.caches, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request records a request that was answered. route is a pattern.
func (m *Metrics) Request(route, method string, code int, took time.Duration) {
	if !slices.Contains(methods, method) {
		method = other
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(code)).Observe(took.Seconds())
}

// Shed returns the function that counts refused requests by one of some reasons. All are published from the beginning,
// so that the first refusal is an increase.
func (m *Metrics) Shed(reasons ...string) func(reason string) {
	for _, r := range reasons {
		m.shed.WithLabelValues(r)
	}
	return func(reason string) { m.shed.WithLabelValues(reason).Inc() }
}

// Database records how long a caller waited for the database.
func (m *Metrics) Database(kind string, wait time.Duration) {
	m.database.WithLabelValues(kind).Observe(wait.Seconds())
}

// Committed records the number of writes in one commit.
func (m *Metrics) Committed(writes int) { m.groups.Observe(float64(writes)) }

// Mail returns the function that counts attempts to send an email. Kinds hold no ids. All of these kinds and results
// are published from the beginning, so that the first failure is an increase.
func (m *Metrics) Mail(kinds, results []string) func(kind, result string) {
	for _, kind := range kinds {
		for _, result := range results {
			m.mails.WithLabelValues(kind, result)
		}
	}
	return func(kind, result string) { m.mails.WithLabelValues(kind, result).Inc() }
}

// Cache returns the function that counts the lookups in a cache.
func (m *Metrics) Cache(name string) func(hit bool) {
	hits, misses := m.caches.WithLabelValues(name, "hit"), m.caches.WithLabelValues(name, "miss")
	return func(hit bool) {
		if hit {
			hits.Inc()
		} else {
			misses.Inc()
		}
	}
}
