package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// oldEnv names the commit to upgrade from. The default is the commit before the newest
// migration.
const oldEnv = "STUDYCIRCLE_DRILL_OLD"

// oneMore is a migration that a next release might bring.
const oneMore = `-- +goose Up
ALTER TABLE assignments ADD COLUMN drilled BIGINT;
CREATE TABLE drills (id TEXT PRIMARY KEY, assignment_id TEXT NOT NULL REFERENCES assignments (id));
`

// drillUpgrade replaces three nodes of an older program by a newer one, one at a time, under
// load. The first new node migrates the database under the other two.
func drillUpgrade(ctx context.Context, r *report) (err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	old, newer, what, err := programs(ctx, dir)
	if err != nil {
		return err
	}
	s, err := openSite(ctx, old)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	url := s.primary.URL("postgres")
	version := func() (string, error) {
		return queryText(ctx, url, "SELECT MAX(version_id)::text FROM goose_db_version")
	}
	before, err := version()
	if err != nil {
		return err
	}
	c := newCrowd(ctx, s.url(), people)
	defer c.end()
	r.chapter("Three nodes of %s are replaced one by one, %d users at work", what, people)
	if err := pause(ctx, settled/2); err != nil {
		return err
	}
	for i, n := range s.nodes {
		from := time.Now()
		if err := n.signal(syscall.SIGTERM); err != nil {
			return err
		}
		n.program = newer
		if err := n.start(ctx); err != nil {
			return err
		}
		if err := pause(ctx, settled); err != nil {
			return err
		}
		f := figuresOf(c.during(from, time.Now()))
		now, err := version()
		if err != nil {
			return err
		}
		r.bar(f.failed == 0, "node %d replaced (schema %s → %s): %s", i+1, before, now, f)
	}
	c.end()
	lost, err := c.lost(ctx, url)
	if err != nil {
		return err
	}
	r.bar(len(lost) == 0, "acknowledged: %d assignments, %d submissions, %d grades; lost: %d %v",
		len(c.assignments), len(c.submissions), len(c.grades), len(lost), lost[:min(len(lost), 5)])
	after, err := version()
	if err != nil {
		return err
	}
	r.bar(before != after, "the schema changed from %s to %s", before, after)
	s.nodes[0].program = old
	if err := s.nodes[0].kill(); err != nil {
		return err
	}
	err = s.nodes[0].start(ctx)
	r.say("the old program, restarted on the new schema: %s", oldVerdict(err))
	return nil
}

// oldVerdict is the old program's result.
func oldVerdict(err error) string {
	if err == nil {
		return "goes on beside the new one"
	}
	for line := range strings.Lines(err.Error()) {
		if strings.Contains(line, "schema version") {
			return "refused: " + strings.TrimSpace(line)
		}
	}
	return err.Error()
}

func oldCommit(ctx context.Context) (string, error) {
	if named := os.Getenv(oldEnv); named != "" {
		return named, nil
	}
	// Nodes share PostgreSQL, so migrations of SQLite alone do not matter. Of a branch only its
	// merge counts: its commits lack what was merged before.
	out, err := exec.CommandContext(ctx, "git", "log", "--first-parent", "--diff-merges=first-parent", "--diff-filter=A",
		"--format=%h^", "--", ":(glob)internal/store/migrations/*.sql", "internal/store/migrations/postgres").Output()
	if err != nil {
		return "", fmt.Errorf("find the newest migration: %w", err)
	}
	now, err := migrationsAt(ctx, "HEAD")
	if err != nil {
		return "", err
	}
	for commit := range strings.FieldsSeq(string(out)) {
		then, err := migrationsAt(ctx, commit)
		if err != nil {
			return "", err
		}
		// Migrations are applied in order, so the last one implies all.
		if n := len(then); n > 0 && n < len(now) && slices.Equal(then, now[:n]) {
			return commit, nil
		}
	}
	return "", errors.New("no commit before this one has an older schema")
}

// migrationsAt returns the numbers of PostgreSQL's migrations at a commit, in order.
func migrationsAt(ctx context.Context, commit string) (numbers []string, err error) {
	out, err := exec.CommandContext(ctx, "git", "ls-tree", "-r", "--name-only", commit, "internal/store/migrations").Output() //nolint:gosec // a commit
	if err != nil {
		return nil, fmt.Errorf("list the migrations of %s: %w", commit, err)
	}
	for file := range strings.FieldsSeq(string(out)) {
		folder, name := path.Split(strings.TrimPrefix(file, "internal/store/migrations/"))
		if number, _, named := strings.Cut(name, "_"); named && path.Ext(name) == ".sql" &&
			(folder == "" || folder == "postgres/") {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// programs returns an older and a newer program with a migration between them: that of
// oldCommit and the built one or, if the old one cannot be drained, the built one and the same
// with another migration.
func programs(ctx context.Context, dir string) (older, newer, what string, err error) {
	commit, err := oldCommit(ctx)
	if err != nil {
		return "", "", "", err
	}
	if err := exec.CommandContext(ctx, "git", "grep", "--quiet", "Drain", commit, "--", "cmd/studycircle").Run(); err == nil { //nolint:gosec // a commit
		older, err = build(ctx, dir, commit, nil)
		return older, builtProgram, commit, err
	}
	newer, err = build(ctx, dir, "HEAD", func(tree string) error {
		return os.WriteFile(filepath.Join(tree, "internal", "store", "migrations", "9999_drill.sql"), []byte(oneMore), 0o600)
	})
	return builtProgram, newer, "this release, by a next one with a migration more,", err
}

// build builds the program of a commit, with an optional change. Its web app is built from its
// own sources with the installed packages.
func build(ctx context.Context, dir, commit string, change func(tree string) error) (program string, err error) {
	tree, program := filepath.Join(dir, "tree"), filepath.Join(dir, "studycircle")
	if err := run(ctx, nil, "git", "worktree", "add", "--quiet", "--detach", tree, commit); err != nil {
		return "", fmt.Errorf("check out %s: %w", commit, err)
	}
	defer func() { err = errors.Join(err, run(ctx, nil, "git", "worktree", "remove", "--force", tree)) }()
	if change != nil {
		if err := change(tree); err != nil {
			return "", err
		}
	}
	packages, err := filepath.Abs(filepath.Join("web", "node_modules"))
	if err != nil {
		return "", err
	}
	if err := os.Symlink(packages, filepath.Join(tree, "web", "node_modules")); err != nil {
		return "", err
	}
	app := exec.CommandContext(ctx, "npm", "run", "--silent", "build")
	app.Dir, app.Stderr = filepath.Join(tree, "web"), os.Stderr
	if err := app.Run(); err != nil {
		return "", fmt.Errorf("build the web app of %s: %w", commit, err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, "./cmd/studycircle") //nolint:gosec // our own
	cmd.Dir, cmd.Stderr = tree, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build %s: %w", commit, err)
	}
	return program, nil
}
