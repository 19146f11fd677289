package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"studycircle/internal/testpg"
	"studycircle/internal/testproxy"
)

// openTwoNodes is a service whose node and whose PostgreSQL go away.
func openTwoNodes(ctx context.Context, s *scene) ([]fault, error) {
	cluster, err := testpg.Start()
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, cluster.Stop)
	direct, err := url.Parse(cluster.URL("postgres"))
	if err != nil {
		return nil, err
	}
	line, err := testproxy.NewLine("unix", filepath.Join(direct.Query().Get("host"), ".s.PGSQL.5432"))
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, line.Cut)
	direct.Host, direct.RawQuery = line.Address(), "sslmode=disable"
	for range 2 {
		if _, err := s.node(ctx, "--database", direct.String()); err != nil {
			return nil, err
		}
	}
	second := s.nodes[1]
	waiting := &helper{program: second.program, args: second.args} // which is not ready
	return []fault{
		{
			alerts: []expected{{"StudyCircleNodeDown", map[string]string{"instance": s.scraped[1]}}},
			begin:  func(context.Context) error { return second.kill() },
			end:    second.start,
		},
		{
			alerts: []expected{
				{"StudyCircleErrors", nil},
				{"StudyCircleStateUnknown", map[string]string{"instance": s.scraped[0]}},
				{"StudyCircleNotReady", map[string]string{"instance": s.scraped[1]}},
			},
			beside: []string{"StudyCircleSlow"}, // requests wait for the database before they are refused
			begin: func(context.Context) error {
				if err := errors.Join(second.kill(), line.Cut(), waiting.start()); err != nil {
					return err
				}
				s.closers = append(s.closers, waiting.kill)
				return nil
			},
			meanwhile: func(ctx context.Context) error { return s.dashboard.ask(ctx, s.prometheus, true) },
			end:       func(context.Context) error { return line.Mend() },
		},
	}, nil
}

// openMailing is a service whose mail server fails.
func openMailing(ctx context.Context, s *scene) ([]fault, error) {
	server, err := newMailServer(ctx)
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, server.close)
	n, err := s.node(ctx, "--smtp-url", "smtp://"+server.address())
	if err != nil {
		return nil, err
	}
	newcomer := func(ctx context.Context) error {
		p := userOf(&crowd{url: n.url()}, 0)
		if p.register(ctx); p.token == "" {
			return errors.New("a user cannot register")
		}
		return nil
	}
	var arrive task
	return []fault{
		{
			alerts: []expected{{"StudyCircleMailsFail", nil}},
			begin: func(ctx context.Context) error {
				server.is(refusing)
				arrive.start(ctx, time.Second, newcomer)
				return nil
			},
			end: func(context.Context) error { server.is(working); return arrive.end() },
		},
		{
			alerts: []expected{{"StudyCircleJobsStuck", map[string]string{"kind": "mail"}}},
			beside: []string{"StudyCircleMailsFail"},
			begin: func(ctx context.Context) error {
				server.is(silent)
				for range 24 { // the node sends four at a time, and waits 20 seconds for each
					if err := newcomer(ctx); err != nil {
						return err
					}
				}
				return s.change(ctx, "UPDATE river_job SET scheduled_at = datetime('now', '-11 minutes', 'subsec') WHERE kind = "+
					"'mail' AND state IN ('available', 'retryable', 'scheduled')")
			},
			end: func(context.Context) error { server.is(working); return nil },
		},
	}, nil
}

// openBackups is a service whose backups fail, and that has a submission without a mark.
func openBackups(ctx context.Context, s *scene) ([]fault, error) {
	disk := filepath.Join(s.dir, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		return nil, err
	}
	if err := run(ctx, nil, "mount", "-t", "tmpfs", "-o", "size=64m", "none", disk); err != nil {
		return nil, fmt.Errorf("mount a disk in memory, which needs root: %w", err)
	}
	s.closers = append(s.closers, func() error { return run(context.WithoutCancel(ctx), nil, "umount", disk) })
	n, err := s.node(ctx, "--backup-dir", disk, "--backup-every", "1m", "--backup-keep", "1")
	if err != nil {
		return nil, err
	}
	filling := filepath.Join(disk, "filling")
	var grader *person
	var submission string
	return []fault{{
		alerts: []expected{
			{"StudyCircleBackupOld", map[string]string{"instance": s.scraped[0]}}, {"StudyCircleNothingMarked", nil},
		},
		begin: func(ctx context.Context) (err error) {
			if err := errors.Join(fill(filling), age(disk, 49*time.Hour)); err != nil {
				return err
			}
			if grader, submission, err = leaveAlone(ctx, n.url()); err != nil {
				return err
			}
			return s.change(ctx, fmt.Sprintf("UPDATE submissions SET submitted_at = submitted_at - %d WHERE id = "+
				"'%s'", (15*24*time.Hour).Microseconds(), submission))
		},
		end: func(ctx context.Context) error {
			path := "/api/submissions/" + submission
			t := grader.once(ctx, path, http.MethodPatch, path, map[string]any{"marks": 10, "feedback": "At last."}, nil)
			if t.status != http.StatusOK {
				return errors.Join(fmt.Errorf("grading is answered with %d", t.status), t.err)
			}
			return os.Remove(filling)
		},
	}}, nil
}

// fill fills a disk with a file.
func fill(name string) error {
	f, err := os.Create(name) //nolint:gosec // the drill's own
	if err != nil {
		return err
	}
	for err == nil {
		_, err = f.Write(make([]byte, os.Getpagesize()))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// age renames the only backup to one made so long ago.
func age(dir string, by time.Duration) error {
	found, err := filepath.Glob(filepath.Join(dir, "studycircle-*.db"))
	if err != nil || len(found) != 1 {
		return errors.Join(fmt.Errorf("%d backups instead of one", len(found)), err)
	}
	return os.Rename(found[0], filepath.Join(dir, time.Now().Add(-by).UTC().Format("studycircle-20060102T150405Z.db")))
}

// leaveAlone hands in a submission, and returns it and a user who may grade it.
func leaveAlone(ctx context.Context, url string) (grader *person, submission string, err error) {
	c := &crowd{url: url}
	submitter := userOf(c, 1)
	grader = userOf(c, 2)
	submitter.register(ctx)
	grader.register(ctx)
	var made struct{ InsertedID string }
	t := grader.once(
		ctx, "create", http.MethodPost, "/api/assignments", assignmentOf("Left alone", "A submission waits."), &made,
	)
	if t.status != http.StatusCreated {
		return nil, "", errors.Join(fmt.Errorf("publishing is answered with %d", t.status), t.err)
	}
	body := map[string]any{"assignmentId": made.InsertedID, "docsLink": "https://docs.google.com/document/d/1"}
	if t := submitter.once(
		ctx, "submit", http.MethodPost, "/api/submissions", body, &made,
	); t.status != http.StatusCreated {
		return nil, "", errors.Join(fmt.Errorf("submitting is answered with %d", t.status), t.err)
	}
	return grader, made.InsertedID, nil
}

func assignmentOf(title, description string) map[string]any {
	return map[string]any{
		"title": title, "description": description, "marks": 20, "level": "easy",
		"thumbnail": "https://example.org/t.png", "dueDate": time.Now().AddDate(0, 0, 10).Format(time.DateOnly),
	}
}

// change changes the embedded database beside the node.
func (s *scene) change(ctx context.Context, statement string) (err error) {
	d, err := openSQLite(s.database())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	done, err := d.ExecContext(ctx, statement)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(fmt.Errorf("%s changes %d rows", statement, n), err)
	}
	return nil
}

// openLoaded is a service with long transactions of other programs, and with more requests than it can answer.
func openLoaded(ctx context.Context, s *scene) ([]fault, error) {
	n, err := s.node(ctx)
	if err != nil {
		return nil, err
	}
	var reading, writing, load task
	return []fault{
		{
			alerts: []expected{{"StudyCircleWALGrows", map[string]string{"instance": s.scraped[0]}}},
			begin: func(ctx context.Context) error {
				reading.start(ctx, time.Second, func(ctx context.Context) error {
					return s.transaction(ctx, "BEGIN", func(c *sql.Conn) error {
						var users int
						if err := c.QueryRowContext(ctx, "SELECT COUNT(*) FROM users").Scan(&users); err != nil {
							return err
						}
						<-ctx.Done()
						return nil
					})
				})
				load.start(ctx, 0, times(8, func(ctx context.Context, c *crowd) {
					p := userOf(c, 0)
					p.register(ctx)
					for ctx.Err() == nil {
						p.once(ctx, "create", http.MethodPost, "/api/assignments", assignmentOf("Long", longText()), nil)
					}
				}, n.url()))
				return errors.Join(s.awaitLog(ctx, 300<<20), load.end())
			},
			end: func(context.Context) error { return errors.Join(load.end(), reading.end()) },
		},
		{
			alerts: []expected{{"StudyCircleSlow", nil}},
			begin: func(ctx context.Context) error {
				writing.start(ctx, 200*time.Millisecond, func(ctx context.Context) error {
					return s.transaction(ctx, "BEGIN IMMEDIATE", func(*sql.Conn) error { return pause(ctx, 1300*time.Millisecond) })
				})
				return nil
			},
			end: func(context.Context) error { return writing.end() },
		},
		{
			alerts: []expected{{"StudyCircleSheds", map[string]string{"reason": "slots"}}},
			beside: []string{"StudyCircleErrors"}, // refusals have the status 503
			begin: func(ctx context.Context) error {
				load.start(ctx, 0, times(400, func(ctx context.Context, c *crowd) {
					p := userOf(c, 0)
					for ctx.Err() == nil {
						p.once(ctx, "search", http.MethodGet, "/api/assignments?search="+strings.Join(someWords(2), "+"), nil, nil)
					}
				}, n.url()))
				return nil
			},
			end: func(context.Context) error { return load.end() },
		},
	}, nil
}

// awaitLog waits until the write-ahead log has a size in bytes.
func (s *scene) awaitLog(ctx context.Context, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		info, err := os.Stat(filepath.Join(s.dir, "node1", "studycircle.db-wal"))
		if err != nil || info.Size() > size {
			return err
		}
		if err := pause(ctx, lookEvery); err != nil {
			return fmt.Errorf("the write-ahead log has %d bytes: %w", info.Size(), err)
		}
	}
}

// transaction runs f in a transaction of another program, and rolls it back.
func (s *scene) transaction(ctx context.Context, begin string, f func(*sql.Conn) error) (err error) {
	d, err := openSQLite(s.database())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	c, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if _, err := c.ExecContext(ctx, begin); err != nil {
		return err
	}
	err = f(c)
	_, rolled := c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return errors.Join(err, rolled)
}

// times returns a function that runs f so many times at once, with a crowd at url, until ctx ends.
func times(n int, f func(context.Context, *crowd), url string) func(context.Context) error {
	return func(ctx context.Context) error {
		c := newCrowd(ctx, url, 0)
		for range n {
			c.done.Go(func() { f(ctx, c) })
		}
		<-ctx.Done()
		c.end()
		return nil
	}
}

// longText returns a long text of words that no other has.
func longText() string { return strings.Join(someWords(1000), " ") }

func someWords(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%07x", rand.Uint32N(1<<28))
	}
	return words
}

// task repeats a function.
type task struct {
	stop    context.CancelFunc
	running sync.WaitGroup
	err     error
}

// start repeats f, with a pause after each call, until end is called or f fails.
func (t *task) start(ctx context.Context, every time.Duration, f func(context.Context) error) {
	ctx, t.stop = context.WithCancel(ctx)
	t.running.Go(func() {
		for ctx.Err() == nil {
			if err := f(ctx); err != nil && ctx.Err() == nil {
				t.err = err
				return
			}
			_ = pause(ctx, every) // ends with ctx
		}
	})
}

// end waits for the last call and returns its error. Ending twice does no harm.
func (t *task) end() error {
	if t.stop != nil {
		t.stop()
	}
	t.running.Wait()
	return t.err
}
