package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/proc"
	"studycircle/proof/bench/internal/seed"
)

const (
	pbAssignments = "/api/collections/assignments/records"
	pbSubmissions = "/api/collections/submissions/records"
)

// pb is PocketBase's API. Lists sort by @rowid, as its documentation advises for large
// collections. skipTotal, advised too, is not used, because the contract requires totals.
var pb = &API{
	Page:  pbAssignments + "?perPage=10&sort=-@rowid&page=%d",
	Level: pbAssignments + "?perPage=10&sort=-@rowid&filter=" + escape("level='medium'") + "&page=%d",
	Search: pbAssignments + "?perPage=10&sort=-@rowid&filter=" + escape("title~'") + "%[1]s" + escape(
		"'||description~'",
	) + "%[1]s" + escape("'"),
	One:     pbAssignments + "/" + seed.AssignmentID,
	Pending: pbSubmissions + "?perPage=10&sort=submittedAt&filter=" + escape("status='pending'") + "&page=%d",
	Mine: pbSubmissions + "?perPage=10&sort=-submittedAt&filter=" +
		escape("submittedBy='"+seed.Account(0).Email+"'") + "&page=%d",
	Create: func(account, n int) load.Request {
		content, u := createBody(n), seed.Account(account)
		content["creator"], content["creatorEmail"], content["creatorName"] = u.ID, u.Email, u.Name
		return load.Request{Method: http.MethodPost, Path: pbAssignments, Body: body(content)}
	},
	Submit: func(account int, assignment string, n int) load.Request {
		return load.Request{Method: http.MethodPost, Path: pbSubmissions, Body: body(map[string]any{
			"assignment": assignment, "assignmentTitle": "As the assignment says",
			"marks": 60, "submittedBy": seed.Account(account).Email,
			"docsLink": docsLink(n), "note": "Please be kind.", "status": "pending",
			"submittedAt": time.Now().UTC().Format(time.RFC3339),
		})}
	},
	Grade: func(submission string) load.Request {
		return load.Request{Method: http.MethodPatch, Path: pbSubmissions + "/" + submission, Body: body(map[string]any{
			"status": "completed", "givenMark": 7, "feedback": "Well done, all of it.",
			"markedAt": time.Now().UTC().Format(time.RFC3339),
		})}
	},
	Made: http.StatusOK, Graded: http.StatusOK,
	List: func(a load.Answer) (List, error) {
		var list struct {
			Items      []item
			TotalItems int
		}
		err := json.Unmarshal(a.Body, &list)
		return listOf(list.Items, list.TotalItems), err
	},
}

// escape quotes text for use in a format of a query.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "%", "%%") }

// StartPocketBase starts PocketBase on the data in dir. With full, its commits wait for the
// disk, as the product's do.
func (t Tree) StartPocketBase(ctx context.Context, dir string, full bool) (*Server, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	name := "pocketbase"
	cmd := command(ctx, t.built("pocketbase"), "serve", "--dir", dir, "--http", address)
	if full {
		name, cmd.Env = "pocketbase-full", append(os.Environ(), "POCKETBASE_SYNCHRONOUS=FULL")
	}
	p, err := proc.Start(cmd)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Name: name, URL: "http://" + address, API: pb, Program: p, Costs: []*proc.Process{p}, stop: []func() error{p.Stop},
	}
	s.renew = s.pocketBaseTokens
	if err := awaitAnswer(ctx, p, s.URL, "/api/health"); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// pocketBaseTokens signs in once: tokens live a week.
func (s *Server) pocketBaseTokens(ctx context.Context) ([]string, error) {
	if s.tokens != nil {
		return s.tokens, nil
	}
	tokens := make([]string, seed.Accounts)
	for n := range tokens {
		answer, _, err := load.Once(ctx, s.URL,
			load.Request{Method: http.MethodPost, Path: "/api/collections/users/auth-with-password", Body: body(map[string]any{
				"identity": seed.Account(n).Email, "password": seed.Password,
			})}, nil)
		if err != nil {
			return nil, err
		}
		var granted struct{ Token string }
		if err := json.Unmarshal(answer.Body, &granted); err != nil || granted.Token == "" {
			return nil, errors.Join(err, fmt.Errorf("sign in to PocketBase: status %d: %s", answer.Status, answer.Body))
		}
		tokens[n] = granted.Token
	}
	return tokens, nil
}

func (t Tree) fillPocketBase(ctx context.Context, s seed.Set, dir string, say func(string)) error {
	name := filepath.Join(dir, "filled.json")
	var done stamp
	if err := readJSON(name, &done); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, t.built("pocketbase"), "fill", "--dir", dir,
		"--seed", strconv.FormatUint(s.Seed, 10), "--size", strconv.Itoa(s.Size))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	said := time.Time{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			say(lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	return writeJSON(name, stamp{Parts: 1})
}
