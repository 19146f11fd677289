package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"

	"studycircle/internal/testpg"
)

const (
	// signUpsAtOnce is the number of accounts that register at a time.
	signUpsAtOnce = 8
	// signInsWithin is the time in which all users sign in.
	signInsWithin = time.Minute
)

// many is the setting of a drill with many users.
type many struct {
	accounts int
	lasts    time.Duration
	think    time.Duration // between a user's requests, on average
}

// drillMany lets many users do the whole loop at once under the limits that ship: publish,
// hand in, review, grade, comment and read. Each has an address of their own.
func drillMany(ctx context.Context, r *report) error {
	var m many
	flags := flag.NewFlagSet("many", flag.ContinueOnError)
	flags.IntVar(&m.accounts, "accounts", 1000, "number of users")
	flags.DurationVar(&m.lasts, "for", 10*time.Minute, "how long they work, on each engine")
	flags.DurationVar(&m.think, "think", 5*time.Second, "average pause between a user's requests")
	engine := flags.String("engine", "both", "sqlite, postgres or both")
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	if m.accounts < 2 || m.think <= 0 || !slices.Contains([]string{"sqlite", "postgres", "both"}, *engine) {
		return fmt.Errorf("at least two accounts, a pause and a known engine are needed, not %v", os.Args[2:])
	}
	if *engine != "postgres" {
		if err := m.onSQLite(ctx, r); err != nil {
			return err
		}
	}
	if *engine != "sqlite" {
		return m.onPostgreSQL(ctx, r)
	}
	return nil
}

func (m many) onSQLite(ctx context.Context, r *report) error {
	return m.on(ctx, r, "SQLite", func(dir string) (driver, source string) {
		return "sqlite", "file:" + filepath.Join(dir, "data", "studycircle.db")
	})
}

func (m many) onPostgreSQL(ctx context.Context, r *report) (err error) {
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	url := cluster.URL("postgres")
	return m.on(ctx, r, "PostgreSQL", func(string) (driver, source string) { return "pgx", url }, "--database", url)
}

// on runs the drill on one engine. database names the database of a node with its data in dir.
func (m many) on(ctx context.Context, r *report, engine string, database func(dir string) (driver, source string), args ...string) (err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	n, err := newNode(builtProgram, dir, "data", append(args, "--trusted-proxies", "127.0.0.0/8")...)
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.kill()) }()
	c := &class{
		many:    m,
		crowd:   &crowd{url: n.url(), assignments: map[string]time.Time{}, submissions: map[string]bool{}, grades: map[string]int64{}},
		reviews: map[string]int64{}, comments: map[string]bool{},
	}
	r.chapter("%d users for %s on %s, one request in %s each", m.accounts, m.lasts, engine, m.think)
	if err := c.signUp(ctx); err != nil {
		return err
	}
	memory := c.work(ctx, n)
	if err := errors.Join(n.kill(), ctx.Err()); err != nil {
		return err
	}
	c.figures(r)
	r.bar(memory <= mostMemory, "RssAnon %d MB at most", memory>>20)
	faults := n.log.faults()
	r.bar(len(faults) == 0, "internal errors in the node's log: %d %v", len(faults), faults[:min(len(faults), 5)])
	lost, err := c.lostIn(ctx, database, dir)
	if err != nil {
		return err
	}
	r.bar(len(lost) == 0, "acknowledged: %d assignments, %d submissions, %d grades, %d reviews, %d comments; lost: %d %v",
		len(c.assignments), len(c.submissions), len(c.grades), len(c.reviews), len(c.comments), len(lost), lost[:min(len(lost), 5)])
	r.bar(min(len(c.assignments), len(c.submissions), len(c.grades), len(c.reviews), len(c.comments)) > 0, "the loop was done to its end")
	return nil
}

// class is the users of the drill and what was acknowledged to them beyond what a crowd records.
type class struct {
	many
	*crowd
	members  []*member
	all      []published
	reviews  map[string]int64 // marks, by submission and reviewer
	comments map[string]bool
}

// published is an acknowledged assignment.
type published struct {
	id     string
	by     int
	single bool // one grade is the mark
}

// member is a user of the class.
type member struct {
	*person
	class *class
	own   []string        // assignments
	taken map[string]bool // assignments with a submission of theirs
}

// forwarded sends requests as a proxy does for a client at an address.
type forwarded struct {
	address string
	*http.Transport
}

// RoundTrip implements http.RoundTripper.
func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", f.address)
	return f.Transport.RoundTrip(r)
}

// signUp registers all members.
func (c *class) signUp(ctx context.Context) error {
	var all sync.WaitGroup
	slots := make(chan struct{}, signUpsAtOnce)
	for i := range c.accounts {
		p := &person{crowd: c.crowd, number: i}
		p.client = &http.Client{Timeout: 20 * time.Second, Transport: forwarded{fmt.Sprintf("10.77.%d.%d", i/250, 1+i%250), &http.Transport{}}}
		c.members = append(c.members, &member{person: p, class: c, taken: map[string]bool{}})
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			p.register(ctx)
		})
	}
	all.Wait()
	for _, m := range c.members {
		if m.token == "" {
			return errors.Join(fmt.Errorf("user %d is not registered: %s", m.number, figuresOf(c.tries)), ctx.Err())
		}
	}
	return nil
}

// work lets all members work and returns the node's largest memory.
func (c *class) work(ctx context.Context, n *node) (memory int64) {
	ctx, stop := context.WithTimeout(ctx, c.lasts)
	defer stop()
	for _, m := range c.members {
		c.done.Go(func() { m.live(ctx) })
	}
	for ctx.Err() == nil {
		memory = max(memory, n.rssAnon())
		_ = pause(ctx, 100*time.Millisecond) // ends with ctx
	}
	c.done.Wait()
	return memory
}

// live signs in, keeps an event stream open as a page does, and works until ctx is done.
func (m *member) live(ctx context.Context) {
	if pause(ctx, rand.N(min(signInsWithin, m.class.lasts/4)+1)) != nil {
		return
	}
	m.signIn(ctx)
	var listening sync.WaitGroup
	listening.Go(func() { m.listen(ctx) })
	for round := m.number; ctx.Err() == nil; round++ {
		for _, step := range []func(context.Context, int){m.read, m.publish, m.handIn, m.review, m.grade, m.comment, m.results, m.notices} {
			step(ctx, round)
		}
	}
	listening.Wait()
}

// do sends a request after a pause, unless ctx is done, and reports whether it succeeded.
func (m *member) do(ctx context.Context, what, method, path string, body, into any) bool {
	if pause(ctx, m.class.think*2/5+rand.N(m.class.think*6/5)) != nil {
		return false
	}
	status := m.once(ctx, what, method, path, body, into).status
	return status >= 200 && status < 300
}

func (m *member) signIn(ctx context.Context) {
	var answer struct{ AccessToken string }
	m.token = ""
	if m.once(ctx, "sign in", http.MethodPost, "/api/auth/login", map[string]any{"email": m.email, "password": "Circle1"}, &answer).status == http.StatusOK {
		m.token = answer.AccessToken
	}
}

// listen keeps an event stream open.
func (m *member) listen(ctx context.Context) {
	for ctx.Err() == nil {
		t := try{at: time.Now(), what: "event stream"}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url+"/api/events", http.NoBody)
		if err != nil {
			return
		}
		r.Header.Set("Authorization", "Bearer "+m.token)
		answer, err := (&http.Client{Transport: m.client.Transport}).Do(r)
		if ctx.Err() == nil || err == nil {
			t.done, t.err = time.Now(), err
			if err == nil {
				t.status = answer.StatusCode
			}
			m.note(t)
		}
		if err == nil {
			_, _ = io.Copy(io.Discard, answer.Body) // until it ends
			_ = answer.Body.Close()
		}
		_ = pause(ctx, time.Second) // ends with ctx
	}
}

func (m *member) read(ctx context.Context, round int) {
	m.do(ctx, "list", http.MethodGet, fmt.Sprint("/api/assignments?page=", 1+round%3), nil, nil)
	if a, found := m.some(func(published) bool { return true }); found {
		m.do(ctx, "assignment", http.MethodGet, "/api/assignment/"+a.id, nil, nil)
		m.do(ctx, "comments", http.MethodGet, "/api/assignment/"+a.id+"/comments", nil, nil)
	}
}

// publish publishes in every fourth round. One grade is the mark of every second assignment.
func (m *member) publish(ctx context.Context, round int) {
	if round%4 != 0 {
		return
	}
	a := published{by: m.number, single: round%8 == 0}
	body := assignment("Read *the chapter* and explain:\n\n- what holds\n- and **why**")
	if !a.single {
		body["reviewsNeeded"] = 3
	}
	var made struct{ InsertedID string }
	asked := time.Now()
	if m.do(ctx, "publish", http.MethodPost, "/api/assignments", body, &made) {
		a.id = made.InsertedID
		m.own = append(m.own, a.id)
		m.keep(func() { m.assignments[a.id] = asked; m.class.all = append(m.class.all, a) })
	}
}

// some returns one of the assignments that may be chosen.
func (m *member) some(may func(published) bool) (published, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for range 20 { // most may be
		if len(m.class.all) == 0 {
			break
		}
		if a := m.class.all[rand.N(len(m.class.all))]; may(a) {
			return a, true
		}
	}
	return published{}, false
}

func (m *member) handIn(ctx context.Context, round int) {
	a, found := m.some(func(a published) bool { return a.by != m.number && !m.taken[a.id] })
	if !found {
		return
	}
	m.taken[a.id] = true
	var made struct{ InsertedID string }
	link := fmt.Sprintf("https://docs.google.com/document/d/%d-%d", m.number, round)
	if !m.do(ctx, "hand in", http.MethodPost, "/api/submissions", map[string]any{"assignmentId": a.id, "docsLink": link}, &made) {
		return
	}
	m.keep(func() {
		m.submissions[made.InsertedID] = true
		if a.single {
			m.pending = append(m.pending, work{made.InsertedID, m.number})
		}
	})
	m.do(ctx, "own submission", http.MethodGet, "/api/submissions/"+made.InsertedID+"/own", nil, nil)
	m.do(ctx, "own list", http.MethodGet, "/api/submissions?submittedBy="+m.email+"&limit=10", nil, nil)
}

func (m *member) review(ctx context.Context, _ int) {
	var lease struct{ SubmissionID string }
	if !m.do(ctx, "next review", http.MethodPost, "/api/reviews/next", map[string]any{}, &lease) || lease.SubmissionID == "" {
		return
	}
	mark := rand.Int64N(21)
	if m.do(ctx, "review", http.MethodPatch, "/api/submissions/"+lease.SubmissionID,
		map[string]any{"marks": mark, "feedback": "The first part is clear. *Why* does the second follow?"}, nil) {
		m.keep(func() { m.class.reviews[lease.SubmissionID+" "+m.email] = mark })
	}
}

func (m *member) grade(ctx context.Context, _ int) {
	m.do(ctx, "pending", http.MethodGet, "/api/submissions?status=pending&limit=10", nil, nil)
	id := m.somePending()
	if id == "" {
		return
	}
	mark := rand.Int64N(21)
	if m.do(ctx, "grade", http.MethodPatch, "/api/submissions/"+id, map[string]any{"marks": mark, "feedback": "Well explained."}, nil) {
		m.keep(func() { m.grades[id] = mark })
	}
}

// comment comments in every third round.
func (m *member) comment(ctx context.Context, round int) {
	a, found := m.some(func(published) bool { return true })
	if !found || round%3 != 0 {
		return
	}
	var made struct{ InsertedID string }
	if m.do(ctx, "comment", http.MethodPost, "/api/assignment/"+a.id+"/comments", map[string]any{"text": fmt.Sprintf("Does `%d` hold too?", round)}, &made) {
		m.keep(func() { m.class.comments[made.InsertedID] = true })
	}
}

func (m *member) results(ctx context.Context, _ int) {
	if len(m.own) > 0 {
		id := m.own[rand.N(len(m.own))]
		m.do(ctx, "results", http.MethodGet, "/api/assignment/"+id+"/results", nil, nil)
		m.do(ctx, "list of results", http.MethodGet, "/api/assignment/"+id+"/submissions", nil, nil)
	}
}

func (m *member) notices(ctx context.Context, _ int) {
	m.do(ctx, "notifications", http.MethodGet, "/api/notifications", nil, nil)
	m.do(ctx, "today", http.MethodGet, "/api/today", nil, nil)
}

// figures prints each operation's answers and waits.
func (c *class) figures(r *report) {
	type row struct {
		waits    []time.Duration
		statuses map[int]int
	}
	rows := map[string]*row{}
	refused, failed, requests := 0, 0, 0
	for _, t := range c.tries {
		if rows[t.what] == nil {
			rows[t.what] = &row{statuses: map[int]int{}}
		}
		rows[t.what].waits = append(rows[t.what].waits, t.done.Sub(t.at))
		rows[t.what].statuses[t.status]++
		requests++
		switch {
		case t.status == http.StatusTooManyRequests || t.status == http.StatusServiceUnavailable:
			refused++
		case t.err != nil || t.status >= 300 && t.status != http.StatusConflict: // another user was faster
			failed++
		}
	}
	fmt.Println("\n| request | answers | refused | p50 | p99 |\n|---|---|--:|--:|--:|")
	for _, what := range slices.Sorted(maps.Keys(rows)) {
		of := rows[what]
		var answers []string
		for _, status := range slices.Sorted(maps.Keys(of.statuses)) {
			answers = append(answers, fmt.Sprintf("%d × %d", of.statuses[status], status))
		}
		fmt.Printf("| %s | %s | %d | %s | %s |\n", what, strings.Join(answers, ", "),
			of.statuses[http.StatusTooManyRequests]+of.statuses[http.StatusServiceUnavailable], inMs(percentile(of.waits, 50)), inMs(percentile(of.waits, 99)))
	}
	fmt.Println()
	r.bar(refused == 0, "refused (429 or 503): %d of %d requests", refused, requests)
	r.bar(failed == 0, "without an answer, or with an unexpected one: %d", failed)
}

// lostIn returns the acknowledged writes that the database of a stopped node lacks.
func (c *class) lostIn(ctx context.Context, database func(dir string) (driver, source string), dir string) (lost []string, err error) {
	d, err := sql.Open(database(dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var found [4]map[string]int64
	for i, query := range []string{
		"SELECT id, 0 FROM assignments WHERE deleted_at IS NULL",
		"SELECT id, COALESCE(given_mark, -1) FROM submissions",
		"SELECT r.submission_id || ' ' || u.email, r.mark FROM reviews r JOIN users u ON u.id = r.reviewer",
		"SELECT id, 0 FROM comments WHERE deleted_at IS NULL",
	} {
		if found[i], err = pairs(ctx, d, query); err != nil {
			return nil, err
		}
	}
	lost = c.missing(found[0], found[1])
	for of, mark := range c.reviews {
		if got, there := found[2][of]; !there || got != mark {
			lost = append(lost, "review of "+of)
		}
	}
	for id := range c.comments {
		if _, there := found[3][id]; !there {
			lost = append(lost, "comment "+id)
		}
	}
	return lost, nil
}
