// Package bench measures the servers side by side.
package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/proc"
	"studycircle/proof/bench/internal/report"
	"studycircle/proof/bench/internal/seed"
)

const (
	clients = 64

	// A server slower than slow for a single answer is asked by one client per core, and their
	// last answers are awaited. With 64 clients a round would end before each has an answer.
	slow        = 50 * time.Millisecond
	slowClients = 2
)

// Options configure a run.
type Options struct {
	Tree   peer.Tree
	Seed   uint64
	Sizes  []int // numbers of assignments, ascending; the table uses the last
	Rounds int
	Round  time.Duration // a whole number of seconds
	Quick  bool
	Only   []string // names of rows; empty means all
	Growth bool
	Alone  bool // growth only, without the table
	Say    func(string)
}

// run measures one size.
type run struct {
	Options
	set     seed.Set
	round   time.Duration
	dir     string
	servers map[string]*peer.Server
	serials map[string]*atomic.Int64
	memory  map[string]report.Memory
}

// Fill fills the databases of all sizes as far as necessary.
func Fill(ctx context.Context, o Options, engines []string) error {
	for _, size := range o.Sizes {
		for _, engine := range engines {
			if err := o.Tree.Fill(ctx, seed.Set{Seed: o.Seed, Size: size}, engine, o.Say); err != nil {
				return err
			}
		}
	}
	return nil
}

// Run measures all sizes.
func Run(ctx context.Context, o Options, version string) (*report.Results, error) {
	engines := peer.Engines
	if o.Alone {
		engines = own
	}
	if err := Fill(ctx, o, engines); err != nil {
		return nil, err
	}
	stolen := proc.Stolen()
	results := &report.Results{
		When: time.Now().UTC().Truncate(time.Second), Version: version, Quick: o.Quick, Size: o.Sizes[len(o.Sizes)-1],
		Rounds:  o.Rounds,
		Seconds: o.Round.Seconds(), Machine: proc.ThisMachine(), Noise: report.Noise{LoadBefore: proc.LoadAverage()},
	}
	for i, size := range o.Sizes {
		last := i == len(o.Sizes)-1
		r := &run{Options: o, set: seed.Set{Seed: o.Seed, Size: size}, round: o.Round,
			servers: map[string]*peer.Server{}, serials: map[string]*atomic.Int64{}, memory: map[string]report.Memory{}}
		if err := r.measure(ctx, results, last && !o.Alone); err != nil {
			return nil, err
		}
	}
	results.Noise.LoadAfter, results.Noise.Stolen = proc.LoadAverage(), stolen()
	results.Measured()
	return results, nil
}

// measure works on copies of the filled databases and removes them.
func (r *run) measure(ctx context.Context, results *report.Results, table bool) (err error) {
	if r.dir, err = os.MkdirTemp(r.Tree.Work(), "run-"); err != nil {
		return err
	}
	if err := os.Chmod(r.dir, 0o755); err != nil { // PostgreSQL runs as another user
		return err
	}
	defer func() { err = errors.Join(err, r.stop(), os.RemoveAll(r.dir)) }()
	engines := peer.Engines
	if !table {
		engines = []string{report.SQLite, report.Postgres}
	}
	r.Say(fmt.Sprintf("%d assignments: copying the filled databases", r.set.Size))
	for _, engine := range engines {
		if err := r.Tree.Copy(ctx, r.set, engine, filepath.Join(r.dir, engine)); err != nil {
			return err
		}
	}
	if err := peer.Warm(r.dir); err != nil {
		return err
	}
	if table {
		if err := r.table(ctx, results); err != nil {
			return err
		}
	}
	if !r.Growth {
		return nil
	}
	return r.growth(ctx, results)
}

func (r *run) table(ctx context.Context, results *report.Results) error {
	if len(r.Only) == 0 {
		if err := r.startTimes(ctx, results); err != nil {
			return err
		}
	}
	if err := r.start(ctx, report.SQLite, report.Postgres, report.PocketBase); err != nil {
		return err
	}
	rows := r.rows()
	static, err := r.staticRows(ctx)
	if err != nil {
		return err
	}
	// Rows that write come last.
	at := slices.IndexFunc(rows, func(row row) bool { return row.call != nil })
	rows = slices.Insert(rows, at, static...)
	rows = r.wanted(rows)
	if err := r.startFloor(ctx, rows); err != nil {
		return err
	}
	for _, row := range rows {
		measured, err := r.row(ctx, row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.title, err)
		}
		results.Rows = append(results.Rows, measured)
	}
	if err := r.stop(); err != nil {
		return err
	}
	results.Memory = maps.Clone(r.memory)
	return nil
}

// startTimes measures the time from start to the first answer.
func (r *run) startTimes(ctx context.Context, results *report.Results) error {
	var times []float64
	for range r.Rounds {
		took, err := r.Tree.TimeToAnswer(ctx, filepath.Join(r.dir, report.SQLite))
		if err != nil {
			return err
		}
		times = append(times, float64(took.Milliseconds()))
	}
	results.Start = report.Median(times)
	return nil
}

func (r *run) wanted(rows []row) []row {
	if len(r.Only) == 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(row row) bool { return !slices.Contains(r.Only, row.name) })
}

// row measures one row. The servers take turns in each round.
func (r *run) row(ctx context.Context, row row) (report.Row, error) {
	measured := report.Row{Name: row.name, Title: row.title, Measures: map[string]report.Measure{}}
	r.Say(row.title)
	many := map[string]int{}
	for _, name := range row.on {
		if r.servers[name] == nil {
			if err := r.start(ctx, name); err != nil {
				return measured, err
			}
		}
		n, err := r.prepare(ctx, row, r.servers[name])
		if err != nil {
			return measured, err
		}
		many[name] = n
	}
	rounds := map[string][]load.Round{}
	costs := map[string][]float64{}
	var syncs []float64
	for number := range r.Rounds {
		if slices.Contains(row.on, report.PocketBaseFull) {
			rate, err := proc.SyncRate(r.dir, r.round/2)
			if err != nil {
				return measured, err
			}
			syncs = append(syncs, rate)
		}
		for _, name := range row.on {
			s := r.servers[name]
			r.awaitIdle()
			before := s.CPU()
			round, err := r.runRound(ctx, row, s, many[name], number)
			if err != nil {
				return measured, err
			}
			rounds[name] = append(rounds[name], round)
			costs[name] = append(costs[name], micros(s.CPU()-before)/float64(max(1, round.Requests)))
		}
	}
	measured.SyncRate = report.Median(syncs)
	for _, name := range row.on {
		m := summary(rounds[name], many[name])
		m.CPU = report.Median(costs[name])
		measured.Measures[name] = m
		r.Say(fmt.Sprintf("  %-28s %8.0f/s  p50 %8.0f µs  p99 %8.0f µs  CPU %7.1f µs  errors "+
			"%d", report.Names[name], m.Rate, m.P50, m.P99, m.CPU, m.Errors))
		for _, round := range rounds[name] {
			if round.Problem != nil {
				r.Say("    " + strings.ReplaceAll(fmt.Sprintf("%.600s", round.Problem.Error()), "\n", "\n    "))
				break
			}
		}
	}
	return measured, nil
}

// prepare signs in again, checks a few answers and returns the number of clients for the
// server.
func (r *run) prepare(ctx context.Context, row row, s *peer.Server) (int, error) {
	if row.call != nil {
		return row.call(r, s).Clients, s.SignIn(ctx)
	}
	if s.API == nil { // it serves a single answer
		return clients, nil
	}
	if err := s.SignIn(ctx); err != nil {
		return 0, err
	}
	if _, err := row.read.sample(ctx, r, s); err != nil {
		return 0, err
	}
	start := time.Now()
	if _, err := row.read.sample(ctx, r, s); err != nil {
		return 0, err
	}
	if time.Since(start) > 5*slow {
		return slowClients, nil
	}
	return clients, nil
}

// runRound runs one round of a row on a server.
func (r *run) runRound(ctx context.Context, row row, s *peer.Server, many, number int) (load.Round, error) {
	if row.call != nil {
		calls := row.call(r, s)
		return load.Send(ctx, calls)
	}
	if q := row.read; many == slowClients {
		next := func() load.Request { return q.request(s, q.number()) }
		return load.Send(ctx, load.Calls{URL: s.URL, Clients: many, For: r.round, Next: next,
			Check: func(a load.Answer) error { return checkFound(r, s, a) }})
	}
	q := row.read
	reads := load.Reads{
		URL: s.URL, Low: q.low, High: q.high, Clients: many, For: r.round, Seed: number + 1, Header: map[string]string{},
	}
	for name, value := range q.header {
		reads.Header[name] = value
	}
	switch {
	case s.API != nil:
		reads.Path = q.path(s.API)
		if q.signedIn {
			reads.Header["Authorization"] = "Bearer " + s.Tokens()[0]
		}
	case s.Name == report.Floor && q.high > 0:
		reads.Path = "/" + row.name + "?n=%d"
	case s.Name == report.Floor:
		reads.Path = "/" + row.name
	default:
		reads.Path = q.path(nil)
	}
	return load.Wrk(ctx, reads)
}

// next numbers the requests to a server across all rounds.
func (r *run) next(s *peer.Server, what string) func() int {
	key := s.Name + " " + what
	if s.Name == report.PocketBaseFull { // shares PocketBase's data
		key = report.PocketBase + " " + what
	}
	if r.serials[key] == nil {
		r.serials[key] = new(atomic.Int64)
	}
	serial := r.serials[key]
	return func() int { return int(serial.Add(1) - 1) }
}

func summary(rounds []load.Round, many int) report.Measure {
	m := report.Measure{Clients: many}
	var p50, p99 []float64
	for _, round := range rounds {
		m.Errors += round.Errors
		m.Rates = append(m.Rates, round.Rate())
		if round.Requests > 0 {
			p50, p99 = append(p50, micros(round.P50)), append(p99, micros(round.P99))
		}
	}
	m.P50, m.P99 = report.Median(p50), report.Median(p99)
	if many > 1 { // with one client, time counts instead
		m.Rate = report.Median(m.Rates)
	} else {
		m.Rates = nil
	}
	return m
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
