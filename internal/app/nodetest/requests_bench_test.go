package nodetest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkRequests measures the processor time of the frequent requests through a whole
// node without a network.
func BenchmarkRequests(b *testing.B) {
	n := onSQLite(b).start(b)
	ada, bob := n.user(b, "Ada"), n.user(b, "Bob")
	spent := map[string]time.Duration{}
	do := func(what string, c *client, method, path string, body any, status int) []byte {
		text, err := encoded(body)
		require.NoError(b, err)
		r := httptest.NewRequestWithContext(context.Background(), method, path, bytes.NewReader(text))
		r.Header.Set("Authorization", "Bearer "+c.token)
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		before := processorTime(b)
		n.app.Handler.ServeHTTP(w, r)
		spent[what] += processorTime(b) - before
		require.Equal(b, status, w.Code, w.Body.String())
		return w.Body.Bytes()
	}
	inserted := func(answer []byte) string {
		var a struct{ InsertedID string }
		require.NoError(b, json.Unmarshal(answer, &a))
		return a.InsertedID
	}
	for range 100 {
		bob.submit(b, ada.publish(b))
	}
	for b.Loop() {
		a := inserted(do("create", ada, http.MethodPost, "/api/assignments", assignment(), http.StatusCreated))
		s := inserted(do("submit", bob, http.MethodPost, "/api/submissions", submission(a), http.StatusCreated))
		do("grade", ada, http.MethodPatch, "/api/submissions/"+s, doc{"marks": 7, "feedback": "Well done."}, http.StatusOK)
		for range 10 {
			do("pending", ada, http.MethodGet, "/api/submissions?status=pending&page=1&limit=10", nil, http.StatusOK)
		}
	}
	for what, took := range spent {
		times := b.N
		if what == "pending" {
			times *= 10
		}
		b.ReportMetric(float64(took.Microseconds())/float64(times), "cpu-µs/"+what)
	}
}

// processorTime returns this process's processor time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
