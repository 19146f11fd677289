package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"time"

	"studycircle/internal/testpg"
	"studycircle/internal/testproxy"
)

const (
	people  = 12
	ears    = 6               // clients that read events
	settled = 6 * time.Second // how long load continues after each fault
	// drainTime is the nodes' --drain: longer than the balancer needs to notice.
	drainTime = "2s"
)

// site is three nodes behind a balancer, on a primary with a synchronous standby.
type site struct {
	dir              string
	primary, standby *testpg.Cluster
	nodes            []*node
	audience         *audience
	balancer         *testproxy.Balancer
}

// openSite starts all of it; close stops it.
func openSite(ctx context.Context, program string) (s *site, err error) {
	s = &site{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = os.MkdirTemp("", "studycircle-drill-"); err != nil {
		return s, err
	}
	// As in production, a commit waits for both disks.
	if s.primary, err = testpg.StartIn(
		os.TempDir(), "fsync=on", "full_page_writes=on", "synchronous_standby_names=standby",
	); err != nil {
		return s, err
	}
	// The standby has the setting empty: a promoted server would wait for a missing standby and
	// hang every write.
	if s.standby, err = s.primary.Standby("fsync=on", "full_page_writes=on", "synchronous_standby_names="); err != nil {
		return s, err
	}
	if s.balancer, err = testproxy.New(); err != nil {
		return s, err
	}
	for i := range 3 {
		n, err := newNode(program, s.dir, fmt.Sprint("node", i+1), "--database",
			testpg.Either(s.primary, s.standby, "postgres"),
			"--public-url", s.url(), "--trusted-proxies", "127.0.0.0/8", "--rate-limits", "off", "--drain", drainTime)
		if err != nil {
			return s, err
		}
		s.nodes = append(s.nodes, n)
		if err := n.start(ctx); err != nil {
			return s, err
		}
	}
	addresses := make([]string, len(s.nodes))
	for i, n := range s.nodes {
		addresses[i] = n.address
	}
	return s, s.balancer.Start(ctx, addresses)
}

// url is the balancer's address.
func (s *site) url() string { return "http://" + s.balancer.Address() }

func (s *site) close() error {
	var errs []error
	if s.balancer != nil {
		errs = append(errs, s.balancer.Stop())
	}
	for _, n := range s.nodes {
		if n.cmd != nil {
			errs = append(errs, n.kill())
		}
	}
	for _, c := range []*testpg.Cluster{s.standby, s.primary} {
		if c != nil {
			errs = append(errs, c.Stop())
		}
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}

// drillNodes kills and stops nodes and databases under load.
func drillNodes(ctx context.Context, r *report) (err error) {
	s, err := openSite(ctx, builtProgram)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	mode, err := queryText(ctx, s.primary.URL("postgres"), "SELECT sync_state FROM pg_stat_replication")
	if err != nil || mode != "sync" {
		return errors.Join(fmt.Errorf("the standby is %q and not synchronous", mode), err)
	}
	s.audience = newAudience(ctx, s.url(), ears)
	defer s.audience.stop()
	c := newCrowd(ctx, s.url(), people)
	defer c.end()
	r.chapter(
		"Three nodes, HAProxy (retries 0), PostgreSQL with a synchronous standby, %d users at work, %d listeners",
		people, ears,
	)
	from := time.Now()
	if err := pause(ctx, settled); err != nil {
		return err
	}
	quiet := figuresOf(c.during(from, time.Now()))
	r.bar(quiet.failed == 0, "undisturbed: %s", quiet)
	for _, fault := range []func(context.Context, *report, *crowd) error{
		s.killNode, s.stopNode, s.killInRemoval, s.jobOutlivesNode, s.failover, s.unreachable,
	} {
		if err := fault(ctx, r, c); err != nil {
			return err
		}
	}
	c.end()
	r.chapter("Final state")
	lost, err := c.lost(ctx, s.standby.URL("postgres"))
	if err != nil {
		return err
	}
	r.bar(len(lost) == 0, "acknowledged: %d assignments, %d submissions, %d grades; lost: %d %v",
		len(c.assignments), len(c.submissions), len(c.grades), len(lost), lost[:min(len(lost), 5)])
	var faults []string
	for _, n := range s.nodes {
		faults = append(faults, n.log.faults(trouble)...)
	}
	r.bar(len(faults) == 0, "internal errors in the nodes' logs: %d %v", len(faults), faults[:min(len(faults), 5)])
	stale := 0
	for _, t := range c.tries {
		if t.what == "own write not read" {
			stale++
			r.say("%s: %v", t.at.Format(time.TimeOnly), t.err)
		}
	}
	if err := s.audience.end(ctx); err != nil {
		return err
	}
	missed, twice := s.audience.missed(c.assignments)
	_, resets := s.audience.during(time.Time{}, time.Now())
	r.bar(missed == 0 && twice == 0,
		"of %d assignments to each of %d listeners: %d neither heard nor covered by one of %d resets, %d heard twice",
		len(c.assignments), ears, missed, resets, twice)
	r.bar(stale == 0, "writes not found by their own writer: %d", stale)
	return nil
}

// killNode sends kill -9 to one of three nodes.
func (s *site) killNode(ctx context.Context, r *report, c *crowd) error {
	r.chapter("A node is killed (kill -9) and restarted")
	from := time.Now()
	if err := s.nodes[0].kill(); err != nil {
		return err
	}
	if err := pause(ctx, settled); err != nil {
		return err
	}
	f := figuresOf(c.during(from, time.Now()))
	r.say("%s", f)
	r.say("idempotent requests running on the node or sent to it before the balancer noticed: %d", f.idempotentFailed)
	r.bar(
		f.againFailed == 0, "idempotent requests that failed twice, with a retry after %s: %d", retryAfter, f.againFailed,
	)
	r.bar(f.failed == 0 || f.lastFailure.Sub(from) < time.Second, "last failure %s after the kill", since(from, f))
	s.audience.bar(r, from)
	return s.bringBack(ctx, r, c, 0)
}

// stopNode sends SIGTERM to one of three nodes.
func (s *site) stopNode(ctx context.Context, r *report, c *crowd) error {
	r.chapter("A node is stopped (SIGTERM, --drain %s) and restarted", drainTime)
	from := time.Now()
	if err := s.nodes[1].signal(syscall.SIGTERM); err != nil {
		return err
	}
	r.say("the node ended %s after SIGTERM", time.Since(from).Round(time.Millisecond))
	if err := pause(ctx, settled); err != nil {
		return err
	}
	f := figuresOf(c.during(from, time.Now()))
	r.bar(f.failed == 0, "%s", f)
	s.audience.bar(r, from)
	return s.bringBack(ctx, r, c, 1)
}

func (s *site) bringBack(ctx context.Context, r *report, c *crowd, i int) error {
	from := time.Now()
	if err := s.nodes[i].start(ctx); err != nil {
		return err
	}
	if err := pause(ctx, settled/2); err != nil {
		return err
	}
	f := figuresOf(c.during(from, time.Now()))
	r.bar(f.failed == 0, "after the restart: %s", f)
	return nil
}

// failover kills the primary and promotes the standby.
func (s *site) failover(ctx context.Context, r *report, c *crowd) error {
	r.chapter("The primary is killed (kill -9); the standby is promoted two seconds later")
	from := time.Now()
	if err := s.primary.Kill(); err != nil {
		return err
	}
	if err := pause(ctx, 2*time.Second); err != nil {
		return err
	}
	if err := s.standby.Promote(); err != nil {
		return err
	}
	promoted := time.Now()
	if err := pause(ctx, 2*settled); err != nil {
		return err
	}
	f := figuresOf(c.during(from, time.Now()))
	r.say("%s", f)
	r.bar(
		f.lastFailure.Sub(promoted) <= 3*time.Second, "last failure %s after the promotion",
		f.lastFailure.Sub(promoted).Round(time.Millisecond),
	)
	r.bar(f.slowest <= 5*time.Second, "slowest answer %s: nothing hangs", f.slowest.Round(time.Millisecond))
	after := figuresOf(c.during(promoted.Add(3*time.Second), time.Now()))
	r.bar(after.failed == 0 && after.requests > 0, "from 3 s after the promotion: %s", after)
	return nil
}

// unreachable freezes the database: connections stay open without answers.
func (s *site) unreachable(ctx context.Context, r *report, c *crowd) (err error) {
	r.chapter("The database does not answer for ten seconds; requests go to a node directly")
	if err := s.standby.Freeze(); err != nil {
		return err
	}
	frozen := true
	defer func() {
		if frozen {
			err = errors.Join(err, s.standby.Thaw())
		}
	}()
	one := &person{
		crowd: &crowd{url: s.nodes[2].url()}, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{}},
	}
	from, slowest, answers := time.Now(), time.Duration(0), map[int]int{}
	for i := 0; time.Since(from) < 10*time.Second; i++ {
		path := []string{"/api/assignments", "/api/assignment/nothing"}[i%2]
		t := one.once(ctx, path, http.MethodGet, path, nil, nil)
		answers[t.status]++
		slowest = max(slowest, t.done.Sub(t.at))
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	r.bar(slowest <= 5*time.Second && answers[http.StatusServiceUnavailable] > 0 &&
		len(answers) == 1, "answers by status %v, slowest %s", answers, slowest.Round(time.Millisecond))
	frozen = false
	if err := s.standby.Thaw(); err != nil {
		return err
	}
	t := one.once(ctx, "healed", http.MethodGet, "/api/assignments", nil, nil)
	r.bar(
		t.status == http.StatusOK, "first request after healing: %d in %s %v",
		t.status, t.done.Sub(t.at).Round(time.Millisecond), errorText(t.err),
	)
	healed := time.Now()
	if err := pause(ctx, settled); err != nil {
		return err
	}
	f := figuresOf(c.during(healed, time.Now()))
	r.say("through the balancer since then: %s", f)
	r.bar(
		f.failed == 0 || f.lastFailure.Sub(healed) <= 3*time.Second, "last failure there %s after healing", since(healed, f),
	)
	return nil
}

func since(from time.Time, f figures) string {
	if f.failed == 0 {
		return "none"
	}
	return f.lastFailure.Sub(from).Round(time.Millisecond).String()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
