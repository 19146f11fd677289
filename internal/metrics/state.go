package metrics

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Bounds of reading State.
const (
	// readEvery is how long a State is published again, however often it is asked for.
	readEvery = 10 * time.Second
	// readWithin keeps a slow database from blocking the other metrics.
	readWithin = 2 * time.Second
)

// State is what the database holds, for all nodes.
type State struct {
	Sessions       int64
	ReviewsWaiting int64
	// OldestUnmarked is how long the oldest submission has waited for its mark; 0 if none waits.
	OldestUnmarked time.Duration
	// Jobs are their numbers by state.
	Jobs map[string]int64
	// OldestJobs are, by kind, how long ago the oldest job that has not ended was due; 0 if none is.
	OldestJobs map[string]time.Duration
}

// Sources are what is read when metrics are asked for.
type Sources struct {
	// State is called every readEvery at most, and never twice at once.
	State func(context.Context) (State, error)
	// Streams returns the number of open event streams.
	Streams func() int
	// WAL is the path of the embedded database's write-ahead log; "" if there is none.
	WAL string
	// LastBackup returns the time of the last backup, zero if there is none; nil if the server makes none.
	LastBackup func() (time.Time, error)
}

// Watch adds what s reads. It is called once.
func (m *Metrics) Watch(s Sources) { m.registry.MustRegister(&collector{sources: s}) }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

var (
	sessions       = describe("sessions", "Sessions that have not expired.")
	reviewsWaiting = describe("reviews_waiting", "Reviews that submissions lack and that no user has reserved.")
	oldestUnmarked = describe(
		"oldest_unmarked_seconds", "Age of the oldest submission that waits for its mark; 0 if none waits.",
	)
	jobsByState = describe(
		"jobs", "Background jobs in the queue, by state. Those that ended are kept for a minute, failed ones for a day.",
		"state",
	)
	oldestJob = describe(
		"job_oldest_seconds", "How long ago the oldest job that has not ended was due; 0 if none is due.", "kind",
	)
	streams    = describe("streams", "Open event streams.")
	walBytes   = describe("db_wal_bytes", "Size of the embedded database's write-ahead log.")
	lastBackup = describe(
		"backup_last_success_timestamp_seconds",
		"When the server made its last backup, in seconds since 1970; 0 if there is none, or if their folder cannot be read.",
	)
	collectErrors = describe(
		"collect_errors_total", "Failed attempts to read what the database holds. The metrics of it are absent then.",
	)
)

// collector publishes what its sources return.
type collector struct {
	sources Sources

	mu     sync.Mutex
	readAt time.Time // zero before the first read
	state  State
	known  bool // the last read succeeded
	failed int
}

// Describe implements prometheus.Collector.
func (*collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		sessions, reviewsWaiting, oldestUnmarked, jobsByState, oldestJob, streams, walBytes, lastBackup, collectErrors,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(streams, float64(c.sources.Streams()))
	if size, found := fileSize(c.sources.WAL); found {
		gauge(walBytes, float64(size))
	}
	if at, known := c.lastBackup(); known {
		gauge(lastBackup, at)
	}
	state, known, failed := c.read()
	to <- prometheus.MustNewConstMetric(collectErrors, prometheus.CounterValue, float64(failed))
	if !known {
		return
	}
	gauge(sessions, float64(state.Sessions))
	gauge(reviewsWaiting, float64(state.ReviewsWaiting))
	gauge(oldestUnmarked, state.OldestUnmarked.Seconds())
	for name, n := range state.Jobs {
		gauge(jobsByState, float64(n), name)
	}
	for kind, age := range state.OldestJobs {
		gauge(oldestJob, age.Seconds(), kind)
	}
}

// lastBackup returns the time of the last backup in seconds since 1970, if the server makes backups; 0 if there is
// none, or if their folder cannot be read, so that the alert on old backups fires.
func (c *collector) lastBackup() (at float64, known bool) {
	if c.sources.LastBackup == nil {
		return 0, false
	}
	last, err := c.sources.LastBackup()
	if err != nil {
		slog.Warn("reading the backups for metrics failed", "error", err)
	}
	if err != nil || last.IsZero() {
		return 0, true
	}
	return float64(last.Unix()), true
}

// read returns the state, read now or within readEvery, whether that succeeded, and how often reading has failed.
func (c *collector) read() (s State, known bool, failed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.readAt.IsZero() && time.Since(c.readAt) < readEvery {
		return c.state, c.known, c.failed
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWithin)
	defer cancel()
	var err error
	c.state, err = c.sources.State(ctx)
	if c.known = err == nil; !c.known {
		c.failed++
		slog.WarnContext(ctx, "reading the database for metrics failed", "error", err)
	}
	c.readAt = time.Now()
	return c.state, c.known, c.failed
}

// fileSize returns the size of a file in bytes, if there is one.
func fileSize(path string) (size int64, found bool) {
	if path == "" {
		return 0, false
	}
	info, err := os.Stat(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			slog.Warn("reading a file's size for metrics failed", "error", err)
		}
		return 0, false
	}
	return info.Size(), true
}
