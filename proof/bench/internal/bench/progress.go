package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/seed"
)

// progressRows returns the reads of an account's progress, with one client. An account has
// submitted to a thousandth of a million assignments and created what earlier rows of this run
// created.
func (r *run) progressRows() (rows []row) {
	own := func(name, title string, path func(s *peer.Server, n int) string) row {
		return row{name: name, title: title, call: func(r *run, s *peer.Server) load.Calls {
			next := r.next(s, "growth "+name)
			return r.alone(s, func() load.Request {
				return load.Request{Method: http.MethodGet, Path: path(s, next()), Token: s.Tokens()[0]}
			}, checkFound)
		}}
	}
	for _, state := range []string{"mine", "open", "pending", "graded", "due-soon"} {
		first := func(s *peer.Server, _ int) string { return fmt.Sprintf(s.API.State, state, 1) }
		rows = append(rows,
			own("state-"+state, "list by state "+state+", page 1, repeated", first),
			afterWrite(own("state-"+state+"-fresh", "list by state "+state+", page 1, after a write", first)))
	}
	// An upper bound of the number of pages; pages past the end cost as much.
	for _, list := range []struct {
		state string
		pages int
	}{{"open", (r.set.Size - r.set.Own(0)) / perPage}, {"graded", r.set.Own(0) / perPage}, {
		"due-soon", r.set.Size / 3 / perPage,
	}} {
		number := max(2, list.pages)
		eachOnce := own("state-"+list.state+"-random", "list by state "+list.state+", any page, each once", func(
			s *peer.Server, n int,
		) string {
			return fmt.Sprintf(s.API.State, list.state, 1+spread(n, number))
		})
		call := eachOnce.call
		eachOnce.call = func(run *run, s *peer.Server) load.Calls {
			calls := call(run, s)
			calls.Count = number
			return calls
		}
		rows = append(rows, eachOnce)
	}
	return append(rows,
		own("progress", "progress of 100 assignments, each time others", func(s *peer.Server, n int) string {
			ids := make([]string, 100)
			for i := range ids {
				ids[i] = fmt.Sprintf(seed.AssignmentID, spread(n*len(ids)+i, r.set.Size))
			}
			return fmt.Sprintf(s.API.Progress, strings.Join(ids, ","))
		}),
		row{name: "results", title: "results of one's own assignment, page 1", call: results},
		own("dashboard", "dashboard", func(s *peer.Server, _ int) string { return s.API.Dashboard }),
		afterWrite(own(
			"dashboard-fresh", "dashboard, after a write", func(s *peer.Server, _ int) string { return s.API.Dashboard },
		)),
	)
}

// afterWrite writes before each request, so that nothing is cached.
func afterWrite(r row) row {
	call := r.call
	r.call = func(run *run, s *peer.Server) load.Calls {
		c := call(run, s)
		c.Before = create(run, s).Next
		return c
	}
	return r
}

// results publishes an assignment first, to which all other accounts submit.
func results(r *run, s *peer.Server) load.Calls {
	of, failed := resultsOf(s)
	return r.alone(s, func() load.Request {
		return load.Request{Method: http.MethodGet, Path: fmt.Sprintf(s.API.Results, of), Token: s.Tokens()[0]}
	}, func(r *run, s *peer.Server, a load.Answer) error {
		if failed != nil {
			return failed
		}
		return checkFound(r, s, a)
	})
}

func resultsOf(s *peer.Server) (id string, err error) {
	made, _, err := load.Once(context.Background(), s.URL, signed(s, 0, s.API.Create(0, 0)), nil)
	if err != nil {
		return "", err
	}
	var inserted struct{ InsertedID string }
	if err := json.Unmarshal(made.Body, &inserted); err != nil {
		return "", err
	}
	for account := 1; account < seed.Accounts; account++ {
		sent, _, err := load.Once(
			context.Background(), s.URL, signed(s, account, s.API.Submit(account, inserted.InsertedID, account)), nil,
		)
		if err == nil && sent.Status != s.API.Made {
			err = fmt.Errorf("hand in: status %d: %.200s", sent.Status, sent.Body)
		}
		if err != nil {
			return "", err
		}
	}
	return inserted.InsertedID, nil
}
