package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/proc"
	"studycircle/proof/bench/internal/seed"
)

// Ours is the product's API.
var Ours = &API{
	Page: "/api/assignments?page=%d", Level: "/api/assignments?level=medium&page=%d", Search: "/api/assignments?search=%s",
	One:     "/api/assignment/" + seed.AssignmentID,
	Pending: "/api/submissions?status=pending&limit=10&page=%d",
	Mine:    "/api/submissions?submittedBy=" + escape(seed.Account(0).Email) + "&limit=10&page=%d",
	State:   "/api/assignments?state=%s&page=%d", Progress: "/api/progress?assignments=%s",
	Results: "/api/assignment/%s/submissions", Dashboard: "/api/dashboard",
	Create: func(_, n int) load.Request {
		return load.Request{Method: http.MethodPost, Path: "/api/assignments", Body: body(createBody(n))}
	},
	Submit: func(_ int, assignment string, n int) load.Request {
		return load.Request{Method: http.MethodPost, Path: "/api/submissions", Body: body(map[string]any{
			"assignmentId": assignment, "docsLink": docsLink(n), "note": "Please be kind.",
		})}
	},
	Grade: func(submission string) load.Request {
		return load.Request{Method: http.MethodPatch, Path: "/api/submissions/" + submission, Body: body(map[string]any{
			"marks": 7, "feedback": "Well done, all of it.",
		})}
	},
	Made: http.StatusCreated, Graded: http.StatusOK,
	List: func(a load.Answer) (List, error) {
		var list struct {
			Data       []item
			Pagination struct{ Total int }
		}
		if strings.HasPrefix(string(a.Body), "[") { // submissions
			if err := json.Unmarshal(a.Body, &list.Data); err != nil {
				return List{}, err
			}
			_, err := fmt.Sscan(a.Header.Get("X-Total-Count"), &list.Pagination.Total)
			return listOf(list.Data, list.Pagination.Total), err
		}
		err := json.Unmarshal(a.Body, &list)
		return listOf(list.Data, list.Pagination.Total), err
	},
}

func docsLink(n int) string { return fmt.Sprintf("https://docs.example.org/document/d/%d/edit", n) }

// StartSQLite starts the product on the embedded database in dir.
func (t Tree) StartSQLite(ctx context.Context, dir string) (*Server, error) {
	return t.startOurs(ctx, "sqlite", "--data", dir)
}

// StartPostgres starts the product on its own PostgreSQL in dir. Emails would be written there
// too, but none are sent.
func (t Tree) StartPostgres(ctx context.Context, dir string) (*Server, error) {
	cluster, err := startCluster(ctx, dir)
	if err != nil {
		return nil, err
	}
	s, err := t.startOurs(ctx, "postgres", "--data", dir, "--database", cluster.url())
	if err != nil {
		return nil, errors.Join(err, cluster.stop())
	}
	s.Costs = append(s.Costs, cluster.process)
	s.stop = append([]func() error{cluster.stop}, s.stop...)
	return s, nil
}

func (t Tree) startOurs(ctx context.Context, name string, where ...string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--rate-limits=off"}, where...)
	cmd := command(ctx, t.Program(), args...)
	// No requests to other hosts. Older programs ignore the variable.
	cmd.Env = append(os.Environ(), "STUDYCIRCLE_LINK_CHECKS=off")
	p, err := proc.Start(cmd)
	if err != nil {
		return nil, err
	}
	address, err := p.Await(ctx, "is ready at ")
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	s := &Server{Name: name, URL: address, API: Ours, Program: p, Costs: []*proc.Process{p}, stop: []func() error{p.Stop}}
	sessions := &sessions{url: address, cookies: make([]string, seed.Accounts)}
	s.renew = sessions.tokens
	return s, nil
}

// TimeToAnswer starts the product on the embedded database in dir and returns the time until it
// answers a list.
func (t Tree) TimeToAnswer(ctx context.Context, dir string) (time.Duration, error) {
	start := time.Now()
	s, err := t.StartSQLite(ctx, dir)
	if err != nil {
		return 0, err
	}
	err = awaitAnswer(ctx, s.Program, s.URL, "/api/assignments")
	took := time.Since(start)
	return took, errors.Join(err, s.Stop())
}

// sessions holds the accounts' cookies. A token lives 15 minutes; the cookie renews it without
// hashing the password again.
type sessions struct {
	url     string
	cookies []string
}

func (s *sessions) tokens(ctx context.Context) ([]string, error) {
	tokens := make([]string, len(s.cookies))
	for n := range s.cookies {
		var err error
		if tokens[n], err = s.token(ctx, n); err != nil {
			return nil, fmt.Errorf("sign in as %s: %w", seed.Account(n).Email, err)
		}
	}
	return tokens, nil
}

func (s *sessions) token(ctx context.Context, n int) (string, error) {
	request := load.Request{Method: http.MethodGet, Path: "/api/auth/session"}
	header := map[string]string{"Cookie": s.cookies[n]}
	if s.cookies[n] == "" {
		request = load.Request{Method: http.MethodPost, Path: "/api/auth/login", Body: body(map[string]any{
			"email": seed.Account(n).Email, "password": seed.Password,
		})}
		header = nil
	}
	answer, _, err := load.Once(ctx, s.url, request, header)
	if err != nil {
		return "", err
	}
	var user struct {
		AccessToken string
		User        struct{ AccessToken string }
	}
	if err := json.Unmarshal(answer.Body, &user); err != nil {
		return "", err
	}
	token := user.AccessToken + user.User.AccessToken
	if token == "" {
		return "", fmt.Errorf("status %d: %s", answer.Status, answer.Body)
	}
	for _, line := range answer.Header.Values("Set-Cookie") {
		if cookie, err := http.ParseSetCookie(line); err == nil && strings.HasSuffix(cookie.Name, "session") {
			s.cookies[n] = cookie.Name + "=" + cookie.Value
		}
	}
	return token, nil
}

// register creates the accounts, to which the content's submissions then belong.
func register(ctx context.Context, s *Server) error {
	for n := range seed.Accounts {
		u := seed.Account(n)
		answer, _, err := load.Once(ctx, s.URL,
			load.Request{Method: http.MethodPost, Path: "/api/auth/register", Body: body(map[string]any{
				"name": u.Name, "email": u.Email, "photoURL": u.Photo, "password": seed.Password,
			})}, nil)
		if err != nil {
			return err
		}
		if answer.Status != http.StatusCreated && answer.Status != http.StatusConflict {
			return fmt.Errorf("register %s: status %d: %s", u.Email, answer.Status, answer.Body)
		}
	}
	return nil
}
