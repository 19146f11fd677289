package nodetest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// scrape returns the metrics of a measured node, as text and by series.
func (n *node) scrape(t *testing.T) (text string, values map[string]float64) {
	t.Helper()
	w := httptest.NewRecorder()
	n.metrics.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	values = map[string]float64{}
	for line := range strings.Lines(w.Body.String()) {
		at := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		require.NoError(t, err, line)
		values[line[:at]] = value
	}
	return w.Body.String(), values
}

// answered is the series of the answers to some requests.
func answered(method, route, code string) string {
	return `studycircle_http_request_duration_seconds_count{code="` + code + `",method="` + method + `",route="` + route + `"}`
}

func TestMetricsCountWhatANodeDoes(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.measured = true
		w.mails.refuseWith(func(to string) error {
			if strings.HasPrefix(to, "gone") {
				return &smtp.SMTPError{Code: 550, Message: "no mailbox " + to}
			}
			return nil
		})
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		n.browser(t).register(t, "eve@example.org")
		n.browser(t).register(t, "gone@example.org")
		single, reviewed := ada.publish(t), ada.publish(t, "reviewsNeeded", 3)
		graded, waiting := bob.submit(t, single), bob.submit(t, reviewed)
		ada.grade(t, graded, 7)
		for range 4 {
			n.visitor().get(t, "/api/assignment/"+single).is(t, http.StatusOK)
		}
		n.visitor().get(t, "/api/assignments?search=tides").is(t, http.StatusOK)
		n.visitor().get(t, "/api/assignments").is(t, http.StatusOK)
		n.visitor().get(t, "/assignment/"+single).is(t, http.StatusOK)
		bob.get(t, "/api/submissions/"+waiting+"/own").is(t, http.StatusOK)
		s, err := bob.listen(t.Context(), "")
		require.NoError(t, err)
		defer s.close()
		n.sendsAllMails(t)
		w.clock.advance(30 * time.Minute)

		text, got := n.scrape(t)
		for series, want := range map[string]float64{
			answered("POST", "/api/assignments", "201"):                      2,
			answered("POST", "/api/submissions", "201"):                      2,
			answered("PATCH", "/api/submissions/{id}", "200"):                1,
			answered("GET", "/api/assignment/{id}", "200"):                   4,
			answered("GET", "/assignment/{id}", "200"):                       1,
			answered("GET", "/api/submissions/{id}/own", "200"):              1,
			answered("POST", "/api/auth/register", "201"):                    2,
			`studycircle_http_shed_total{reason="slots"}`:                    0,
			`studycircle_http_shed_total{reason="bodies"}`:                   0,
			`studycircle_http_shed_total{reason="writes"}`:                   0,
			`studycircle_http_shed_total{reason="streams"}`:                  0,
			`studycircle_db_duration_seconds_count{kind="search"}`:           1,
			`studycircle_mails_total{kind="verify",result="sent"}`:           1,
			`studycircle_mails_total{kind="verify",result="refused"}`:        1,
			`studycircle_mails_total{kind="reset",result="sent"}`:            0,
			`studycircle_mails_total{kind="address",result="failed"}`:        0,
			`studycircle_mails_total{kind="notification",result="given_up"}`: 0,
			`studycircle_mails_total{kind="invitation",result="refused"}`:    0,
			`studycircle_streams`:                                            1,
			`studycircle_sessions`:                                           4,
			`studycircle_reviews_waiting`:                                    3,
			`studycircle_jobs{state="running"}`:                              0,
			`studycircle_job_oldest_seconds{kind="mail"}`:                    0,
			`studycircle_collect_errors_total`:                               0,
		} {
			value, published := got[series]
			assert.True(t, published, series)
			assert.InDelta(t, want, value, 0, series)
		}
		assert.InDelta(t, 1800, got[`studycircle_oldest_unmarked_seconds`], 120)
		assert.Contains(t, got, `studycircle_job_oldest_seconds{kind="periodic"}`)
		for _, some := range []string{
			`studycircle_db_duration_seconds_count{kind="page"}`, `studycircle_db_duration_seconds_count{kind="find"}`,
			`studycircle_cache_requests_total{cache="sessions",result="hit"}`,
			`studycircle_cache_requests_total{cache="sessions",result="miss"}`, `go_goroutines`,
		} {
			assert.Positive(t, got[some], some)
		}
		writes := 5.0 // published, handed in and graded
		assert.GreaterOrEqual(t, got[`studycircle_db_duration_seconds_count{kind="write"}`], writes)
		assert.GreaterOrEqual(t, got[`studycircle_db_commit_group_size_sum`], writes)
		assert.InDelta(t, 6, got[`studycircle_cache_requests_total{cache="answers",result="hit"}`]+got[`studycircle_cache_requests_total{cache="answers",result="miss"}`], 0)
		wal, embedded := got[`studycircle_db_wal_bytes`]
		assert.Equal(t, w.database.URL == "", embedded)
		if embedded {
			assert.Positive(t, wal)
		}
		for _, private := range []string{single, reviewed, graded, waiting, ada.id(t), bob.id(t), "@", "example.org", "Ada", "tides"} {
			assert.NotContains(t, text, private)
		}
	})
}

// Metrics are a node's own: what others in the process do is not in them.
func TestANodeWithoutMetricsAddsToNone(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.measured = true
		measured := w.start(t)
		measured.visitor().get(t, "/api/assignments").is(t, http.StatusOK)
		other := worldOf(store.Config{Dir: teststore.DirBeside(t)}).start(t)
		require.Nil(t, other.metrics)
		requests := func() map[string]float64 {
			_, all := measured.scrape(t)
			maps.DeleteFunc(all, func(series string, _ float64) bool { return !strings.HasPrefix(series, "studycircle_http_") })
			return all
		}
		before := requests()
		require.NotEmpty(t, before)
		ada := other.user(t, "Ada")
		other.visitor().get(t, "/api/assignment/"+ada.publish(t)).is(t, http.StatusOK)
		other.visitor().get(t, "/metrics").is(t, http.StatusNotFound)
		other.visitor().get(t, "/debug/pprof/").is(t, http.StatusPermanentRedirect)
		require.Equal(t, before, requests())
	})
}
