package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// figures summarize what users noticed in a time span.
type figures struct {
	requests, failed int
	idempotentFailed int // at the first try
	againFailed      int // at the second try too
	slowest          time.Duration
	lastFailure      time.Time
	kinds            map[string]int
}

func figuresOf(tries []try) figures {
	f := figures{kinds: map[string]int{}}
	for _, t := range tries {
		f.requests++
		f.slowest = max(f.slowest, t.done.Sub(t.at))
		if !t.failed() {
			continue
		}
		f.failed++
		f.kinds[fmt.Sprintf("%s %d", t.what, t.status)]++
		if t.done.After(f.lastFailure) {
			f.lastFailure = t.done
		}
		if t.idempotent && strings.HasSuffix(t.what, " again") {
			f.againFailed++
		} else if t.idempotent {
			f.idempotentFailed++
		}
	}
	return f
}

// String lists failures by request and status; 0 means no answer.
func (f figures) String() string {
	var parts []string
	for what, n := range f.kinds {
		parts = append(parts, fmt.Sprintf("%s × %d", what, n))
	}
	slices.Sort(parts)
	if parts == nil {
		parts = []string{"none"}
	}
	return fmt.Sprintf(
		"%d requests, slowest %s, failures: %s", f.requests, f.slowest.Round(time.Millisecond), strings.Join(parts, ", "),
	)
}

// lost compares acknowledged writes with the database.
func (c *crowd) lost(ctx context.Context, url string) (lost []string, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	assignments, err := conn.Query(ctx, "SELECT id, 0 FROM assignments WHERE deleted_at IS NULL")
	if err != nil {
		return nil, err
	}
	there, err := collect(assignments)
	if err != nil {
		return nil, err
	}
	submissions, err := conn.Query(ctx, "SELECT id, COALESCE(given_mark, -1) FROM submissions")
	if err != nil {
		return nil, err
	}
	marks, err := collect(submissions)
	if err != nil {
		return nil, err
	}
	return c.missing(there, marks), nil
}

// missing returns acknowledged ids that a database lacks.
func (c *crowd) missing(assignments, marks map[string]int64) (lost []string) {
	for id := range c.assignments {
		if _, found := assignments[id]; !found {
			lost = append(lost, "assignment "+id)
		}
	}
	for id := range c.submissions {
		if _, found := marks[id]; !found {
			lost = append(lost, "submission "+id)
		}
	}
	for id, mark := range c.grades {
		if marks[id] != mark {
			lost = append(lost, "grade of "+id)
		}
	}
	return lost
}

// queryText queries a single text.
func queryText(ctx context.Context, url, query string) (text string, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	err = conn.QueryRow(ctx, query).Scan(&text)
	return text, err
}

func collect(rows pgx.Rows) (map[string]int64, error) {
	out := map[string]int64{}
	var id string
	var n int64
	_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
		out[id] = n
		return nil
	})
	return out, err
}
