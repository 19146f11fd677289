package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// crewVariable holds the order for an attacker process. Attackers have their own process, so
// that honest users do not queue behind them in the drill itself.
const crewVariable = "STUDYCIRCLE_DRILL_CREW"

// Priorities on the shared processors, as values of nice, each above the last. Clients stand
// for machines of their own: honest users precede the node, and attackers get what is left.
const (
	honestNice    = "-10"
	nodeNice      = "10" // relative to honestNice
	attackersNice = "20"
)

// order tells attackers what to do.
type order struct {
	Attack string
	Dir    string
	IDs    []string
	Users  []account
	// Connections and Rate are for arrivals: the number of connections and their total requests
	// per second. With 0, each sends the next request after its answer.
	Connections int
	Rate        float64
}

// account is a signed-in user.
type account struct{ Token, Email string }

// outcome is what attackers report when they stop.
type outcome struct {
	Findings []finding
	Arrivals arrived
}

// finding is a bar and whether it is met.
type finding struct {
	Met  bool
	Text string
}

// crew is a process of attackers.
type crew struct {
	cmd     *exec.Cmd
	out     bytes.Buffer
	dismiss context.CancelFunc
}

// send starts a process that executes o and ends with the drill.
func (f *field) send(ctx context.Context, o order) (*crew, error) {
	o.Dir, o.IDs = f.dir, f.ids
	for _, u := range f.users {
		o.Users = append(o.Users, account{u.token, u.email})
	}
	told, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &crew{}
	ctx, c.dismiss = context.WithCancel(ctx)
	c.cmd = exec.CommandContext(ctx, "nice", "-n", attackersNice, self, os.Args[1]) //nolint:gosec // this program
	c.cmd.Env = append(os.Environ(), crewVariable+"=1")
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = bytes.NewReader(told), &c.out, os.Stderr
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(syscall.SIGTERM) }
	c.cmd.WaitDelay = patience
	return c, c.cmd.Start()
}

// end waits for the attackers and returns their outcome.
func (c *crew) end() (found outcome, err error) {
	defer c.dismiss()
	err = c.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) || (err != nil && !errors.Is(err, context.Canceled)) {
		return found, fmt.Errorf("attackers: %w", err)
	}
	err = json.NewDecoder(&c.out).Decode(&found)
	return found, err
}

// stop ends the attackers.
func (c *crew) stop() (outcome, error) {
	c.dismiss()
	return c.end()
}

// obey runs in the attackers' process: it executes its order until ctx is done.
func obey(ctx context.Context) error {
	var o order
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		return err
	}
	f := &field{node: &node{address: serverAddress}, dir: o.Dir, ids: o.IDs}
	for n, u := range o.Users {
		f.users = append(f.users, &person{
			crowd: &crowd{url: f.url()}, number: n, token: u.Token, email: u.Email, client: client(200 + n),
		})
	}
	var found outcome
	all := append(slices.Clone(attacks), together)
	if i := slices.IndexFunc(all, func(a attack) bool { return a.name == o.Attack }); i >= 0 {
		if err := all[i].run(ctx, f); err != nil {
			return err
		}
	} else {
		found.Arrivals = f.arrivals(ctx, o.Connections, o.Rate).arrived()
	}
	found.Findings = f.findings
	return json.NewEncoder(os.Stdout).Encode(found)
}

// arrived summarizes a load. Of the durations it keeps a hundred percentiles.
type arrived struct {
	Asked, Answered, Noes, Other float64 // per second
	WaitP99, NoP99               time.Duration
}
