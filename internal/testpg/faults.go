package testpg

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Standby starts a server that follows c by streaming replication, with its own folder
// beside c's. extra is as in [Start]. It answers reads at once, and writes after
// [Cluster.Promote].
func (c *Cluster) Standby(extra ...string) (*Cluster, error) {
	bin, err := findServer(serverBins)
	if err != nil {
		return nil, err
	}
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	dir, err := owner.makeDir(filepath.Dir(c.dir))
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	s := &Cluster{dir: dir, ended: make(chan struct{})}
	copied := owner.command(dir, filepath.Join(bin, "pg_basebackup"), "--pgdata", s.data(), "--host", c.dir, "--username",
		superuser, "--checkpoint", "fast", "--wal-method", "stream", "--write-recovery-conf", "--no-sync")
	if out, err := copied.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("pg_basebackup: %w\n%s", err, out), os.RemoveAll(dir))
	}
	// The name by which the primary may wait for it.
	follow := fmt.Sprintf("primary_conninfo=host=%s user=%s application_name=standby", c.dir, superuser)
	if err := s.launch(bin, owner, append([]string{follow}, extra...)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.awaitReady(); err != nil {
		return nil, errors.Join(fmt.Errorf("the standby does not answer: %w", err), s.Stop(), errors.New(s.log.String()))
	}
	return s, nil
}

// Either returns the address of a database on the one of two servers that accepts writes.
func Either(a, b *Cluster, database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.User(superuser), Path: "/" + database,
		RawQuery: url.Values{
			"host": {a.dir + "," + b.dir}, "port": {"5432,5432"}, "sslmode": {"disable"}, "target_session_attrs": {"read-write"},
		}.Encode(),
	}
	return u.String()
}

// Promote makes a standby accept writes, and returns when it does.
func (c *Cluster) Promote() error { return c.exec("SELECT pg_promote(true, 60)") }

// Kill kills all of the server's processes, as the death of the machine does, and returns
// when its folder is gone.
func (c *Cluster) Kill() error {
	if err := c.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-c.ended
	return nil
}

// Freeze stops all of the server's processes: connections stay open and nothing answers,
// as behind a broken network. Thaw continues them.
func (c *Cluster) Freeze() error { return c.signal(syscall.SIGSTOP) }

// Thaw undoes Freeze, and returns once the server answers.
func (c *Cluster) Thaw() error {
	if err := c.signal(syscall.SIGCONT); err != nil {
		return err
	}
	return c.awaitReady()
}

// signal signals all of the server's processes. It stops the first one before it lists
// the others, so that no new one is missed.
func (c *Cluster) signal(s syscall.Signal) error {
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return fmt.Errorf("find the server's process: %w", err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return fmt.Errorf("find the server's process: %w", err)
	}
	if err := stop(pid); err != nil {
		return fmt.Errorf("stop the server's process: %w", err)
	}
	started, err := children(first)
	if err != nil {
		return err
	}
	for _, p := range append([]int{pid}, started...) {
		if err := syscall.Kill(p, s); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

// stop stops a process and returns when it is stopped.
func stop(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	for until := time.Now().Add(patience); ; {
		state, _, err := status(pid)
		if err != nil || state == "T" {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("it goes on, in state %s", state)
		}
		<-time.After(time.Millisecond)
	}
}

// children reads a process's children from /proc.
func children(pid string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var out []int
	for _, entry := range entries {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue // not a process
		}
		if _, parent, err := status(child); err == nil && parent == pid { // or it ended
			out = append(out, child)
		}
	}
	return out, nil
}

// status reads the state and the parent of a process from /proc; see proc(5).
func status(pid int) (state, parent string, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", "", err
	}
	// The name in parentheses may contain anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return "", "", fmt.Errorf("the status of process %d cannot be read", pid)
	}
	return fields[0], fields[1], nil
}
