package metrics

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full returns metrics with a value of each kind.
func full(t *testing.T) *Metrics {
	t.Helper()
	m := New("1.2.3")
	m.Request("/api/assignment/{id}", http.MethodGet, http.StatusOK, time.Millisecond)
	m.Shed("slots")("slots")
	m.Database("find", time.Microsecond)
	m.Committed(3)
	m.Mail([]string{"reset"}, []string{"sent", "failed"})("reset", "sent")
	m.Cache("answers")(true)
	wal := filepath.Join(t.TempDir(), "db-wal")
	require.NoError(t, os.WriteFile(wal, make([]byte, 4096), 0o600))
	m.Watch(Sources{
		State: func(context.Context) (State, error) {
			return State{
				Sessions: 2, ReviewsWaiting: 3, OldestUnmarked: time.Minute,
				Jobs: map[string]int64{"available": 4}, OldestJobs: map[string]time.Duration{"mail": time.Hour},
			}, nil
		},
		Streams: func() int { return 5 }, WAL: wal,
		LastBackup: func() (time.Time, error) { return time.Unix(1_700_000_000, 0), nil },
	})
	return m
}

// Whether there is no backup or their folder cannot be read, the alert on old ones fires.
func TestBackupsThatAreMissingAreOld(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"none": nil, "unreadable": fs.ErrPermission} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := New("1.2.3")
			m.Watch(Sources{
				State:      func(context.Context) (State, error) { return State{}, nil },
				Streams:    func() int { return 0 },
				LastBackup: func() (time.Time, error) { return time.Time{}, err },
			})
			require.Contains(t, scrape(t, m), "studycircle_backup_last_success_timestamp_seconds 0\n")
		})
	}
}

// scrape returns the answer to a scrape.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	status, text := get(t, m, "/metrics")
	require.Equal(t, http.StatusOK, status)
	return text
}

func get(t *testing.T, m *Metrics, path string) (status int, text string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// names are all metrics of the program's own.
var names = []string{
	"backup_last_success_timestamp_seconds", "build_info", "cache_requests_total", "collect_errors_total", "db_commit_group_size", "db_duration_seconds", "db_wal_bytes",
	"http_request_duration_seconds", "http_shed_total", "job_oldest_seconds", "jobs", "mails_total", "oldest_unmarked_seconds",
	"reviews_waiting", "sessions", "streams",
}

// counts are the metrics without a unit.
var counts = []string{"db_commit_group_size", "jobs", "reviews_waiting", "sessions", "streams"}

func TestEveryMetricHasAUnitAndHelp(t *testing.T) {
	t.Parallel()
	families, err := full(t).registry.Gather()
	require.NoError(t, err)
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	require.NoError(t, err)
	require.Empty(t, problems)
	var found []string
	for _, f := range families {
		name, own := strings.CutPrefix(f.GetName(), "studycircle_")
		if !own {
			assert.Regexp(t, `^(go|process)_`, f.GetName())
			continue
		}
		found = append(found, name)
		assert.NotEmpty(t, f.GetHelp(), name)
		if !slices.Contains(counts, name) {
			assert.Regexp(t, `_(seconds|bytes|total|info)$`, name)
		}
	}
	require.Equal(t, names, found)
}

// The alerts, the dashboard and the documentation name metrics that exist, and the documentation names all.
func TestNamedMetricsExist(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`studycircle_([a-z_]+)`)
	for _, file := range []string{"release/monitoring/alerts.yml", "release/monitoring/alerts_test.yml", "release/monitoring/dashboard.json", "docs/operations.md"} {
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		named := map[string]bool{}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			base := m[1]
			if !slices.Contains(names, base) {
				base = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(base, "_bucket"), "_count"), "_sum")
			}
			assert.Contains(t, names, base, file)
			named[base] = true
		}
		if file == "docs/operations.md" {
			for _, n := range names {
				assert.True(t, named[n], "%s does not name %s", file, n)
			}
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	text := scrape(t, full(t))
	for _, line := range []string{
		`studycircle_build_info{goversion="go`,
		`studycircle_http_request_duration_seconds_bucket{code="200",method="GET",route="/api/assignment/{id}",le="0.005"} 1`,
		`studycircle_http_shed_total{reason="slots"} 1`, `studycircle_db_duration_seconds_count{kind="find"} 1`,
		`studycircle_db_commit_group_size_sum 3`, `studycircle_mails_total{kind="reset",result="sent"} 1`, `studycircle_mails_total{kind="reset",result="failed"} 0`,
		`studycircle_cache_requests_total{cache="answers",result="hit"} 1`, `studycircle_cache_requests_total{cache="answers",result="miss"} 0`,
		`studycircle_sessions 2`, `studycircle_reviews_waiting 3`, `studycircle_oldest_unmarked_seconds 60`, `studycircle_jobs{state="available"} 4`,
		`studycircle_job_oldest_seconds{kind="mail"} 3600`, `studycircle_streams 5`, `studycircle_db_wal_bytes 4096`, `studycircle_backup_last_success_timestamp_seconds 1.7e+09`, `studycircle_collect_errors_total 0`,
		"go_goroutines ",
	} {
		assert.Contains(t, text, "\n"+line)
	}
}

// A client chooses the method.
func TestMethodsAreBounded(t *testing.T) {
	t.Parallel()
	m := New("1.2.3")
	for i := range 10_000 {
		m.Request("/", fmt.Sprint("METHOD", i), http.StatusMethodNotAllowed, time.Millisecond)
	}
	for _, method := range methods {
		m.Request("/", method, http.StatusOK, time.Millisecond)
	}
	require.Equal(t, len(methods)+1, strings.Count(scrape(t, m), "\nstudycircle_http_request_duration_seconds_count{"))
}

// However often metrics are asked for, the database is read once in ten seconds, and a failure is published as one.
func TestStateIsReadAtIntervals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, reads, failure := New("1.2.3"), 0, error(nil)
		m.Watch(Sources{
			State:   func(context.Context) (State, error) { reads++; return State{Sessions: int64(reads)}, failure },
			Streams: func() int { return 0 },
		})
		for range 9 {
			require.Contains(t, scrape(t, m), "\nstudycircle_sessions 1\n")
			time.Sleep(time.Second) //nolint:forbidigo // of the test's own clock
		}
		failure = errors.New("away")
		time.Sleep(time.Second) //nolint:forbidigo // of the test's own clock
		for range 3 {
			text := scrape(t, m)
			require.Contains(t, text, "\nstudycircle_collect_errors_total 1\n")
			require.NotContains(t, text, "studycircle_sessions")
			require.Contains(t, text, "\nstudycircle_streams 0\n")
			require.NotContains(t, text, "studycircle_db_wal_bytes")
			require.NotContains(t, text, "studycircle_backup")
		}
		failure = nil
		time.Sleep(readEvery) //nolint:forbidigo // of the test's own clock
		require.Contains(t, scrape(t, m), "\nstudycircle_sessions 3\n")
	})
}

// A database that does not answer delays a scrape by two seconds.
func TestStateIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, began := New("1.2.3"), time.Now()
		m.Watch(Sources{
			State:   func(ctx context.Context) (State, error) { <-ctx.Done(); return State{}, ctx.Err() },
			Streams: func() int { return 0 },
		})
		require.Contains(t, scrape(t, m), "\nstudycircle_collect_errors_total 1\n")
		require.Equal(t, readWithin, time.Since(began))
	})
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	m := New("1.2.3")
	for path, want := range map[string]int{
		"/debug/pprof/": http.StatusOK, "/debug/pprof/heap": http.StatusOK, "/debug/pprof/goroutine?debug=1": http.StatusOK, "/debug/pprof/symbol": http.StatusOK,
		"/debug/pprof/cmdline": http.StatusNotFound, // arguments may contain secrets
		"/":                    http.StatusNotFound, "/other": http.StatusNotFound,
	} {
		status, _ := get(t, m, path)
		assert.Equal(t, want, status, path)
	}
}

func TestServingEndsWithTheListener(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- New("1.2.3").Serve(l) }()
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-served, net.ErrClosed)
}
