package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

const (
	crashes = 200
	writers = 16
	// A crash follows after this many further acknowledged writes, so that it hits writes at
	// any speed of the machine.
	writesBetween = 60
)

// drillCrash kills the program on SQLite repeatedly under writers.
func drillCrash(ctx context.Context, r *report) (err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	n, err := newNode(builtProgram, dir, "data", "--rate-limits", "off")
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.kill(), os.RemoveAll(dir)) }()
	c := newCrowd(ctx, n.url(), writers)
	defer c.end()
	r.chapter("%d × kill -9 under %d writers on SQLite", crashes, writers)
	var starts []time.Duration
	for round := range crashes {
		if err := c.awaitWrites(ctx, (round+1)*writesBetween); err != nil {
			return errors.Join(err, errors.New(n.log.tail()))
		}
		if err := n.kill(); err != nil {
			return err
		}
		from := time.Now()
		if err := n.start(ctx); err != nil {
			return err
		}
		starts = append(starts, time.Since(from))
	}
	c.end()
	slices.Sort(starts)
	slowest, median := starts[len(starts)-1], starts[len(starts)/2]
	r.bar(
		slowest <= time.Second, "slowest start to first answer: %s, the median %s",
		slowest.Round(time.Millisecond), median.Round(time.Millisecond),
	)
	if err := n.kill(); err != nil {
		return err
	}
	return c.checkSQLite(ctx, r, filepath.Join(dir, "data", "studycircle.db"))
}

// awaitWrites waits until n writes are acknowledged.
func (c *crowd) awaitWrites(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		c.mu.Lock()
		got := len(c.assignments) + len(c.submissions) + len(c.grades)
		c.mu.Unlock()
		if got >= n {
			return nil
		}
		if err := pause(ctx, 2*time.Millisecond); err != nil {
			return fmt.Errorf("%d writes of %d: %w", got, n, err)
		}
	}
}

// checkSQLite checks a database that no program has open.
func (c *crowd) checkSQLite(ctx context.Context, r *report, file string) (err error) {
	d, err := openSQLite(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	there, err := pairs(ctx, d, "SELECT id, 0 FROM assignments WHERE deleted_at IS NULL")
	if err != nil {
		return err
	}
	marks, err := pairs(ctx, d, "SELECT id, COALESCE(given_mark, -1) FROM submissions")
	if err != nil {
		return err
	}
	lost := c.missing(there, marks)
	r.bar(len(lost) == 0, "acknowledged: %d assignments, %d submissions, %d grades; lost: %d %v",
		len(c.assignments), len(c.submissions), len(c.grades), len(lost), lost[:min(len(lost), 5)])
	var verdict string
	if err := d.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil {
		return err
	}
	r.bar(verdict == "ok", "integrity_check: %s", verdict)
	var broken int
	if err := d.QueryRowContext(ctx, "SELECT COUNT(*) FROM pragma_foreign_key_check").Scan(&broken); err != nil {
		return err
	}
	r.bar(broken == 0, "foreign_key_check: %d broken", broken)
	return nil
}

func openSQLite(file string) (*sql.DB, error) { return sql.Open("sqlite", "file:"+file) }

func pairs(ctx context.Context, d *sql.DB, query string) (out map[string]int64, err error) {
	rows, err := d.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out = map[string]int64{}
	for rows.Next() {
		var id string
		var n int64
		if err := rows.Scan(&id, &n); err != nil {
			return nil, err
		}
		out[id] = n
	}
	return out, rows.Err()
}
