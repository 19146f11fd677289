package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// manager does what systemd does for a service of Type=notify with a socket and a watchdog.
type manager struct {
	socket  *net.TCPListener
	reports *net.UnixConn
	data    string
}

func newManager(t *testing.T) *manager {
	t.Helper()
	socket, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	// Its path has a bound, which test folders can pass.
	dir, err := os.MkdirTemp("", "sd") //nolint:usetesting // see above
	require.NoError(t, err)
	reports, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, socket.Close())
		require.NoError(t, reports.Close())
		require.NoError(t, os.RemoveAll(dir))
	})
	return &manager{socket, reports, t.TempDir()}
}

// start starts the program. The shell is there because the process must know its own id.
func (m *manager) start(t *testing.T) *exec.Cmd {
	t.Helper()
	file, err := m.socket.File()
	require.NoError(t, err)
	service := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ exec studycircle serve --addr 127.0.0.1:1 --data "$0" --link-checks=off`, m.data)
	service.ExtraFiles = []*os.File{file}
	service.Env = append(os.Environ(), "LISTEN_FDS=1", "NOTIFY_SOCKET="+m.reports.LocalAddr().String(), "WATCHDOG_USEC=300000")
	service.Stderr = os.Stderr
	require.NoError(t, service.Start())
	require.NoError(t, file.Close())
	m.await(t, "READY=1")
	return service
}

// await reads reports until one is the wanted one.
func (m *manager) await(t *testing.T, want string) {
	t.Helper()
	require.NoError(t, m.reports.SetReadDeadline(time.Now().Add(time.Minute)))
	for buffer := make([]byte, 4096); ; {
		n, err := m.reports.Read(buffer)
		require.NoError(t, err, want)
		if strings.TrimSpace(string(buffer[:n])) == want {
			return
		}
	}
}

func (m *manager) stop(t *testing.T, service *exec.Cmd) {
	t.Helper()
	require.NoError(t, service.Process.Signal(syscall.SIGTERM))
	m.await(t, "STOPPING=1")
	require.NoError(t, service.Wait())
}

// With a socket from systemd, clients that connect while the program restarts wait and are answered.
func TestRestartsRefuseNoConnection(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	service := m.start(t)
	ctx, finish := context.WithCancel(t.Context())
	address := "http://" + m.socket.Addr().String() + "/livez"
	var clients sync.WaitGroup
	answered, failed := make([]int, 8), make(chan error, 8)
	for i := range answered {
		clients.Go(func() {
			client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
			for ctx.Err() == nil {
				if err := livez(t.Context(), client, address); err != nil {
					failed <- err
					return
				}
				answered[i]++
			}
		})
	}
	for range 3 {
		m.await(t, "WATCHDOG=1")
		m.stop(t, service)
		service = m.start(t)
	}
	m.await(t, "WATCHDOG=1")
	finish()
	clients.Wait()
	m.stop(t, service)
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	for _, n := range answered {
		require.Positive(t, n)
	}
}

func livez(ctx context.Context, client *http.Client, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s", address, response.Status)
	}
	return errors.Join(err, response.Body.Close())
}

// A server that does not answer is not reported as alive.
func TestWatchdogIsSilentAboutASilentServer(t *testing.T) {
	m := newManager(t)
	t.Setenv("NOTIFY_SOCKET", m.reports.LocalAddr().String())
	ctx, stop := context.WithCancel(t.Context())
	asked, done := make(chan error), make(chan struct{})
	go func() {
		watch(ctx, time.Millisecond, func() error { return <-asked })
		close(done)
	}()
	asked <- context.DeadlineExceeded
	asked <- context.DeadlineExceeded
	asked <- nil
	m.await(t, "WATCHDOG=1")
	stop()
	select {
	case asked <- context.Canceled:
		<-done
	case <-done:
	}
	require.NoError(t, m.reports.SetReadDeadline(time.Now()))
	_, err := m.reports.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}
