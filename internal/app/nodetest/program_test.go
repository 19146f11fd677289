package nodetest

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program builds the real program and runs it until the benchmark ends, for measurements
// of a process.
func program(b *testing.B) (n *node, pid int) {
	b.Helper()
	dir := b.TempDir()
	built := filepath.Join(dir, "studycircle")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", built, "studycircle/cmd/studycircle")
	build.Stderr = os.Stderr
	require.NoError(b, build.Run())
	serve := exec.CommandContext(b.Context(), built, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--rate-limits", "off", "--link-checks", "off")
	out, err := serve.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, serve.Start())
	b.Cleanup(func() { _ = serve.Process.Signal(os.Interrupt); _ = serve.Wait() }) // it answers with how it ended, which is by us
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	_, address, ready := strings.Cut(line, " is ready at ")
	require.True(b, ready, line)
	return &node{url: strings.TrimSpace(address), http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}}, serve.Process.Pid
}

// rssAnon returns a process's anonymous memory in KiB, as Linux counts it. It may be
// called from any goroutine.
func rssAnon(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		b.Errorf("read the process's memory: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Errorf("read the process's memory: %v", err)
	}
	return n
}

// cpuTime returns a process's processor time, in Linux's hundredths of a second.
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
