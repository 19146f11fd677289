package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"

	"studycircle/internal/testpg"
)

// mostUnarchived is how much work the loss of PostgreSQL's machine may cost: archive_timeout, and the time for a copy.
const mostUnarchived = 15 * time.Second

// restorePostgres kills PostgreSQL under writers and recovers from a base backup and the archive of its log, then from
// a dump.
func restorePostgres(ctx context.Context, r *report, dir string) (err error) {
	r.chapter("PostgreSQL with archive_timeout=10s, %d writers", writers)
	archive := filepath.Join(dir, "archive")
	if err := errors.Join(os.Mkdir(archive, 0o700), os.Chmod(archive, 0o777), os.Chmod(dir, 0o755)); err != nil { //nolint:gosec // PostgreSQL's user writes to it
		return err
	}
	primary, err := testpg.Start("fsync=on", "full_page_writes=on", "archive_mode=on", "archive_timeout=10s",
		fmt.Sprintf("archive_command=test ! -f %[1]s/%%f && cp %%p %[1]s/%%f.part && mv %[1]s/%%f.part %[1]s/%%f", archive))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, primary.Stop()) }()
	n, err := newNode(builtProgram, dir, "beside", "--rate-limits", "off", "--database", primary.URL("postgres"))
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.kill()) }()
	c := newCrowd(ctx, n.url(), writers)
	defer c.end()
	if err := c.awaitWrites(ctx, wantedWrites/4); err != nil {
		return err
	}
	first, err := primary.BaseBackup()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.Remove()) }()
	second, err := primary.BaseBackup()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, second.Remove()) }()
	bases := []*testpg.Base{first, second}
	if err := c.awaitWrites(ctx, wantedWrites/2); err != nil {
		return err
	}
	middle := time.Now()
	if err := c.awaitWrites(ctx, wantedWrites*3/4); err != nil {
		return err
	}
	dump := filepath.Join(dir, "dump")
	dumped := time.Now()
	if err := (&helper{
		program: "pg_dump", args: []string{"--format=custom", "--file", dump, primary.URL("postgres")},
	}).run(ctx); err != nil {
		return err
	}
	if err := c.awaitWrites(ctx, wantedWrites); err != nil {
		return err
	}
	// An archive that is behind must have had the time for one file.
	if err := pause(ctx, mostUnarchived); err != nil {
		return err
	}
	killed := time.Now()
	if err := primary.Kill(); err != nil {
		return err
	}
	c.end()
	if err := n.kill(); err != nil {
		return err
	}
	r.say(
		"acknowledged: %d assignments, %d submissions, %d grades; PostgreSQL is killed and its folder lost",
		len(c.assignments), len(c.submissions), len(c.grades),
	)
	fetch := fmt.Sprintf("restore_command=cp %s/%%f %%p", archive)
	for i, target := range [][]string{{fetch}, {
		fetch, "recovery_target_action=promote",
		"recovery_target_time=" + middle.UTC().Format("2006-01-02 15:04:05.999999+00"),
	}} {
		began := time.Now()
		recovered, err := bases[i].Recover(target...)
		if err != nil {
			return err
		}
		took, url := time.Since(began), recovered.URL("postgres")
		there, err := assignmentsIn(ctx, url)
		if err == nil && i == 0 {
			c.barLatest(r, there, killed, mostUnarchived, took)
		} else if err == nil {
			c.barMoment(r, there, middle, 0, took)
		}
		name := []string{"latest", "middle"}[i]
		err = errors.Join(
			err, examine(ctx, r, name, "--database", url), serves(ctx, r, dir, name+"-beside", "--database", url),
		)
		if i == 1 {
			err = errors.Join(err, c.restoreDump(ctx, r, dir, dump, dumped, recovered))
		}
		if err := errors.Join(err, recovered.Stop()); err != nil {
			return err
		}
	}
	return nil
}

// restoreDump restores a dump into a new database of a cluster.
func (c *crowd) restoreDump(
	ctx context.Context, r *report, dir, dump string, dumped time.Time, in *testpg.Cluster,
) error {
	name, err := in.Create("template0")
	if err != nil {
		return err
	}
	url, began := in.URL(name), time.Now()
	if err := (&helper{
		program: "pg_restore", args: []string{"--exit-on-error", "--no-owner", "--dbname", url, dump},
	}).run(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	there, err := assignmentsIn(ctx, url)
	if err != nil {
		return err
	}
	missing, before := 0, 0
	for id, heard := range c.heard {
		if heard.Before(dumped) {
			before++
			if _, is := there[id]; !is {
				missing++
			}
		}
	}
	r.bar(
		missing == 0, "restored from a dump in %s: of %d assignments acknowledged before it %d missing",
		took.Round(time.Millisecond), before, missing,
	)
	return errors.Join(
		examine(ctx, r, "the dump", "--database", url), serves(ctx, r, dir, "dump-beside", "--database", url),
	)
}

// assignmentsIn returns the assignments in a PostgreSQL database.
func assignmentsIn(ctx context.Context, url string) (there map[string]int64, err error) {
	d, err := sql.Open("pgx", url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return pairs(ctx, d, "SELECT id, 0 FROM assignments")
}
