package nodetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkOpenStreams opens a thousand event streams to the real program, each over its
// own connection, waits until each got an event, and reports the additional memory.
func BenchmarkOpenStreams(b *testing.B) {
	const streams = 1000
	n, pid := program(b)
	ada := &client{n: n}
	a, err := ada.try(b.Context(), http.MethodPost, "/api/auth/register", newcomer())
	require.NoError(b, err)
	var who struct{ AccessToken string }
	require.NoError(b, json.Unmarshal(a.body, &who))
	ada.token = who.AccessToken
	before := rssAnon(b, pid)

	for b.Loop() {
		open := make([]*stream, streams)
		forEach(b, streams, func(i int) (err error) {
			who := n.visitor()
			if i%2 == 0 {
				who = ada
			}
			if open[i], err = who.listen(context.Background(), ""); err == nil {
				_, err = open[i].next()
			}
			return err
		})
		told := time.Now()
		_, err := ada.do(b.Context(), http.MethodPost, "/api/assignments", assignment(), http.StatusCreated)
		require.NoError(b, err)
		forEach(b, streams, func(i int) error {
			e, err := open[i].next()
			if err == nil && e.kind != "assignment.created" {
				err = fmt.Errorf("heard of %q", e.kind)
			}
			return err
		})
		b.ReportMetric(float64(time.Since(told).Milliseconds()), "ms-until-all-heard")
		b.ReportMetric(float64(before)/1024, "MiB-before")
		b.ReportMetric(float64(rssAnon(b, pid))/1024, "MiB-with-1000")
		cpu := cpuTime(b, pid)
		<-time.After(10 * time.Second)
		b.ReportMetric(float64((cpuTime(b, pid)-cpu).Milliseconds())/10, "ms-CPU-a-second-idle")
		for _, s := range open {
			s.close()
		}
	}
}

func forEach(b *testing.B, n int, f func(i int) error) {
	b.Helper()
	var group sync.WaitGroup
	failed := make([]error, n)
	for i := range n {
		group.Go(func() { failed[i] = f(i) })
	}
	group.Wait()
	require.NoError(b, errors.Join(failed...))
}
