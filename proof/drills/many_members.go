package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

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
		p.client = &http.Client{
			Timeout: 20 * time.Second, Transport: forwarded{fmt.Sprintf("10.77.%d.%d", i/250, 1+i%250), &http.Transport{}},
		}
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
		for _, step := range []func(context.Context, int){
			m.read, m.publish, m.handIn, m.review, m.grade, m.comment, m.results, m.notices,
		} {
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
	if m.once(
		ctx, "sign in", http.MethodPost, "/api/auth/login", map[string]any{"email": m.email, "password": "Circle1"}, &answer,
	).status == http.StatusOK {
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
	if !m.do(
		ctx, "hand in", http.MethodPost, "/api/submissions", map[string]any{"assignmentId": a.id, "docsLink": link}, &made,
	) {
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
	if !m.do(ctx, "next review", http.MethodPost, "/api/reviews/next", map[string]any{}, &lease) ||
		lease.SubmissionID == "" {
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
	if m.do(
		ctx, "grade", http.MethodPatch, "/api/submissions/"+id,
		map[string]any{"marks": mark, "feedback": "Well explained."}, nil,
	) {
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
	if m.do(
		ctx, "comment", http.MethodPost, "/api/assignment/"+a.id+"/comments",
		map[string]any{"text": fmt.Sprintf("Does `%d` hold too?", round)}, &made,
	) {
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
