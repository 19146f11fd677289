package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// honestUsers is the number of signed-in users. As many visitors read beside them, each from
// their own address, one request per pace.
const (
	honestUsers = 8
	honestPace  = 50 * time.Millisecond
	alivePace   = 20 * time.Millisecond
)

// assignments is the number of assignments.
const assignments = 2000

// fillAssignments imports assignments and returns their ids.
func fillAssignments(ctx context.Context, program, dir, data string) (ids []string, err error) {
	from := filepath.Join(dir, "import")
	if err := os.Mkdir(from, 0o700); err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	for n := range assignments {
		ids = append(ids, fmt.Sprintf("drill%05d", n))
		if err := out.Encode(map[string]any{
			"_id": ids[n], "title": fmt.Sprint("Assignment ", n), "description": strings.Repeat("Words to read. ", 200),
			"marks": 20, "thumbnail": "https://example.org/t.png", "level": "easy", "dueDate": "2199-01-01",
		}); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(from, "assignments.jsonl"), lines.Bytes(), 0o600); err != nil {
		return nil, err
	}
	return ids, run(ctx, nil, program, "import", "--data", data, from)
}

// signUp registers users, several per address because of the limits.
func (f *field) signUp(ctx context.Context) error {
	for n := range honestUsers {
		p := &person{crowd: &crowd{url: f.url()}, number: n, client: client(200 + n)}
		p.register(ctx)
		if p.token == "" {
			return errors.New("registration fails")
		}
		f.users = append(f.users, p)
	}
	return nil
}

// client sends requests from the nth address over its own connection.
func client(n int) *http.Client {
	return &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DialContext: from(n).DialContext}}
}

// honest records what honest users got.
type honest struct {
	beside string
	mu     sync.Mutex
	waits  []time.Duration
	lives  []time.Duration
	failed int
	kinds  map[string]int // failures, by request and status
	memory int64
}

func (h *honest) share() float64 {
	return float64(len(h.waits)) / float64(max(1, len(h.waits)+h.failed))
}

func (h *honest) p(percent int) time.Duration { return percentile(h.waits, percent) }

// alive returns the 99th percentile of /livez.
func (h *honest) alive() time.Duration { return percentile(h.lives, 99) }

func percentile(of []time.Duration, percent int) time.Duration {
	if len(of) == 0 {
		return time.Hour
	}
	sorted := slices.Sorted(slices.Values(of))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// measure runs honest users for a while.
func (f *field) measure(ctx context.Context, d time.Duration) *honest {
	ctx, stop := context.WithTimeout(ctx, d)
	defer stop()
	h := &honest{kinds: map[string]int{}}
	var all sync.WaitGroup
	every := func(pace time.Duration, do func(n int)) {
		all.Go(func() {
			tick := time.NewTicker(pace)
			defer tick.Stop()
			for n := 0; ctx.Err() == nil; n++ {
				do(n)
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
		})
	}
	for n, user := range f.users {
		user := &person{crowd: user.crowd, token: user.token, email: user.email, client: client(200 + n)}
		every(honestPace, func(round int) { f.work(h, user, round) })
		visitor := &person{crowd: user.crowd, client: client(220 + n)}
		every(honestPace, func(round int) { f.look(h, visitor, round) })
	}
	probe := &person{crowd: &crowd{url: f.url()}, client: client(240)}
	every(alivePace, func(int) {
		began := time.Now()
		if status, err := probe.send(http.MethodGet, "/livez", nil, nil); err != nil || status != http.StatusOK {
			began = began.Add(-5 * time.Second)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.lives = append(h.lives, time.Since(began))
		h.memory = max(h.memory, f.rssAnon())
	})
	all.Wait()
	return h
}

// note sends a request and records the result.
func (h *honest) note(p *person, method, path string, body any, want int) {
	began := time.Now()
	status, err := p.send(method, path, body, nil)
	took := time.Since(began)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && status == want {
		h.waits = append(h.waits, took)
		return
	}
	h.failed++
	kind, _, _ := strings.Cut(path, "?")
	kind, _, _ = strings.Cut(kind, "drill") // the assignment does not matter
	h.kinds[fmt.Sprint(method, " ", kind, " ", status)]++
}

// work is what users do: read, publish and search.
func (f *field) work(h *honest, p *person, round int) {
	switch round % 6 {
	case 0:
		h.note(p, http.MethodPost, "/api/assignments", assignment("Short."), http.StatusCreated)
	case 3:
		h.note(p, http.MethodPost, "/api/assignments", assignment(strings.Repeat("Длинно. ", 1200)), http.StatusCreated)
	case 1:
		h.note(p, http.MethodGet, "/api/submissions?status=pending", nil, http.StatusOK)
	case 4:
		h.note(p, http.MethodGet, "/api/submissions?submittedBy="+p.email, nil, http.StatusOK)
	default:
		h.note(p, http.MethodGet, "/api/assignment/"+f.ids[rand.IntN(len(f.ids))], nil, http.StatusOK)
	}
}

func assignment(description string) map[string]any {
	return map[string]any{
		"title": "Beside an attack", "description": description, "marks": 20, "level": "easy",
		"thumbnail": "https://example.org/t.png", "dueDate": time.Now().AddDate(0, 0, 10).Format(time.DateOnly),
	}
}

// look is what visitors do.
func (f *field) look(h *honest, p *person, round int) {
	paths := []string{
		"/", "/api/assignments", "/assignments", "/assignment/" + f.ids[rand.IntN(len(f.ids))], "/api/assignments?page=2",
	}
	h.note(p, http.MethodGet, paths[round%len(paths)], nil, http.StatusOK)
}

// rssAnon returns the node's anonymous memory in bytes, or 0 if unavailable.
func (n *node) rssAnon() int64 {
	text, err := os.ReadFile(fmt.Sprint("/proc/", n.cmd.Process.Pid, "/status"))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), "RssAnon:"); found {
			kilobytes, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64) // the kernel's own number
			return kilobytes << 10
		}
	}
	return 0
}
