package server_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/app"
	"studycircle/internal/metrics"
)

// measured returns a node and a function that returns its metrics.
func measured(t *testing.T) (n *node, scrape func() string) {
	t.Helper()
	m := metrics.New("test")
	n = start(t, func(c *app.Config) { c.Metrics = m })
	return n, func() string {
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
}

// send sends a request to n's handler. A path may be one that no client library would send.
func (n *node) send(t *testing.T, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", strings.NewReader("{}"))
	r.Method, r.URL.Path, r.RequestURI = method, path, path
	n.Handler.ServeHTTP(w, r)
	return w
}

func TestRoutesArePatterns(t *testing.T) {
	t.Parallel()
	n, scrape := measured(t)
	counted := regexp.MustCompile(`(?m)^studycircle_http_request_duration_seconds_count.*$`)
	for _, of := range []struct{ method, path, counted string }{
		{"GET", "/", `code="200",method="GET",route="/"`},
		{"GET", "/assignment/06gzhm3b20000", `code="404",method="GET",route="/assignment/{id}"`},
		{"GET", "/assignment/update/06gzhm3b20000", `code="200",method="GET",route="/assignment/update/{id}"`},
		{"HEAD", "/about-Us", `code="200",method="HEAD",route="/about-Us"`},
		{"GET", "/about-us", `code="308",method="GET",route="/about-us"`},
		{"POST", "/dashboard", `code="405",method="POST",route="/dashboard"`},
		{"GET", "/no-such-page", `code="404",method="GET",route="other"`},
		{"GET", "/assets/app.js", `code="200",method="GET",route="asset"`},
		{"HEAD", "/art/logo.svg", `code="200",method="HEAD",route="asset"`},
		{"GET", "/livez", `code="200",method="GET",route="/livez"`},
		{"GET", "/readyz", `code="200",method="GET",route="/readyz"`},
		{"GET", "/api/assignments", `code="200",method="GET",route="/api/assignments"`},
		{"GET", "/api/assignment/06gzhm3b20000", `code="404",method="GET",route="/api/assignment/{id}"`},
		{"PUT", "/api/assignment/06gzhm3b20000", `code="401",method="PUT",route="/api/assignment/{id}"`},
		{"GET", "/api/submissions/06gzhm3b20000/own", `code="401",method="GET",route="/api/submissions/{id}/own"`},
		{"BREW", "/api/assignment/06gzhm3b20000", `code="405",method="other",route="other"`},
		{"DELETE", "/api/no-such-operation", `code="404",method="DELETE",route="other"`},
		{"GET", "/calendar/secret.ics", `code="404",method="GET",route="/calendar/{file}"`},
		{"POST", "/unsubscribe/secret", `code="404",method="POST",route="/unsubscribe/{token}"`},
	} {
		n.send(t, of.method, of.path)
		require.Contains(t, counted.FindAllString(scrape(), -1), "studycircle_http_request_duration_seconds_count{"+of.counted+"} 1", "%s %s", of.method, of.path)
	}
}

// Ids and methods that a client chooses add no series.
func TestSeriesAreBounded(t *testing.T) {
	t.Parallel()
	n, scrape := measured(t)
	patterns := []string{"/%s", "/assignment/%s", "/assignment/%s/more", "/assets/%s.js", "/api/%s", "/api/assignment/%s", "/api/submissions/%s/own", "/api/circle/%s/members/%s", "/circle/%s", "/calendar/%s", "/unsubscribe/%s"}
	methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "%s"}
	const id = "private%08xid"
	for range 10_000 {
		fill := func(one string) string { return strings.ReplaceAll(one, "%s", fmt.Sprintf(id, rand.Uint32())) }
		n.send(t, fill(methods[rand.IntN(len(methods))]), fill(patterns[rand.IntN(len(patterns))]))
	}
	text := scrape()
	require.NotContains(t, text, "private")
	series := regexp.MustCompile(`(?m)^studycircle_http_request_duration_seconds_count\{.*\} (\d+)$`).FindAllString(text, -1)
	require.LessOrEqual(t, len(series), 2*len(patterns)*len(methods))
	require.Greater(t, len(series), len(methods))
}

// An event stream lasts as long as its client stays: its time would hide those of requests.
func TestStreamsAreNotMeasured(t *testing.T) {
	t.Parallel()
	n, scrape := measured(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.url+"/api/events", nil)
	require.NoError(t, err)
	response, err := (&http.Client{Timeout: time.Minute}).Do(r)
	require.NoError(t, err)
	require.Contains(t, scrape(), "\nstudycircle_streams 1\n")
	require.NoError(t, response.Body.Close())
	require.Eventually(t, func() bool { return strings.Contains(scrape(), "\nstudycircle_streams 0\n") }, time.Minute, 10*time.Millisecond)
	require.NotContains(t, scrape(), "/api/events")
}
