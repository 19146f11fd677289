package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// wantedWrites is how many writes are acknowledged before a restore.
	wantedWrites = 6000
	// mostLost is how much work the loss of a machine may cost with release/litestream.yml, whose interval is a second.
	mostLost = 3 * time.Second
)

// drillRestore restores databases of killed servers, as docs/operations.md describes.
func drillRestore(ctx context.Context, r *report) (err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := restoreSQLite(ctx, r, dir); err != nil {
		return err
	}
	return restorePostgres(ctx, r, dir)
}

// documentedRestore returns the commands by which docs/operations.md restores a database, in words.
func documentedRestore() (commands [][]string, err error) {
	page, err := os.ReadFile("docs/operations.md")
	if err != nil {
		return nil, err
	}
	_, block, found := strings.Cut(string(page), "```sh run=drill-restore\n")
	block, _, ended := strings.Cut(block, "\n```")
	if !found || !ended {
		return nil, errors.New("docs/operations.md has no block for this drill")
	}
	for line := range strings.Lines(block) {
		commands = append(commands, strings.Fields(line))
	}
	return commands, nil
}

// restoreSQLite kills a server and litestream under writers and restores from S3.
func restoreSQLite(ctx context.Context, r *report, dir string) (err error) {
	r.chapter("Litestream with release/litestream.yml to an S3 server, %d writers on SQLite", writers)
	bucket, err := freeAddress()
	if err != nil {
		return err
	}
	s3 := &helper{program: "gofakes3", args: []string{"-backend", "memory", "-initialbucket", "study", "-host", bucket}}
	if err := s3.start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s3.kill()) }()
	n, err := newNode(builtProgram, dir, "data", "--rate-limits", "off")
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.kill()) }()
	data := filepath.Join(dir, "data")
	environment := []string{
		"STUDYCIRCLE_DATA=" + data, "LITESTREAM_BUCKET=study", "LITESTREAM_ENDPOINT=http://" + bucket,
		"LITESTREAM_ACCESS_KEY_ID=key", "LITESTREAM_SECRET_ACCESS_KEY=secret",
		"AWS_CA_BUNDLE=", // this machine's, which is not litestream's matter
	}
	const config = "release/litestream.yml"
	copier := &helper{program: "litestream", args: []string{"replicate", "-config", config}, environment: environment}
	if err := copier.start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copier.kill()) }()
	commands, err := documentedRestore()
	if err != nil {
		return err
	}
	// restore runs the documented commands, to a moment or, if it is zero, to the end.
	restore := func(folder string, moment time.Time) error {
		here := strings.NewReplacer("litestream.yml", config, "restored.db", filepath.Join(dir, folder+".db"),
			"/var/lib/studycircle/studycircle.db", filepath.Join(data, "studycircle.db"),
			"/var/lib/studycircle", filepath.Join(dir, folder))
		for _, words := range commands {
			h := &helper{program: words[0], environment: environment}
			if h.program == "studycircle" {
				h.program = builtProgram
			}
			for i := 1; i < len(words); i++ {
				switch {
				case words[i] != "-timestamp":
					h.args = append(h.args, here.Replace(words[i]))
				case moment.IsZero():
					i++ // the moment of the page
				default:
					h.args = append(h.args, words[i], moment.UTC().Format(time.RFC3339Nano))
					i++
				}
			}
			if err := h.run(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	// While writers pause, the server copies the log into the database, under litestream.
	early := newCrowd(ctx, n.url(), writers)
	err = early.awaitWrites(ctx, wantedWrites/4)
	early.end()
	if err := errors.Join(err, pause(ctx, 3*time.Second)); err != nil {
		return err
	}
	c := newCrowd(ctx, n.url(), writers)
	defer c.end()

	// The program and litestream are killed apart; both continue, and nothing is lost.
	if err := c.awaitWrites(ctx, wantedWrites/4); err != nil {
		return err
	}
	if err := errors.Join(n.kill(), n.start(ctx)); err != nil {
		return err
	}
	if err := c.awaitWrites(ctx, wantedWrites/2); err != nil {
		return err
	}
	middle := time.Now()
	if err := c.awaitWrites(ctx, wantedWrites*3/4); err != nil {
		return err
	}
	if err := errors.Join(copier.kill(), copier.start()); err != nil {
		return err
	}
	if err := c.awaitWrites(ctx, wantedWrites); err != nil {
		return err
	}
	killed := time.Now()
	if err := errors.Join(n.kill(), copier.kill()); err != nil {
		return err
	}
	c.end()
	r.say(
		"acknowledged: %d assignments, %d submissions, %d grades; the server and litestream are killed",
		len(c.assignments), len(c.submissions), len(c.grades),
	)
	r.bar(
		len(copier.log.faults()) == 0, "errors that litestream logged: %d, snapshots that it made: %d",
		len(copier.log.faults()), copier.log.count("snapshot complete"),
	)
	began := time.Now()
	if err := restore("latest", time.Time{}); err != nil {
		return err
	}
	took := time.Since(began)
	there, err := c.thereIn(ctx, filepath.Join(dir, "latest", "studycircle.db"))
	if err != nil {
		return err
	}
	c.barLatest(r, there, killed, mostLost, took)
	r.bar(len(early.heard) > 0 &&
		early.absent(there) == 0, "of %d assignments from before a pause %d missing", len(early.heard), early.absent(there))
	began = time.Now()
	if err := restore("middle", middle); err != nil {
		return err
	}
	took = time.Since(began)
	if there, err = c.thereIn(ctx, filepath.Join(dir, "middle", "studycircle.db")); err != nil {
		return err
	}
	c.barMoment(r, there, middle, mostLost, took)
	for _, folder := range []string{"latest", "middle"} {
		if err := examine(ctx, r, folder, "--data", filepath.Join(dir, folder)); err != nil {
			return err
		}
	}
	return serves(ctx, r, dir, "latest")
}

// absent counts the acknowledged assignments that are missing.
func (c *crowd) absent(there map[string]int64) (n int) {
	for id := range c.heard {
		if _, is := there[id]; !is {
			n++
		}
	}
	return n
}

// thereIn returns the assignments in an SQLite database.
func (c *crowd) thereIn(ctx context.Context, file string) (there map[string]int64, err error) {
	d, err := openSQLite(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return pairs(ctx, d, "SELECT id, 0 FROM assignments")
}

// barLatest checks a restore to the end: only the last acknowledged writes may be missing.
func (c *crowd) barLatest(r *report, there map[string]int64, killed time.Time, most, took time.Duration) {
	lost, first := 0, killed
	for id, heard := range c.heard {
		if _, is := there[id]; !is {
			lost++
			if heard.Before(first) {
				first = heard
			}
		}
	}
	r.bar(
		killed.Sub(first) <= most, "restored to the end in %s: %d of %d acknowledged assignments missing, the last %.1f s",
		took.Round(time.Millisecond), lost, len(c.heard), killed.Sub(first).Seconds(),
	)
}

// barMoment checks a restore to a moment: all that was acknowledged before it is there, and nothing that was requested
// after it, with a tolerance for writes right before it.
func (c *crowd) barMoment(r *report, there map[string]int64, at time.Time, tolerance, took time.Duration) {
	before, missing, after, first := 0, 0, 0, at
	for id, heard := range c.heard {
		_, is := there[id]
		switch {
		case c.assignments[id].After(at):
			if is {
				after++
			}
		case heard.Before(at):
			before++
			if !is {
				missing++
				if heard.Before(first) {
					first = heard
				}
			}
		}
	}
	r.bar(after == 0 && at.Sub(first) <= tolerance, "restored to a moment in %s: of %d assignments acknowledged before "+
		"it %d missing, the last %.1f s; of %d after it %d there",
		took.Round(time.Millisecond), before, missing, at.Sub(first).Seconds(), len(c.heard)-before, after)
}

// examine runs studycircle doctor and judges what it says about the database.
func examine(ctx context.Context, r *report, name string, flags ...string) error {
	out, err := exec.CommandContext(ctx, builtProgram, append([]string{"doctor", "--json"}, flags...)...).Output() //nolint:gosec // our own
	// no server runs, which fails another check
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return err
	}
	var finding struct{ Check, State, Says string }
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&finding); err != nil {
		return err
	}
	r.bar(finding.Check == "database" && finding.State == "ok", "doctor on %s: %s", name, finding.Says)
	return nil
}

// serves starts a server on a restored database, which takes a write.
func serves(ctx context.Context, r *report, dir, name string, flags ...string) error {
	n, err := newNode(builtProgram, dir, name, append([]string{"--rate-limits", "off"}, flags...)...)
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	c := newCrowd(ctx, n.url(), 1)
	err = c.awaitWrites(ctx, 2)
	c.end()
	var failed []string
	for _, t := range c.tries {
		if t.failed() {
			failed = append(failed, fmt.Sprintf("%s: %d %v", t.what, t.status, t.err))
		}
	}
	r.bar(
		err == nil && len(failed) == 0, "a server on %s is ready and answers %d requests, %d failed %s",
		name, len(c.tries), len(failed), strings.Join(failed, "; "),
	)
	for _, line := range n.log.faults() {
		r.say("its log: %s", line)
	}
	return errors.Join(err, n.signal(syscall.SIGTERM))
}

// helper is a program beside the server.
type helper struct {
	program           string
	args, environment []string
	log               logFile
	cmd               *exec.Cmd
	ended             chan struct{}
}

func (h *helper) start() error {
	h.cmd = exec.Command(h.program, h.args...) //nolint:gosec,noctx // it ends by the signals that the drill is about
	h.cmd.Stdout, h.cmd.Stderr = &h.log, &h.log
	h.cmd.Env = append(os.Environ(), h.environment...)
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := h.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	h.ended = ended
	go func(cmd *exec.Cmd) {
		defer close(ended)
		_ = cmd.Wait() // the log says more than the exit code
	}(h.cmd)
	return nil
}

// kill kills the program and waits for it to end.
func (h *helper) kill() error {
	if err := h.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-h.ended
	return nil
}

// run runs a program to its end.
func (h *helper) run(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, h.program, h.args...) //nolint:gosec // the drill names it
	cmd.Env = append(os.Environ(), h.environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", h.program, strings.Join(h.args, " "), err, out)
	}
	return nil
}
