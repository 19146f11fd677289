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

// crewVariable is set, to what they are to do, for attackers: they are a process of
// their own, so that honest users do not wait for a turn behind them before they
// have even asked.
const crewVariable = "STUDYCIRCLE_DRILL_CREW"

// Who comes first on the processors that all of them share, as nice wants it, each
// above the last. Clients stand for machines of their own: honest users do not wait
// for the node's processors before they have asked, and attackers have what the others leave.
const (
	honestNice    = "-10"
	nodeNice      = "10" // over honestNice
	attackersNice = "20"
)

// order is what attackers are told.
type order struct {
	Attack string
	Dir    string
	IDs    []string
	Users  []account
	// Connections and Rate are for arrivals: how many, and how often a second they
	// ask in all, as often as they are answered where it is 0.
	Connections int
	Rate        float64
}

// account is a user who has signed in.
type account struct{ Token, Email string }

// outcome is what attackers have found when they stop.
type outcome struct {
	Findings []finding
	Arrivals arrived
}

// finding is a bar and whether it is met.
type finding struct {
	Met  bool
	Text string
}

// crew is attackers at work.
type crew struct {
	cmd     *exec.Cmd
	out     bytes.Buffer
	dismiss context.CancelFunc
}

// send begins what o says, in a process of its own that ends with the drill.
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

// end waits for the attackers and hears what they have found.
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

// obey is the attackers' side: it does what it is told until ctx ends.
func obey(ctx context.Context) error {
	var o order
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		return err
	}
	f := &field{node: &node{address: serverAddress}, dir: o.Dir, ids: o.IDs}
	for n, u := range o.Users {
		f.users = append(f.users, &person{crowd: &crowd{url: f.url()}, number: n, token: u.Token, email: u.Email, client: client(200 + n)})
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

// arrived is what a load comes to, in figures: of times those of a hundred waits.
type arrived struct {
	Asked, Answered, Noes, Other float64 // a second
	WaitP99, NoP99               time.Duration
}
