//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
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

// surroundings are what a server of a test depends on.
type surroundings struct {
	// flags of serve, besides its address.
	flags []string
	// user runs the server; nil is that of the tests.
	user *syscall.Credential
	// says, if given, is what the log says instead of the fault's line.
	says string
	// began, if not nil, is called with the server.
	began func(*running)
	// begin begins the fault, end ends it.
	begin, end func(t *testing.T)
	// recovered, if not nil, is called when the server works again.
	recovered func(t *testing.T)
}

// running is a started server.
type running struct {
	command *exec.Cmd
	url     string
	log     *serverLog
	ended   chan struct{}
}

// serverLog collects what a program prints.
type serverLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *serverLog) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns all of it.
func (o *serverLog) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start starts a server and stops it when the test ends.
func (s surroundings) start(t *testing.T) *running {
	t.Helper()
	address := freeAddress(t)
	program, err := exec.LookPath("studycircle")
	require.NoError(t, err)
	if s.user != nil {
		program = "/proc/self/exe" // the user may not enter the folder of the test's program
	}
	p := &running{url: "http://" + address, log: &serverLog{}, ended: make(chan struct{})}
	p.command = exec.CommandContext(t.Context(), program, append([]string{"serve", "--addr", address, "--link-checks=off", "--rate-limits=off"}, s.flags...)...)
	p.command.Args[0] = "studycircle"
	p.command.Stderr = p.log
	p.command.SysProcAttr = &syscall.SysProcAttr{Credential: s.user, Pdeathsig: syscall.SIGKILL}
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	require.NoError(t, p.command.Start())
	go func() {
		defer close(p.ended)
		_ = p.command.Wait() // the state says how it ended
	}()
	t.Cleanup(func() { <-p.ended }) // after the test's context has ended
	if s.began != nil {
		s.began(p)
	}
	return p
}

// freeAddress returns an unused address on a loopback network of its own.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", fmt.Sprintf("127.%d.%d.%d:0", 1+rand.N(254), rand.N(256), 1+rand.N(254)))
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// replied is an answer of a server.
type replied struct {
	status int
	header http.Header
	text   string
}

func (p *running) ask(t *testing.T, method, path, token string, body any) (r replied, err error) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), method, p.url+path, bytes.NewReader(text))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return r, err
	}
	got, err := io.ReadAll(response.Body)
	require.NoError(t, response.Body.Close())
	return replied{response.StatusCode, response.Header, string(got)}, err
}

func (p *running) get(t *testing.T, path string) replied {
	t.Helper()
	r, err := p.ask(t, http.MethodGet, path, "", nil)
	require.NoError(t, err)
	return r
}

// await waits for a status.
func (p *running) await(t *testing.T, path string, status int) {
	t.Helper()
	require.Eventually(t, func() bool {
		r, err := p.ask(t, http.MethodGet, path, "", nil)
		return err == nil && r.status == status
	}, time.Minute, 20*time.Millisecond, "%s\n%s", path, p.log)
}

// register opens an account, which also queues an email.
func (p *running) register(t *testing.T) replied {
	t.Helper()
	r, err := p.ask(t, http.MethodPost, "/api/auth/register", "", map[string]any{
		"name": "Ada", "email": fmt.Sprintf("ada%d@example.org", rand.Uint64()), "photoURL": "https://example.org/ada.png", "password": "Passw0rd",
	})
	require.NoError(t, err)
	return r
}

// publish publishes an assignment and returns its title.
func (p *running) publish(t *testing.T) (title string) {
	t.Helper()
	var session struct{ AccessToken string }
	require.NoError(t, json.Unmarshal([]byte(p.register(t).text), &session))
	title = fmt.Sprint("Title ", rand.Uint64())
	r, err := p.ask(t, http.MethodPost, "/api/assignments", session.AccessToken, map[string]any{
		"title": title, "description": "Long enough.", "marks": 10, "thumbnail": "https://example.org/t.png", "dueDate": time.Now().AddDate(0, 0, 7).Format(time.DateOnly),
	})
	require.NoError(t, err)
	require.Equal(t, created, r.status, r.text)
	return title
}

// shared returns a folder in a new one that all users may enter, which those of t.TempDir are not.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "faults-") //nolint:usetesting // see above
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return filepath.Join(dir, name)
}

// lockFolder takes the lock of a program that opens the database in dir.
func lockFolder(t *testing.T, dir string) (release func()) {
	t.Helper()
	d, err := os.Open(dir)
	require.NoError(t, err)
	require.NoError(t, syscall.Flock(int(d.Fd()), syscall.LOCK_EX))
	return func() { require.NoError(t, d.Close()) }
}

// mountMemory mounts a file system in memory, and reports whether this process may.
func mountMemory(t *testing.T, dir, options string) bool {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		require.ErrorIs(t, err, syscall.EPERM)
		return false
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return true
}

// readOnlyMount returns the folder of a file system that is mounted read-only: containers without the right to mount
// have some.
func readOnlyMount(t *testing.T) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	require.NoError(t, err)
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if info, err := os.Stat(fields[1]); err == nil && info.IsDir() && strings.HasPrefix(fields[3], "ro,") {
			return fields[1]
		}
	}
	require.Fail(t, "this test needs the right to mount a file system, or one that is read-only")
	return ""
}
