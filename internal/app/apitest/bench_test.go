package apitest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkOpenStreams opens a thousand streams of events to the program itself,
// each over a connection of its own, has each hear of a change, and reports how
// much more memory the program then takes.
func BenchmarkOpenStreams(b *testing.B) {
	const streams = 1000
	dir := b.TempDir()
	program := filepath.Join(dir, "studycircle")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "studycircle/cmd/studycircle")
	build.Stderr = os.Stderr
	require.NoError(b, build.Run())
	serve := exec.CommandContext(b.Context(), program, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--rate-limits", "off")
	out, err := serve.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, serve.Start())
	b.Cleanup(func() { _ = serve.Process.Signal(os.Interrupt); _ = serve.Wait() }) // it answers with how it ended, which is by us
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	_, address, ready := strings.Cut(line, " is ready at ")
	require.True(b, ready, line)
	n := &node{url: strings.TrimSpace(address), client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	ada := &user{n: n}
	a, err := ada.try(b.Context(), http.MethodPost, "/api/auth/register", registration())
	require.NoError(b, err)
	var who struct{ AccessToken string }
	require.NoError(b, json.Unmarshal(a.body, &who))
	ada.token = who.AccessToken
	before := rssAnon(b, serve.Process.Pid)

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
		b.ReportMetric(float64(rssAnon(b, serve.Process.Pid))/1024, "MiB-with-1000")
		cpu := cpuTime(b, serve.Process.Pid)
		<-time.After(10 * time.Second)
		b.ReportMetric(float64((cpuTime(b, serve.Process.Pid)-cpu).Milliseconds())/10, "ms-CPU-a-second-idle")
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

// rssAnon is a process's anonymous memory in KiB, as Linux counts it.
func rssAnon(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(b, err)
	return n
}

// cpuTime is what a process has used, in Linux's hundredths of a second.
func cpuTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	require.NoError(b, err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')'):]))
	user, err := strconv.Atoi(fields[12])
	require.NoError(b, err)
	system, err := strconv.Atoi(fields[13])
	require.NoError(b, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}
