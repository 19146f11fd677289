package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// try is one request and its result.
type try struct {
	at, done   time.Time
	what       string
	idempotent bool
	status     int   // 0 without an answer
	err        error // no answer, or a wrong one
}

func (t try) failed() bool { return t.err != nil || t.status >= 500 }

// crowd is a group of users who do the main job continuously, each on their own connection, and
// what was acknowledged to them.
type crowd struct {
	url  string
	stop context.CancelFunc
	done sync.WaitGroup

	mu          sync.Mutex
	tries       []try
	assignments map[string]time.Time // acknowledged, with the time of the request
	heard       map[string]time.Time // when they were acknowledged
	submissions map[string]bool      // acknowledged
	grades      map[string]int64     // acknowledged, by submission
	open        []string             // assignments to submit to
	pending     []work               // submissions to grade
}

type work struct {
	id string
	by int // the submitter
}

// newCrowd starts users against url. They work until stop is called.
func newCrowd(ctx context.Context, url string, people int) *crowd {
	c := &crowd{
		url: url, assignments: map[string]time.Time{}, heard: map[string]time.Time{},
		submissions: map[string]bool{}, grades: map[string]int64{},
	}
	ctx, c.stop = context.WithCancel(ctx)
	for i := range people {
		c.done.Go(func() { (&person{crowd: c, number: i}).live(ctx) })
	}
	return c
}

// end stops all users and returns once their requests have ended.
func (c *crowd) end() {
	c.stop()
	c.done.Wait()
}

func (c *crowd) note(t try) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries = append(c.tries, t)
}

// during returns the tries that began in a time span.
func (c *crowd) during(from, to time.Time) []try {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []try
	for _, t := range c.tries {
		if !t.at.Before(from) && t.at.Before(to) {
			out = append(out, t)
		}
	}
	return out
}

// person is a user of the crowd.
type person struct {
	*crowd
	number int
	token  string
	client *http.Client
	email  string
}

func (p *person) live(ctx context.Context) {
	p.client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}
	for round := 0; ctx.Err() == nil; round++ {
		if round%200 == 0 {
			p.register(ctx)
		}
		if p.token != "" {
			p.round(ctx)
		} else {
			_ = pause(ctx, 100*time.Millisecond) // ends with ctx
		}
	}
}

func (p *person) register(ctx context.Context) {
	var answer struct{ AccessToken string }
	email := fmt.Sprintf("p%d-%d@example.org", p.number, time.Now().UnixNano())
	status := p.ask(ctx, "register", http.MethodPost, "/api/auth/register",
		map[string]any{"name": fmt.Sprint(
			"Person ", p.number,
		), "email": email, "photoURL": "https://example.org/p.png", "password": "Circle1"}, &answer)
	if status == http.StatusCreated {
		p.token, p.email = answer.AccessToken, email
	}
}

// round does the main job once: publish, read, submit, list, grade.
func (p *person) round(ctx context.Context) {
	var made struct{ InsertedID string }
	asked := time.Now()
	title := fmt.Sprint("Drill ", asked.UnixNano())
	if p.ask(ctx, "create", http.MethodPost, "/api/assignments", map[string]any{
		"title": title, "description": "Until something breaks.", "marks": 20, "level": "easy",
		"thumbnail": "https://example.org/t.png", "dueDate": time.Now().AddDate(0, 0, 10).Format(time.DateOnly),
	}, &made) == http.StatusCreated {
		p.keep(func() {
			p.assignments[made.InsertedID], p.heard[made.InsertedID] = asked, time.Now()
			p.open = append(p.open, made.InsertedID)
		})
		var got struct{ Title string }
		if status := p.ask(
			ctx, "assignment", http.MethodGet, "/api/assignment/"+made.InsertedID, nil, &got,
		); (status != http.StatusOK && status != 0 && status < 500) ||
			(status == http.StatusOK && got.Title != title) {
			p.note(try{
				at: time.Now(), done: time.Now(), what: "own write not read", err: fmt.Errorf("%d %q", status, got.Title),
			})
		}
	}
	p.ask(ctx, "list", http.MethodGet, fmt.Sprintf("/api/assignments?page=%d", 1+rand.N(3)), nil, nil)
	if target := p.someAssignment(); target != "" {
		made.InsertedID = ""
		if p.ask(
			ctx, "submit", http.MethodPost, "/api/submissions",
			map[string]any{"assignmentId": target, "docsLink": "https://docs.google.com/document/d/1"}, &made,
		) == http.StatusCreated {
			p.keep(func() {
				p.submissions[made.InsertedID] = true
				p.pending = append(p.pending, work{made.InsertedID, p.number})
			})
		}
	}
	p.ask(ctx, "pending", http.MethodGet, "/api/submissions?status=pending&limit=10", nil, nil)
	if id := p.somePending(); id != "" {
		mark := rand.Int64N(21)
		if p.ask(
			ctx, "grade", http.MethodPatch, "/api/submissions/"+id, map[string]any{"marks": mark, "feedback": "Fine."}, nil,
		) == http.StatusOK {
			p.keep(func() { p.grades[id] = mark })
		}
	}
	p.ask(ctx, "own", http.MethodGet, "/api/submissions?submittedBy="+p.email+"&limit=10", nil, nil)
}

func (p *person) keep(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *person) someAssignment() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.open) == 0 {
		return ""
	}
	return p.open[rand.N(len(p.open))]
}

// somePending removes another user's submission from those to grade.
func (p *person) somePending() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.pending {
		if w.by != p.number {
			p.pending = append(p.pending[:i], p.pending[i+1:]...)
			return w.id
		}
	}
	return ""
}

// retryAfter is the delay before the second try of an idempotent request.
const retryAfter = 500 * time.Millisecond

// ask sends a request and returns its status, 0 without an answer. It repeats a failed
// idempotent request once, as RFC 9110, 9.2.2 allows, and records both tries.
func (p *person) ask(ctx context.Context, what, method, path string, body, into any) int {
	t := p.once(ctx, what, method, path, body, into)
	if !t.failed() || !t.idempotent {
		return t.status
	}
	if pause(ctx, retryAfter) != nil {
		return 0
	}
	return p.once(ctx, what+" again", method, path, body, into).status
}

func (p *person) once(ctx context.Context, what, method, path string, body, into any) try {
	t := try{at: time.Now(), what: what, idempotent: method == http.MethodGet}
	t.status, t.err = p.send(method, path, body, into)
	t.done = time.Now()
	if ctx.Err() == nil || t.err == nil {
		p.note(t)
	}
	return t
}

// send is not interrupted at the end of the drill, so every request sent gets its answer.
func (p *person) send(method, path string, body, into any) (status int, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(context.Background(), method, p.url+path, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	if body == nil {
		request.Body, request.ContentLength, request.GetBody = nil, 0, nil
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, err
	}
	got, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return 0, err
	}
	if into != nil && answer.StatusCode < 300 && answer.StatusCode != http.StatusNoContent {
		if err := json.Unmarshal(got, into); err != nil {
			return 0, fmt.Errorf("answer to %s %s: %w", method, path, err)
		}
	}
	return answer.StatusCode, nil
}
