package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// builtProgram is the output of make build.
const builtProgram = "bin/studycircle"

// patience is how long anything may take to start on a busy machine.
const patience = 60 * time.Second

// node is a running program.
type node struct {
	program, address string
	args             []string
	log              logFile
	cmd              *exec.Cmd
	ended            chan struct{}
}

// url is the node's own address, past the balancer.
func (n *node) url() string { return "http://" + n.address }

// newNode prepares a node with its own data folder. args are further flags of serve.
func newNode(program, dir, name string, args ...string) (*node, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	args = append([]string{"serve", "--addr", address, "--data", filepath.Join(dir, name)}, args...)
	return &node{program: program, address: address, args: args}, nil
}

// start starts the node and returns once it is ready.
func (n *node) start(ctx context.Context) error {
	n.cmd = exec.Command(n.program, n.args...) //nolint:gosec,noctx // it ends by the signals that the drill is about
	n.cmd.Stdout, n.cmd.Stderr = &n.log, &n.log
	// No requests to other hosts. Older programs ignore the variable.
	n.cmd.Env = append(os.Environ(), "STUDYCIRCLE_LINK_CHECKS=off")
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := n.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	n.ended = ended
	go func(cmd *exec.Cmd) {
		defer close(ended)
		_ = cmd.Wait() // the log says more than the exit code
	}(n.cmd)
	if err := awaitReady(ctx, n.url()+"/readyz", ended); err != nil {
		return fmt.Errorf("node at %s: %w\n%s", n.address, err, n.log.tail())
	}
	return nil
}

// signal sends s and waits for the node to end.
func (n *node) signal(s syscall.Signal) error {
	if err := n.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-n.ended:
		return nil
	case <-time.After(patience):
		return errors.Join(fmt.Errorf("node at %s does not stop:\n%s", n.address, n.log.tail()), n.cmd.Process.Kill())
	}
}

func (n *node) kill() error { return n.signal(syscall.SIGKILL) }

func awaitReady(ctx context.Context, url string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{Timeout: 5 * time.Second}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if answer, err := client.Do(request); err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			if err = errors.Join(err, answer.Body.Close()); err == nil && answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ended:
			return errors.New("ended before it was ready")
		case <-ctx.Done():
			return errors.New("is not ready in time")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// freeAddress returns an unused loopback address.
func freeAddress() (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// logFile keeps a program's log.
type logFile struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// trouble is in the line in which a node reports that its database does not work.
const trouble = `msg="the database does not work"`

// faults returns the log lines of internal errors, without those that contain one of the expected texts.
func (l *logFile) faults(expected ...string) (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		here := func(text string) bool { return strings.Contains(line, text) }
		if here("ERROR") && !slices.ContainsFunc(expected, here) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// count counts the log lines with a text.
func (l *logFile) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

// tail returns the last lines.
func (l *logFile) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(l.text.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
