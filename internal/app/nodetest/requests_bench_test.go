package nodetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkRequests measures the processor time of the frequent requests through a whole node without a network, on each
// engine by one client and by many at once. That of PostgreSQL is included.
func BenchmarkRequests(b *testing.B) {
	for _, clients := range []int{1, 32} {
		for name, made := range engines {
			b.Run(fmt.Sprintf("%s/clients=%d", name, clients), func(b *testing.B) { benchRequests(b, made(b), clients) })
		}
	}
}

func benchRequests(b *testing.B, w *world, clients int) {
	b.Helper()
	n := w.start(b)
	creators, submitters := make([]*client, clients), make([]*client, clients)
	for i := range clients {
		creators[i], submitters[i] = n.user(b, fmt.Sprint("Creator", i)), n.user(b, fmt.Sprint("Submitter", i))
	}
	for range 100 {
		submitters[0].submit(b, creators[0].publish(b))
	}
	spent := n.processors(b)
	// all makes b.N requests of each client, those of one round at once, and returns the inserted ids.
	all := func(what string, by []*client, status int, request func(round, i int) (method, path string, body any)) [][]string {
		ids := make([][]string, b.N)
		before := spent()
		for round := range b.N {
			ids[round] = make([]string, clients)
			var together sync.WaitGroup
			for i := range clients {
				together.Go(func() {
					method, path, body := request(round, i)
					text, err := encoded(body)
					r := httptest.NewRequestWithContext(context.Background(), method, path, bytes.NewReader(text))
					r.Header.Set("Authorization", "Bearer "+by[i].token)
					r.Header.Set("Content-Type", "application/json")
					answer := httptest.NewRecorder()
					n.app.Handler.ServeHTTP(answer, r)
					if err != nil || answer.Code != status {
						b.Errorf("%s: %d %s %v", what, answer.Code, answer.Body, err)
					}
					var inserted struct{ InsertedID string }
					_ = json.Unmarshal(answer.Body.Bytes(), &inserted) // lists have none
					ids[round][i] = inserted.InsertedID
				})
			}
			together.Wait()
		}
		b.ReportMetric(float64((spent()-before).Microseconds())/float64(b.N*clients), "cpu-µs/"+what)
		return ids
	}
	b.ResetTimer()
	of := all("create", creators, http.StatusCreated, func(int, int) (string, string, any) { return http.MethodPost, "/api/assignments", assignment() })
	work := all("submit", submitters, http.StatusCreated, func(round, i int) (string, string, any) {
		return http.MethodPost, "/api/submissions", submission(of[round][i])
	})
	all("grade", creators, http.StatusOK, func(round, i int) (string, string, any) {
		return http.MethodPatch, "/api/submissions/" + work[round][i], doc{"marks": 7, "feedback": "Well done."}
	})
	all("pending", creators, http.StatusOK, func(int, int) (string, string, any) {
		return http.MethodGet, "/api/submissions?status=pending&page=1&limit=10", nil
	})
}

// processorTime returns this process's processor time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
