package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
func (m many) on(
	ctx context.Context, r *report, engine string, database func(dir string) (driver, source string), args ...string,
) (err error) {
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
		many: m,
		crowd: &crowd{
			url: n.url(), assignments: map[string]time.Time{}, submissions: map[string]bool{}, grades: map[string]int64{},
		},
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
		len(c.assignments), len(c.submissions), len(c.grades), len(c.reviews), len(c.comments), len(lost),
		lost[:min(len(lost), 5)])
	r.bar(min(
		len(c.assignments), len(c.submissions), len(c.grades), len(c.reviews), len(c.comments),
	) > 0, "the loop was done to its end")
	return nil
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
			of.statuses[http.StatusTooManyRequests]+of.statuses[http.StatusServiceUnavailable], inMs(percentile(of.waits, 50)),
			inMs(percentile(of.waits, 99)))
	}
	fmt.Println()
	r.bar(refused == 0, "refused (429 or 503): %d of %d requests", refused, requests)
	r.bar(failed == 0, "without an answer, or with an unexpected one: %d", failed)
}

// lostIn returns the acknowledged writes that the database of a stopped node lacks.
func (c *class) lostIn(
	ctx context.Context, database func(dir string) (driver, source string), dir string,
) (lost []string, err error) {
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
