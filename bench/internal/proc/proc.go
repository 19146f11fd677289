// Package proc runs the servers of the comparison and reads from /proc what they
// cost. It knows none of them.
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
	// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on Linux
	// whatever the kernel's own clock does.
	tick = 10 * time.Millisecond

	stopPatience = 60 * time.Second
)

// Process is a running server, with all processes under it.
type Process struct {
	cmd    *exec.Cmd
	output *tail
	ended  chan struct{}

	mu   sync.Mutex
	peak int64
}

// Start starts cmd, which ends with this program at the latest, by SIGTERM or
// by the signal that is given.
func Start(cmd *exec.Cmd, end ...syscall.Signal) (*Process, error) {
	p := &Process{cmd: cmd, output: &tail{}, ended: make(chan struct{})}
	signal := syscall.SIGTERM
	if len(end) > 0 {
		signal = end[0]
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// A group of its own, so that Ctrl-C reaches only this program, which then
	// ends the servers in order.
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = signal
	cmd.Stdout, cmd.Stderr = p.output, p.output
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // the output says more than an exit code
		close(p.ended)
	}()
	go p.watchMemory()
	return p, nil
}

// Stop ends the server in order, and by force where that takes a minute.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Signal(p.cmd.SysProcAttr.Pdeathsig) // it may be gone already
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopPatience):
		return errors.Join(fmt.Errorf("%s did not stop", p.cmd.Path), p.cmd.Process.Kill())
	}
}

// Ended is closed once the server is gone.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output is the last of what the server printed.
func (p *Process) Output() string { return p.output.String() }

// Await waits until the output has a line with this text before it, and returns
// what follows the text on the line.
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

// CPU is the processor time that the server has used, its children included.
func (p *Process) CPU() time.Duration {
	var sum time.Duration
	for _, s := range p.family() {
		sum += onCPU(s.pid) + time.Duration(s.ended)*tick
	}
	return sum
}

// onCPU is the time that a process's threads have run, by its CPU clock
// (clock_getcpuclockid(3)). The times of /proc/PID/stat would be exact to 10 ms,
// which is as much as a few searches cost.
func onCPU(pid int) time.Duration {
	const allThreads = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|allThreads), &t); err != nil {
		return 0 // it has ended since
	}
	return time.Duration(t.Nano())
}

// PeakMemory is the most anonymous memory (RssAnon) that the server has had, in
// bytes, its children included.
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
		case <-time.After(time.Second): // a look costs a millisecond or two
		}
	}
}

type stat struct {
	pid, parent int
	ended       int64 // ticks that children have used that have ended
}

// family is the process and those below it.
func (p *Process) family() []stat {
	all, err := processes()
	if err != nil {
		return nil
	}
	in := map[int]bool{p.cmd.Process.Pid: true}
	var found []stat
	// A child has a greater number than its parent but where numbers have
	// started anew; a second pass finds those.
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

// parseStat reads a line of /proc/PID/stat: proc_pid_stat(5). The name in
// brackets may hold anything.
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

// tail keeps the last of what is written to it.
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
