// Package peer starts the servers of the comparison, fills them with the same
// content and says how each is asked the same things.
package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"time"

	"studycircle/bench/internal/load"
	"studycircle/bench/internal/proc"
	"studycircle/bench/internal/seed"
)

// startPatience is how long a server may take to answer, its own preparations
// on a million rows included.
const startPatience = 5 * time.Minute

// Server is one of those compared, running.
type Server struct {
	Name string
	URL  string
	API  *API // nil where it knows no content
	// Program is the server itself. Costs are all processes whose processor time
	// its answers take: a database of its own process counts.
	Program *proc.Process
	Costs   []*proc.Process

	tokens []string
	renew  func(ctx context.Context) ([]string, error)
	stop   []func() error // last first
}

// CPU is the processor time that the server's processes have used.
func (s *Server) CPU() (total time.Duration) {
	for _, p := range s.Costs {
		total += p.CPU()
	}
	return total
}

// Tokens are the accounts' credentials, by account. They live a quarter of an
// hour or longer from SignIn.
func (s *Server) Tokens() []string { return s.tokens }

// SignIn gets fresh credentials for all accounts.
func (s *Server) SignIn(ctx context.Context) (err error) {
	if s.renew != nil {
		s.tokens, err = s.renew(ctx)
	}
	return err
}

// Stop ends the server and what it needed.
func (s *Server) Stop() error {
	var failed error
	for i := len(s.stop) - 1; i >= 0; i-- {
		if err := s.stop[i](); err != nil && failed == nil {
			failed = err
		}
	}
	s.stop = nil
	return failed
}

// API is how a server is asked and what its answers mean. Paths are formats: of
// a page's number, of an assignment's number, of a word.
type API struct {
	Page, Level, Search, One, Pending, Mine string
	// What the product alone is asked: State of a state and a page's number, Progress of
	// ids, Results of an assignment's id.
	State, Progress, Results, Dashboard string

	Create func(account, n int) load.Request
	Submit func(account int, assignment string, n int) load.Request
	Grade  func(submission string) load.Request
	// Made is the status of a create, Graded that of a grade.
	Made, Graded int
	// List reads an answer of Page, Level, Search, Pending or Mine.
	List func(load.Answer) (List, error)
}

// List is one page of a list in a server's answer. Titles are those of
// assignments, or of the assignments submitted to.
type List struct {
	IDs, Titles []string
	Total       int
}

// item is what all servers call the same.
type item struct {
	ID         string `json:"id"`
	UnderID    string `json:"_id"`
	Title      string `json:"title"`
	Assignment string `json:"assignmentTitle"`
}

func listOf(items []item, total int) List {
	list := List{Total: total}
	for _, i := range items {
		list.IDs = append(list.IDs, i.ID+i.UnderID)
		list.Titles = append(list.Titles, i.Title+i.Assignment)
	}
	return list
}

// createBody is the same for all.
func createBody(n int) map[string]any {
	return map[string]any{
		"title":       seed.NewTitle(n),
		"description": "One assignment more, while others do the same. Everybody who reads it knows how long the disk took.",
		"thumbnail":   "https://example.org/thumbnails/1.jpg", "marks": 60, "level": seed.Level(n), "dueDate": "2099-12-31T23:59:59Z",
	}
}

func body(content map[string]any) string {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err) // plain values
	}
	return string(text)
}

// freeAddress is a loopback address that nobody listens on now.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// awaitAnswer waits until a server answers a path with 200.
func awaitAnswer(ctx context.Context, p *proc.Process, base, path string) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		answer, _, err := load.Once(ctx, base, load.Request{Method: http.MethodGet, Path: path}, nil)
		if err == nil && answer.Status == http.StatusOK {
			return nil
		}
		select {
		case <-p.Ended():
			return fmt.Errorf("%s ended:\n%s", base, p.Output())
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer %s: %w\n%s", base, path, ctx.Err(), p.Output())
		case <-time.After(time.Millisecond):
		}
	}
}

// Tree is where this module, what is built and the data are.
type Tree struct {
	Repository string // the product's
	Build      string // programs of the comparison
	Data       string // filled databases
}

// Program is the product's.
func (t Tree) Program() string { return filepath.Join(t.Repository, "bin", "studycircle") }

func (t Tree) built(name string) string { return filepath.Join(t.Build, name) }

func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...)
}
