// Package proc runs the servers of the comparison and reads their costs from /proc. It knows no
// particular server.
package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on Linux, whatever the
	// kernel's clock.
	tick = 10 * time.Millisecond

	stopPatience = 60 * time.Second
)

// Process is a running server with its child processes.
type Process struct {
	cmd    *exec.Cmd
	output *tail
	ended  chan struct{}

	mu   sync.Mutex
	peak int64
}

// Start starts cmd. It ends with this program at the latest, by SIGTERM or the given signal.
func Start(cmd *exec.Cmd, end ...syscall.Signal) (*Process, error) {
	p := &Process{cmd: cmd, output: &tail{}, ended: make(chan struct{})}
	signal := syscall.SIGTERM
	if len(end) > 0 {
		signal = end[0]
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// Its own process group, so that Ctrl-C reaches only this program, which then stops the
	// servers in order.
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = signal
	cmd.Stdout, cmd.Stderr = p.output, p.output
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // the output says more than the exit code
		close(p.ended)
	}()
	go p.watchMemory()
	return p, nil
}

// Stop stops the server gracefully, or kills it after a minute.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Signal(p.cmd.SysProcAttr.Pdeathsig) // it may have ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopPatience):
		return errors.Join(fmt.Errorf("%s did not stop", p.cmd.Path), p.cmd.Process.Kill())
	}
}

// Ended is closed when the server has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output returns the end of the server's output.
func (p *Process) Output() string { return p.output.String() }

// Await waits for a line of output that contains text and returns the rest of the line after
// it.
func (p *Process) Await(ctx context.Context, text string) (string, error) {
	for {
		if _, after, found := strings.Cut(p.Output(), text); found {
			if line, _, whole := strings.Cut(after, "\n"); whole {
				return strings.TrimSpace(line), nil
			}
		}
		select {
		case <-p.ended:
			return "", fmt.Errorf("%s ended:\n%s", p.cmd.Path, p.Output())
		case <-ctx.Done():
			return "", fmt.Errorf("%s: %w:\n%s", p.cmd.Path, ctx.Err(), p.Output())
		case <-time.After(time.Millisecond):
		}
	}
}

// CPU returns the processor time used by the server and its children.
func (p *Process) CPU() time.Duration {
	var sum time.Duration
	for _, s := range p.family() {
		sum += onCPU(s.pid) + time.Duration(s.ended)*tick
	}
	return sum
}

// onCPU returns the time that a process's threads have run, by its CPU clock
// (clock_getcpuclockid(3)). /proc/PID/stat counts in 10 ms, as much as a few searches cost.
func onCPU(pid int) time.Duration {
	const allThreads = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|allThreads), &t); err != nil {
		return 0 // it has ended
	}
	return time.Duration(t.Nano())
}

// PeakMemory returns the peak anonymous memory (RssAnon) of the server and its children, in
// bytes.
func (p *Process) PeakMemory() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.peak
}

func (p *Process) watchMemory() {
	for {
		var now int64
		for _, s := range p.family() {
			now += rssAnon(s.pid)
		}
		p.mu.Lock()
		p.peak = max(p.peak, now)
		p.mu.Unlock()
		select {
		case <-p.ended:
			return
		case <-time.After(time.Second): // a reading costs a millisecond or two
		}
	}
}

type stat struct {
	pid, parent int
	ended       int64 // ticks used by ended children
}

// family returns the process and its descendants.
func (p *Process) family() []stat {
	all, err := processes()
	if err != nil {
		return nil
	}
	in := map[int]bool{p.cmd.Process.Pid: true}
	var found []stat
	// A child usually has a greater number than its parent; a second pass finds those after a
	// wraparound.
	for range 2 {
		found = found[:0]
		for _, s := range all {
			if in[s.pid] || in[s.parent] {
				in[s.pid] = true
				found = append(found, s)
			}
		}
	}
	return found
}

func processes() ([]stat, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var all []stat
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended since
		}
		if s, ok := parseStat(pid, string(text)); ok {
			all = append(all, s)
		}
	}
	return all, nil
}

// parseStat parses a line of /proc/PID/stat: proc_pid_stat(5). The name in parentheses may hold
// any character.
func parseStat(pid int, text string) (stat, bool) {
	end := strings.LastIndexByte(text, ')')
	if end < 0 {
		return stat{}, false
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 15 {
		return stat{}, false
	}
	s := stat{pid: pid}
	s.parent, _ = strconv.Atoi(fields[1])
	for _, field := range fields[13:15] { // cutime, cstime
		n, _ := strconv.ParseInt(field, 10, 64)
		s.ended += n
	}
	return s, true
}

func rssAnon(pid int) int64 {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }() // read only
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "RssAnon:"); found {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const keep = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if len(t.text) > 2*keep {
		t.text = append(t.text[:0], t.text[len(t.text)-keep:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
