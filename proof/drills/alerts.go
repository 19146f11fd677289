package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// quietFor is how long a service is used without a fault before the first one.
	quietFor = time.Minute
	// alertPatience is how long an alert may take besides its for, and to resolve.
	alertPatience = 100 * time.Second
	// holdFor is how long a fault lasts while all its alerts fire.
	holdFor = 10 * time.Second
	// tolerance is how much shorter a state may seem that is looked at every lookEvery.
	tolerance = 2 * time.Second
	// usersAtEach is the number of users at work on each node, each with a request after roundPause.
	usersAtEach = 2
	roundPause  = 300 * time.Millisecond
	// roundsOfAUser is the number of rounds after which a user is replaced by a new one, who gets an email.
	roundsOfAUser = 20
)

// causes are the faults of this drill, by alert.
var causes = map[string]string{
	"StudyCircleNodeDown":      "one of two nodes is killed",
	"StudyCircleErrors":        "PostgreSQL is away",
	"StudyCircleStateUnknown":  "PostgreSQL is away",
	"StudyCircleNotReady":      "a node starts while PostgreSQL is away",
	"StudyCircleMailsFail":     "the mail server refuses every email with 451",
	"StudyCircleJobsStuck":     "the mail server is silent; the due times of queued emails are set back by 11 minutes",
	"StudyCircleWALGrows":      "a read transaction stays open while users write",
	"StudyCircleSlow":          "another program holds the write lock for 1.3 s, again and again",
	"StudyCircleSheds":         "more clients search at once than can wait for a slot",
	"StudyCircleBackupOld":     "the disk of the backups is full; the names of the backups are set back by 49 hours",
	"StudyCircleNothingMarked": "a submission is left alone; its time is set back by 15 days",
}

// scene is a service with its own Prometheus. The scenes run at the same time.
type scene struct {
	name string
	dir  string
	// open starts the service and returns its faults, in the order in which they occur.
	open func(context.Context, *scene) ([]fault, error)

	*report
	rules      *rules
	dashboard  *dashboard
	nodes      []*node
	scraped    []string // the nodes' addresses for metrics
	prometheus *prometheus
	watch      *watch
	closers    []func() error
	resolved   []string // alerts that did all they must
}

// fault is something that breaks, and the alerts that must say so.
type fault struct {
	begin, end func(context.Context) error
	alerts     []expected
	// beside are alerts that the fault may cause too.
	beside []string
	// meanwhile, if not nil, is called while all alerts fire.
	meanwhile func(context.Context) error
}

// expected is an alert with its labels, besides severity and job.
type expected struct {
	alert  string
	labels map[string]string
}

// drillAlerts causes the fault of each alert of release/monitoring/alerts.yml, and checks in a real Prometheus that the
// alert fires and resolves. The expressions are the file's; only durations are shorter, see shortened.
func drillAlerts(ctx context.Context, r *report) (err error) {
	all, err := readRules()
	if err != nil {
		return err
	}
	if names := slices.Sorted(maps.Keys(causes)); !slices.Equal(names, all.names()) {
		return fmt.Errorf("%s has the alerts %v, and this drill knows faults for %v", rulesFile, all.names(), names)
	}
	panels, err := readDashboard()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	scenes := []*scene{
		{name: "two nodes on PostgreSQL", open: openTwoNodes},
		{name: "SQLite and a mail server", open: openMailing},
		{name: "SQLite with backups", open: openBackups},
		{name: "SQLite under load", open: openLoaded},
	}
	r.chapter("%d services, each with Debian's Prometheus, which scrapes and evaluates every second. Each for and range "+
		"of %s is divided by %d", len(scenes), rulesFile, shorter)
	var running sync.WaitGroup
	failures := make([]error, len(scenes))
	for i, s := range scenes {
		s.report, s.rules, s.dashboard, s.dir = &report{}, all, panels, filepath.Join(dir, fmt.Sprint(i))
		running.Go(func() {
			if err := s.run(ctx); err != nil {
				failures[i] = fmt.Errorf("%s: %w", s.name, err)
			}
		})
	}
	running.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	var fired []string
	for _, s := range scenes {
		r.missed += s.missed
		fired = append(fired, s.resolved...)
	}
	slices.Sort(fired)
	r.chapter("All services")
	r.bar(
		slices.Equal(fired, all.names()), "%d of %d alerts of %s fired and resolved: %s",
		len(fired), len(all.names()), rulesFile, strings.Join(fired, ", "),
	)
	panels.judge(r)
	return nil
}

// run starts a scene, uses it for a minute without a fault, and causes its faults.
func (s *scene) run(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer func() {
		stop()
		for _, c := range slices.Backward(s.closers) {
			err = errors.Join(err, c())
		}
	}()
	if err := os.Mkdir(s.dir, 0o755); err != nil { //nolint:gosec // PostgreSQL's user passes through it
		return err
	}
	faults, err := s.open(ctx, s)
	if err != nil {
		return err
	}
	if err := s.observe(ctx); err != nil {
		return err
	}
	for _, n := range s.nodes {
		c := ordinaryUse(ctx, n.url())
		s.closers = append(s.closers, func() error { c.end(); return nil })
	}
	if err := pause(ctx, quietFor); err != nil {
		return err
	}
	if fired := s.watch.fired(); len(fired) > 0 {
		s.bar(false, "%s: fire in a minute of ordinary use: %v", s.name, fired)
	} else {
		s.bar(true, "%s: no alert fires in a minute of ordinary use", s.name)
	}
	if err := s.dashboard.ask(ctx, s.prometheus, false); err != nil {
		return err
	}
	for _, f := range faults {
		if err := s.cause(ctx, f); err != nil {
			return fmt.Errorf("%s: %w", f.alerts[0].alert, err)
		}
	}
	return s.prometheus.checkRules(ctx)
}

// node starts a node of the scene, with a further address for metrics. flags are further ones of serve.
func (s *scene) node(ctx context.Context, flags ...string) (*node, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	n, err := newNode(builtProgram, s.dir, fmt.Sprint("node", len(s.nodes)+1), append(
		flags, "--rate-limits", "off", "--metrics-addr", address,
	)...)
	if err != nil {
		return nil, err
	}
	if err := n.start(ctx); err != nil {
		return nil, err
	}
	s.nodes, s.scraped = append(s.nodes, n), append(s.scraped, address)
	s.closers = append(s.closers, n.kill)
	return n, nil
}

// database opens the embedded database of a scene's first node, beside the node.
func (s *scene) database() string {
	return filepath.Join(s.dir, "node1", "studycircle.db") + "?_pragma=busy_timeout(10000)"
}

// observe starts the scene's Prometheus and follows its alerts.
func (s *scene) observe(ctx context.Context) (err error) {
	if s.prometheus, err = startPrometheus(ctx, s.dir, s.rules, s.scraped); err != nil {
		return err
	}
	s.closers = append(s.closers, s.prometheus.kill)
	s.watch = newWatch(ctx, s.prometheus)
	s.closers = append(s.closers, s.watch.end)
	return nil
}

// ordinaryUse starts users who do the main job at their leisure until ctx ends.
func ordinaryUse(ctx context.Context, url string) *crowd {
	c := newCrowd(ctx, url, 0)
	for i := range usersAtEach {
		c.done.Go(func() {
			p := userOf(c, i)
			for round := 0; ctx.Err() == nil; round++ {
				if round%roundsOfAUser == 0 {
					p.register(ctx)
				}
				if p.token != "" {
					p.round(ctx)
				}
				_ = pause(ctx, roundPause) // ends with ctx
			}
		})
	}
	return c
}

// userOf returns a user of a crowd with a connection of their own.
func userOf(c *crowd, number int) *person {
	return &person{crowd: c, number: number, client: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}}
}

// cause lets a fault occur and end, and checks its alerts.
func (s *scene) cause(ctx context.Context, f fault) error {
	s.watch.forget()
	began := time.Now()
	if err := f.begin(ctx); err != nil {
		return errors.Join(err, f.end(context.WithoutCancel(ctx)))
	}
	fires := make([]*sighting, len(f.alerts))
	for i, e := range f.alerts {
		there := func() bool { fires[i] = s.watch.firing(s.labels(e)); return fires[i] != nil }
		if err := s.watch.await(ctx, s.rules.of(e.alert).waits()+alertPatience, there); err != nil {
			return errors.Join(err, f.end(context.WithoutCancel(ctx)))
		}
	}
	err := pause(ctx, holdFor)
	if err == nil && f.meanwhile != nil {
		err = f.meanwhile(ctx)
	}
	if err != nil {
		return errors.Join(err, f.end(context.WithoutCancel(ctx)))
	}
	ended := time.Now()
	if err := f.end(ctx); err != nil {
		return err
	}
	if err := s.watch.await(ctx, alertPatience, s.watch.calm); err != nil {
		return err
	}
	others := s.watch.fired()
	for i, e := range f.alerts {
		if fires[i] == nil {
			s.bar(
				false, "%s: %s; it does not fire with the labels %v. Prometheus has shown:\n%s",
				e.alert, causes[e.alert], s.labels(e), s.watch,
			)
		} else {
			s.judge(e, fires[i], began, ended)
		}
		others = slices.DeleteFunc(others, func(name string) bool { return name == e.alert })
	}
	if len(others) > 0 {
		expected := !slices.ContainsFunc(others, func(name string) bool { return !slices.Contains(f.beside, name) })
		s.bar(expected, "beside it fired: %s", strings.Join(others, ", "))
	}
	return nil
}

// labels returns all labels of an alert.
func (s *scene) labels(e expected) map[string]string {
	all := map[string]string{"alertname": e.alert, "job": jobName}
	maps.Copy(all, s.rules.of(e.alert).Labels)
	maps.Copy(all, e.labels)
	return all
}

// judge reports what an alert did.
func (s *scene) judge(e expected, g *sighting, began, ended time.Time) {
	rule := s.rules.of(e.alert)
	problems := rule.misrendered(g.last)
	pending := "no for"
	if rule.For != "" {
		pending = "pending " + seconds(g.pending.Sub(began))
		if waited := g.firing.Sub(g.pending); g.pending.IsZero() || waited < rule.waits()-tolerance {
			problems = append(problems, fmt.Sprintf("pending for %s, not %s", seconds(waited), seconds(rule.waits())))
		}
	}
	gone := "not resolved"
	switch {
	case g.gone.IsZero():
		problems = append(problems, fmt.Sprintf("it still fires %s after the end", alertPatience))
	case g.gone.Before(ended):
		gone = "gone before the end"
		problems = append(problems, gone)
	default:
		gone = fmt.Sprintf("resolved %s after the end", seconds(g.gone.Sub(ended)))
	}
	if g.returned > 0 {
		problems = append(problems, fmt.Sprintf("it returned %d times", g.returned))
	}
	s.bar(len(problems) == 0, "%s: %s; %s, firing %s, %s: %q%s", e.alert, causes[e.alert], pending,
		seconds(g.firing.Sub(began)), gone,
		g.last.Annotations["summary"], strings.Join(append([]string{""}, problems...), "; "))
	if len(problems) == 0 {
		s.resolved = append(s.resolved, e.alert)
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
