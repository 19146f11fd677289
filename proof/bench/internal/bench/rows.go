package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/report"
	"studycircle/proof/bench/internal/seed"
)

// row is one kind of request that servers are asked.
type row struct {
	name, title string
	// on lists the servers asked. The floor replays the answers of the product on SQLite.
	on []string
	// read is sent by wrk from 64 clients, call by the client of package load.
	read *read
	call func(*run, *peer.Server) load.Calls
}

// read is a request that is sent repeatedly.
type read struct {
	path func(*peer.API) string
	// With low and high, the path is a format for a random number between them.
	low, high int
	header    map[string]string
	signedIn  bool
	status    int
	check     func(r *run, s *peer.Server, n int, a load.Answer) error
}

var (
	allServers = []string{report.Floor, report.PocketBase, report.SQLite, report.Postgres}
	content    = allServers[1:]
	own        = allServers[2:]
	writers    = []string{report.PocketBase, report.PocketBaseFull, report.SQLite, report.Postgres}
)

func first(format func(*peer.API) string) func(*peer.API) string {
	return func(a *peer.API) string { return fmt.Sprintf(format(a), 1) }
}

func page(a *peer.API) string    { return a.Page }
func level(a *peer.API) string   { return a.Level }
func one(a *peer.API) string     { return a.One }
func pending(a *peer.API) string { return a.Pending }
func mine(a *peer.API) string    { return a.Mine }

func search(word string) func(*peer.API) string {
	return func(a *peer.API) string { return fmt.Sprintf(a.Search, word) }
}

// repeated are the words of repeated searches. First searches use other words.
var repeatedRare, repeatedCommon = seed.RareWord(seed.RareWords - 1), seed.CommonWords[0]

// rows returns all rows in the order they are measured. Rows that write come last.
func (r *run) rows() []row {
	pages, last := (r.set.Size+9)/10, r.set.Size-1
	return []row{
		{name: "list-first", title: "list, page 1, with totals, repeated", on: allServers,
			read: &read{path: first(page), check: checkPage}},
		{name: "list-random", title: "list, any one of all pages", on: allServers,
			read: &read{path: page, low: 1, high: pages, check: checkPage}},
		{name: "list-level", title: "list by level, page 1, repeated", on: allServers,
			read: &read{path: first(level), check: checkLevel}},
		{name: "search-rare", title: "search, a word in 0.003 % of titles, repeated", on: allServers,
			read: &read{path: search(repeatedRare), check: checkSearch(repeatedRare)}},
		{name: "search-common", title: "search, a word in half of titles, repeated", on: allServers,
			read: &read{path: search(repeatedCommon), check: checkSearch(repeatedCommon)}},
		{name: "one", title: "one assignment, any of all", on: allServers,
			read: &read{path: one, low: 0, high: last, check: checkOne}},
		{name: "pending", title: "pending list, page 1, signed in", on: allServers,
			read: &read{path: first(pending), signedIn: true, check: checkPending}},
		{name: "mine", title: "my submissions, page 1", on: allServers,
			read: &read{path: first(mine), signedIn: true, check: checkMine}},
		{name: "search-rare-first", title: "search, rare word, first time", on: content, call: firstSearch(rareWords, 40)},
		{
			name: "search-common-first", title: "search, common word, first time", on: content,
			call: firstSearch(commonWords, 6),
		},
		{name: "list-first-fresh", title: "list, page 1, after a write, alone", on: content, call: freshPage(1)},
		{
			name: "list-random-fresh", title: "list, any one of all pages, after a write, alone",
			on: content, call: freshPage(pages),
		},
		{name: "create", title: "create, signed in", on: writers, call: create},
		{name: "submit", title: "submit", on: writers, call: submit},
		{name: "grade", title: "grade", on: writers, call: grade},
	}
}

// singles returns the rows of growth: one client alone.
func (r *run) singles() []row {
	pages, last := (r.set.Size+9)/10, r.set.Size-1
	// each asks for every number once, so that no cache has the answer. A single number is
	// repeated.
	each := func(name, title string, format func(*peer.API) string, numbers int, signedIn bool) row {
		return row{name: name, title: title, call: func(r *run, s *peer.Server) load.Calls {
			next := r.next(s, "growth "+name)
			calls := r.alone(s, func() load.Request {
				token := ""
				if signedIn {
					token = s.Tokens()[0]
				}
				return load.Request{
					Method: http.MethodGet, Path: fmt.Sprintf(format(s.API), 1+spread(next(), numbers)), Token: token,
				}
			}, checkFound)
			if numbers > 1 {
				calls.Count = numbers
			}
			return calls
		}}
	}
	alone := func(r row) row {
		call := r.call
		r.call = func(run *run, s *peer.Server) load.Calls {
			c := call(run, s)
			c.Clients = 1
			return c
		}
		return r
	}
	return append([]row{
		each("list-first", "list, page 1, repeated", page, 1, false),
		each("list-random", "list, any page, each once", page, pages, false),
		each("list-level", "list by level, any page, each once", level, pages/3, false),
		each("one", "one assignment, each once", one, last, false),
		each("pending", "pending list, any page, each once", pending, pages/2, true),
		each("mine", "my submissions, page 1, repeated", mine, 1, true),
		{name: "search-rare-first", title: "search, rare word, first time", call: firstSearch(rareWords, 150)},
		{name: "search-common-first", title: "search, common word, first time", call: firstSearch(commonWords, 30)},
		{name: "list-first-fresh", title: "list, page 1, after a write", call: freshPage(1)},
	}, append(r.progressRows(),
		alone(row{name: "create", title: "create", call: create}),
		alone(row{name: "submit", title: "submit", call: submit}),
		alone(row{name: "grade", title: "grade", call: grade}),
	)...)
}

func (r *run) alone(
	s *peer.Server, next func() load.Request, check func(*run, *peer.Server, load.Answer) error,
) load.Calls {
	return load.Calls{
		URL: s.URL, Clients: 1, For: r.round, Next: next, Check: func(a load.Answer) error { return check(r, s, a) },
	}
}

// spread permutes the numbers below n so that neighbours are far apart.
func spread(i, n int) int {
	const stride = 7_368_787 // a prime that divides no size
	return i % n * stride % n
}

// freshPage writes before each request, so that no cache has the answer, and asks for a random
// one of the first pages.
func freshPage(pages int) func(*run, *peer.Server) load.Calls {
	return func(r *run, s *peer.Server) load.Calls {
		calls := r.alone(s, func() load.Request {
			return load.Request{Method: http.MethodGet, Path: fmt.Sprintf(s.API.Page, 1+rand.IntN(pages))}
		}, checkFound)
		calls.Before = create(r, s).Next
		return calls
	}
}

func rareWords(n int) string { return seed.RareWord(n % (seed.RareWords - 1)) }

// commonWords returns the common words and their prefixes, which find the same titles.
func commonWords(n int) string {
	const shortest = 4
	var words []string
	for _, word := range seed.CommonWords {
		for length := shortest; length <= len(word); length++ {
			if word[:length] != repeatedCommon {
				words = append(words, word[:length])
			}
		}
	}
	return words[n%len(words)]
}

// firstSearch uses a new word for each request, so that no cache has the answer. count is the
// number of requests per round.
func firstSearch(words func(int) string, count int) func(*run, *peer.Server) load.Calls {
	return func(r *run, s *peer.Server) load.Calls {
		n := r.next(s, fmt.Sprintf("search %s", words(0)))
		calls := r.alone(s, func() load.Request {
			return load.Request{Method: http.MethodGet, Path: fmt.Sprintf(s.API.Search, words(n()))}
		}, func(_ *run, _ *peer.Server, a load.Answer) error {
			if a.Status != http.StatusOK {
				return fmt.Errorf("status %d: %.200s", a.Status, a.Body)
			}
			list, err := s.API.List(a)
			if err == nil && len(list.IDs) == 0 {
				err = errors.New("nothing found")
			}
			return err
		})
		calls.Count = count
		return calls
	}
}

func create(r *run, s *peer.Server) load.Calls {
	n := r.next(s, "create")
	return r.writes(s, s.API.Made, func() load.Request {
		n := n()
		return signed(s, n%seed.Accounts, s.API.Create(n%seed.Accounts, n))
	})
}

// submit hands in for the newest assignments of the content, once per account.
func submit(r *run, s *peer.Server) load.Calls {
	n := r.next(s, "submit")
	calls := r.writes(s, s.API.Made, func() load.Request {
		n := n()
		account := n % seed.Accounts
		of := fmt.Sprintf(seed.AssignmentID, r.set.Size-1-n/seed.Accounts)
		return signed(s, account, s.API.Submit(account, of, n))
	})
	calls.Count = r.share(seed.Accounts * r.set.Size)
	return calls
}

// grade grades the oldest pending submissions of the content.
func grade(r *run, s *peer.Server) load.Calls {
	n := r.next(s, "grade")
	calls := r.writes(s, s.API.Graded, func() load.Request {
		n := n()
		return signed(s, n%seed.Accounts, s.API.Grade(fmt.Sprintf(seed.SubmissionID, n*seed.PerAssignment)))
	})
	calls.Count = r.share(r.set.Size)
	return calls
}

// share is the part of one-time work that a round may use up. Each round of the table and one
// of growth use the same amount; two servers with the same data use it twice.
func (r *run) share(all int) int { return all / (2*r.Rounds + 1) }

func signed(s *peer.Server, account int, request load.Request) load.Request {
	request.Token = s.Tokens()[account]
	return request
}

func (r *run) writes(s *peer.Server, status int, next func() load.Request) load.Calls {
	return load.Calls{URL: s.URL, Clients: clients, For: r.round, Next: next, Check: func(a load.Answer) error {
		if a.Status != status {
			return fmt.Errorf("status %d: %.200s", a.Status, a.Body)
		}
		return nil
	}}
}

// checkFound checks answers that change while other clients write.
func checkFound(_ *run, s *peer.Server, a load.Answer) error {
	if a.Status != http.StatusOK {
		return fmt.Errorf("status %d: %.200s", a.Status, a.Body)
	}
	if !json.Valid(a.Body) {
		return errors.New("not JSON")
	}
	return nil
}

// checkTitles compares a list with the content.
func checkTitles(s *peer.Server, a load.Answer, total int, want []string) error {
	list, err := s.API.List(a)
	if err != nil {
		return err
	}
	if list.Total != total {
		return fmt.Errorf("total is %d, want %d", list.Total, total)
	}
	if got := strings.Join(list.Titles, "\n"); got != strings.Join(want, "\n") {
		return fmt.Errorf("titles are\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	return nil
}

const perPage = 10

func checkPage(r *run, s *peer.Server, n int, a load.Answer) error {
	var want []string
	for i := r.set.Size - 1 - (n-1)*perPage; i >= 0 && len(want) < perPage; i-- {
		want = append(want, r.set.Assignment(i).Title)
	}
	return checkTitles(s, a, r.set.Size, want)
}

func checkLevel(r *run, s *peer.Server, _ int, a load.Answer) error {
	var want []string
	for i := r.set.Size - 1; i >= 0 && len(want) < perPage; i-- {
		if seed.Level(i) == "medium" {
			want = append(want, r.set.Assignment(i).Title)
		}
	}
	return checkTitles(s, a, (r.set.Size+1)/3, want)
}

// exact is the number of matches up to which the product counts exactly.
const exact = 10_000

func checkSearch(word string) func(*run, *peer.Server, int, load.Answer) error {
	return func(r *run, s *peer.Server, _ int, a load.Answer) error {
		list, err := s.API.List(a)
		if err != nil {
			return err
		}
		want, low := r.set.RareCount(), r.set.RareCount()
		if word == repeatedCommon {
			want, low = r.set.Size, min(exact, r.set.Size*2/5)
		}
		if list.Total < low || list.Total > want || len(list.Titles) != min(list.Total, perPage) {
			return fmt.Errorf("%d of %d found, want %d to %d", len(list.Titles), list.Total, low, want)
		}
		for _, title := range list.Titles {
			if !strings.Contains(title, word) {
				return fmt.Errorf("found %q for %q", title, word)
			}
		}
		return nil
	}
}

func checkOne(r *run, _ *peer.Server, n int, a load.Answer) error {
	var got struct{ Title string }
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return err
	}
	if want := r.set.Assignment(n).Title; got.Title != want {
		return fmt.Errorf("got %q, want %q", got.Title, want)
	}
	return nil
}

func checkPending(r *run, s *peer.Server, _ int, a load.Answer) error {
	var want []string
	for n := range min(perPage, r.set.Size) {
		want = append(want, r.set.Assignment(n).Title)
	}
	return checkTitles(s, a, r.set.Size, want)
}

func checkMine(r *run, s *peer.Server, _ int, a load.Answer) error {
	var want []string
	for n := (r.set.Own(0) - 1) * seed.Accounts; n >= 0 && len(want) < perPage; n -= seed.Accounts {
		want = append(want, r.set.Assignment(n).Title)
	}
	return checkTitles(s, a, r.set.Own(0), want)
}

// number returns a random number that the path accepts.
func (q *read) number() int {
	if q.high == 0 {
		return 1
	}
	return q.low + rand.IntN(q.high-q.low+1)
}

func (q *read) request(s *peer.Server, n int) load.Request {
	request := load.Request{Method: http.MethodGet, Path: q.path(s.API)}
	if q.high > 0 {
		request.Path = fmt.Sprintf(request.Path, n)
	}
	if q.signedIn {
		request.Token = s.Tokens()[0]
	}
	return request
}

// sample sends a few requests and checks each answer in full.
func (q *read) sample(ctx context.Context, r *run, s *peer.Server) (last load.Answer, err error) {
	const samples = 5
	for range samples {
		n := q.number()
		request := q.request(s, n)
		if last, _, err = load.Once(ctx, s.URL, request, q.header); err != nil {
			return last, err
		}
		if last.Status != cmp.Or(q.status, http.StatusOK) {
			return last, fmt.Errorf("%s %s: status %d: %.300s", s.Name, request.Path, last.Status, last.Body)
		}
		if q.check != nil {
			if err := q.check(r, s, n, last); err != nil {
				return last, fmt.Errorf("%s %s: %w", s.Name, request.Path, err)
			}
		}
	}
	return last, nil
}
