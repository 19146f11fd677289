// Package peer starts the compared servers, fills them with the same content and describes how
// to ask each the same questions.
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

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/proc"
	"studycircle/proof/bench/internal/seed"
)

// startPatience is how long a server may take to answer, including preparations on a million
// rows.
const startPatience = 5 * time.Minute

// Server is a running server of the comparison.
type Server struct {
	Name string
	URL  string
	API  *API // nil without content
	// Program is the server itself. Costs are all processes that count as its processor time,
	// including a separate database.
	Program *proc.Process
	Costs   []*proc.Process

	tokens []string
	renew  func(ctx context.Context) ([]string, error)
	stop   []func() error // in reverse order of starting
}

// CPU returns the processor time used by the server's processes.
func (s *Server) CPU() (total time.Duration) {
	for _, p := range s.Costs {
		total += p.CPU()
	}
	return total
}

// Tokens are credentials by account, valid for at least 15 minutes after SignIn.
func (s *Server) Tokens() []string { return s.tokens }

// SignIn renews the credentials of all accounts.
func (s *Server) SignIn(ctx context.Context) (err error) {
	if s.renew != nil {
		s.tokens, err = s.renew(ctx)
	}
	return err
}

// Stop stops the server and what it needed.
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

// API describes a server's requests and answers. Paths are formats for a page's number, an
// assignment's number or a word.
type API struct {
	Page, Level, Search, One, Pending, Mine string
	// Requests to the product only: State takes a state and a page's number, Progress ids,
	// Results an assignment's id.
	State, Progress, Results, Dashboard string

	Create func(account, n int) load.Request
	Submit func(account int, assignment string, n int) load.Request
	Grade  func(submission string) load.Request
	// Made is the status of a create, Graded that of a grade.
	Made, Graded int
	// List parses an answer of Page, Level, Search, Pending or Mine.
	List func(load.Answer) (List, error)
}

// List is one page of a list. Titles are those of assignments, or of the assignments submitted
// to.
type List struct {
	IDs, Titles []string
	Total       int
}

// item has the field names common to all servers.
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

// createBody is the same for all servers.
func createBody(n int) map[string]any {
	return map[string]any{
		"title":       seed.NewTitle(n),
		"description": "One assignment more, while others do the same. Everybody who reads it knows how long the disk took.",
		"thumbnail":   "https://example.org/thumbnails/1.jpg", "marks": 60, "level": seed.Level(n),
		"dueDate": "2099-12-31T23:59:59Z",
	}
}

func body(content map[string]any) string {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err) // plain values always encode
	}
	return string(text)
}

// freeAddress returns an unused loopback address.
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

// Tree names the folders of the sources, the build and the data.
type Tree struct {
	Repository string // of the product
	Build      string // programs of the comparison
	Data       string // filled databases
}

// Program returns the path of the product's binary.
func (t Tree) Program() string { return filepath.Join(t.Repository, "bin", "studycircle") }

func (t Tree) built(name string) string { return filepath.Join(t.Build, name) }

func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...)
}
