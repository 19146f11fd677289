// Package testproxy puts a real balancer, HAProxy, before the nodes of a test or a drill.
// It knows nothing of the product but its readiness path.
package testproxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// config is that of docs/nodes.md, on loopback. The balancer does not retry: a client
// sees each failed delivery as an error.
const config = `global
	maxconn 4096
defaults
	mode http
	retries 0
	timeout connect 2s
	timeout client 60s
	timeout server 60s
	timeout check 1s
	option forwardfor
	option httpchk GET /readyz
	default-server check inter 250ms fall 1 rise 1 observe layer4 error-limit 1 on-error mark-down
listen studycircle
	bind %s
	balance roundrobin
%s`

// patience is how long the balancer may take to start on a busy machine.
const patience = 30 * time.Second

// Balancer is a HAProxy, running or still to be started.
type Balancer struct {
	address string
	dir     string
	cmd     *exec.Cmd
	said    bytes.Buffer
	ended   chan struct{}
}

// New chooses the balancer's address, which the nodes behind it have to know.
func New() (*Balancer, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Balancer{address: listener.Addr().String()}, listener.Close()
}

// Address is the balancer's host and port.
func (b *Balancer) Address() string { return b.address }

// Start starts the balancer before nodes, given as host and port, and returns when one of
// them answers through it. It lives until Stop, or until the process ends.
func (b *Balancer) Start(ctx context.Context, nodes []string) error {
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // only on root's PATH
		if _, err := os.Stat(program); err != nil {
			return errors.New("HAProxy is not on this machine: install the Debian package haproxy, as `make setup-drills` does")
		}
	}
	if b.dir, err = os.MkdirTemp("", "testproxy-"); err != nil {
		return err
	}
	var servers strings.Builder
	for i, n := range nodes {
		fmt.Fprintf(&servers, "\tserver node%d %s\n", i+1, n)
	}
	file := filepath.Join(b.dir, "haproxy.cfg")
	if err := os.WriteFile(file, fmt.Appendf(nil, config, b.address, servers.String()), 0o600); err != nil {
		return errors.Join(err, os.RemoveAll(b.dir))
	}
	b.cmd = exec.Command(program, "-f", file, "-db")
	b.cmd.Stdout, b.cmd.Stderr = &b.said, &b.said
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := b.cmd.Start(); err != nil {
		return errors.Join(err, os.RemoveAll(b.dir))
	}
	b.ended = make(chan struct{})
	go func() {
		defer close(b.ended)
		_ = b.cmd.Wait() // its output tells more than the exit code
	}()
	if err := b.awaitReady(ctx); err != nil {
		return errors.Join(err, b.Stop(), errors.New(b.said.String()))
	}
	return nil
}

func (b *Balancer) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.address+"/readyz", nil)
		if err != nil {
			return err
		}
		if answer, err := client.Do(request); err == nil {
			if err := answer.Body.Close(); err == nil && answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-b.ended:
			return errors.New("HAProxy ended instead of getting ready")
		case <-ctx.Done():
			return errors.New("HAProxy does not get ready")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Stop stops the balancer.
func (b *Balancer) Stop() error {
	if b.cmd == nil {
		return nil
	}
	err := b.cmd.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	<-b.ended
	return errors.Join(err, os.RemoveAll(b.dir))
}
