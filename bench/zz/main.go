package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"studycircle/bench/internal/load"
	"studycircle/bench/internal/peer"
	"studycircle/bench/internal/proc"
	"studycircle/bench/internal/seed"
)

type server struct {
	url    string
	p      *proc.Process
	tokens []string
	name   string
	pid    int
	us, rps, p50 map[string][]float64
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func start(bin, dir string, env []string) *server {
	ctx := context.Background()
	cmd := exec.Command(bin, "serve", "--addr", "127.0.0.1:0", "--rate-limits=off", "--data", dir)
	cmd.Env = append(os.Environ(), env...)
	p, err := proc.Start(cmd)
	must(err)
	c, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	url, err := p.Await(c, "is ready at ")
	must(err)
	s := &server{url: url, p: p, pid: cmd.Process.Pid, us: map[string][]float64{}, rps: map[string][]float64{}, p50: map[string][]float64{}}
	for n := range seed.Accounts {
		b, _ := json.Marshal(map[string]any{"email": seed.Account(n).Email, "password": seed.Password})
		a, _, err := load.Once(ctx, url, load.Request{Method: "POST", Path: "/api/auth/login", Body: string(b)}, nil)
		must(err)
		var u struct{ AccessToken string }
		must(json.Unmarshal(a.Body, &u))
		s.tokens = append(s.tokens, u.AccessToken)
	}
	return s
}

var serial = atomic.Int64{}

func (s *server) run(row string, clients, size int, d time.Duration, off int64) load.Round {
	ctx := context.Background()
	base := off
	n := func() int { return int(serial.Add(1) + base) }
	check := func(st int) func(load.Answer) error {
		return func(a load.Answer) error {
			if a.Status != st {
				return fmt.Errorf("status %d %.200s", a.Status, a.Body)
			}
			return nil
		}
	}
	c := load.Calls{URL: s.url, Clients: clients, For: d}
	api := peer.Ours
	wrk := func(path string, low, high int, tok bool) load.Round {
		h := map[string]string{}
		if tok {
			h["Authorization"] = "Bearer " + s.tokens[0]
		}
		r, err := load.Wrk(ctx, load.Reads{URL: s.url, Path: path, Low: low, High: high, Header: h, Clients: clients, For: d, Seed: int(time.Now().UnixNano() % 1000)})
		must(err)
		return r
	}
	switch row {
	case "list-first":
		return wrk("/api/assignments?page=1", 0, 0, false)
	case "list-random":
		return wrk(api.Page, 1, size/10, false)
	case "list-level":
		return wrk(api.Level, 1, size/30, false)
	case "one":
		return wrk(api.One, 0, size-1, false)
	case "pending":
		return wrk(fmt.Sprintf(api.Pending, 1), 0, 0, true)
	case "pending-random":
		return wrk(api.Pending, 1, size/20, true)
	case "rare":
		c.Next = func() load.Request {
			return load.Request{Method: "GET", Path: fmt.Sprintf(api.Search, seed.RareWord(n()%199))}
		}
		c.Check = check(200)
		c.Count = 150
	case "common":
		var words []string
		for _, w := range seed.CommonWords {
			for l := 4; l <= len(w); l++ {
				words = append(words, w[:l])
			}
		}
		c.Next = func() load.Request {
			return load.Request{Method: "GET", Path: fmt.Sprintf(api.Search, words[n()%len(words)])}
		}
		c.Check = check(200)
		c.Count = 30
	case "create", "fresh":
		next := func() load.Request {
			k := n()
			r := api.Create(k%seed.Accounts, k)
			r.Token = s.tokens[k%seed.Accounts]
			return r
		}
		c.Next, c.Check = next, check(api.Made)
		if row == "fresh" {
			c.Before = next
			c.Next = func() load.Request { return load.Request{Method: http.MethodGet, Path: "/api/assignments?page=1"} }
			c.Check = check(200)
		}
	case "submit":
		c.Next = func() load.Request {
			k := n()
			acc := k % seed.Accounts
			r := api.Submit(acc, fmt.Sprintf(seed.AssignmentID, size-1-k/seed.Accounts), k)
			r.Token = s.tokens[acc]
			return r
		}
		c.Check = check(api.Made)
	case "grade":
		c.Next = func() load.Request {
			k := n()
			r := api.Grade(fmt.Sprintf(seed.SubmissionID, k*seed.PerAssignment))
			r.Token = s.tokens[k%seed.Accounts]
			return r
		}
		c.Check = check(api.Graded)
	default:
		panic(row)
	}
	r, err := load.Send(ctx, c)
	must(err)
	return r
}

func main() {
	bins := flag.String("bin", "", "bin:dir[:ENV=..] , ...")
	rows := flag.String("rows", "list-random", "")
	clients := flag.Int("clients", 64, "")
	size := flag.Int("size", 1000000, "")
	d := flag.Duration("for", 2*time.Second, "")
	rounds := flag.Int("rounds", 1, "")
	perf := flag.String("perf", "", "perf data of the first bin")
	off := flag.Int64("off", 0, "serial offset")
	warm := flag.Bool("warm", false, "")
	fresh := flag.Bool("restart", false, "restart servers each round")
	flag.Parse()
	var servers []*server
	begin := func(i int, spec string) *server {
		f := strings.Split(spec, ":")
		s := start(f[0], f[1], f[2:])
		s.name = fmt.Sprintf("%d %s", i, strings.Join(f, " "))
		return s
	}
	specs := strings.Split(*bins, ",")
	for i, spec := range specs {
		servers = append(servers, begin(i, spec))
	}
	offs := make([]int64, len(servers))
	for round := -1; round < *rounds; round++ {
		if round < 0 && !*warm {
			continue
		}
		for _, row := range strings.Split(*rows, ",") {
			order := make([]int, len(servers))
			for i := range order {
				order[i] = (i + round + 1) % len(servers)
			}
			for _, i := range order {
				s := servers[i]
				if *fresh {
					must(s.p.Stop())
					n := begin(i, specs[i])
					s.p, s.url, s.tokens, s.pid = n.p, n.url, n.tokens, n.pid
				}
				serial.Store(offs[i])
				var pc *exec.Cmd
				if *perf != "" && i == 0 {
					pc = exec.Command("perf", "record", "-F", "999", "-g", "-o", *perf, "-p", fmt.Sprint(s.pid))
					must(pc.Start())
					time.Sleep(300 * time.Millisecond)
				}
				before := s.p.CPU()
				r := s.run(row, *clients, *size, *d, *off)
				cpu := s.p.CPU() - before
				offs[i] = serial.Load()
				if pc != nil {
					_ = pc.Process.Signal(os.Interrupt)
					_ = pc.Wait()
				}
				if round < 0 {
					continue
				}
				us := float64(cpu.Microseconds()) / float64(max(1, r.Requests))
				s.us[row] = append(s.us[row], us)
				s.rps[row] = append(s.rps[row], r.Rate())
				s.p50[row] = append(s.p50[row], float64(r.P50.Microseconds()))
				fmt.Printf("%-16s %-60s n %6d  %8.0f/s p50 %6d p99 %7d CPU %7.1f µs  err %d %v mem %d MB\n", row, s.name, r.Requests, r.Rate(), r.P50.Microseconds(), r.P99.Microseconds(), us, r.Errors, r.Problem, s.p.PeakMemory()>>20)
			}
		}
	}
	fmt.Println("--- medians (min)")
	for _, row := range strings.Split(*rows, ",") {
		for _, s := range servers {
			m, lo := med(s.us[row])
			rp, _ := med(s.rps[row])
			p, _ := med(s.p50[row])
			fmt.Printf("%-16s %-60s CPU %7.1f (%7.1f) µs  %8.0f/s p50 %6.0f\n", row, s.name, m, lo, rp, p)
		}
	}
	for _, s := range servers {
		must(s.p.Stop())
	}
}

func med(x []float64) (float64, float64) {
	y := append([]float64{}, x...)
	for i := range y {
		for j := i + 1; j < len(y); j++ {
			if y[j] < y[i] {
				y[i], y[j] = y[j], y[i]
			}
		}
	}
	return y[len(y)/2], y[0]
}
