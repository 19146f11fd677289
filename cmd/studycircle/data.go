package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"studycircle/internal/backups"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/transfer"
)

type importCommand struct {
	databaseFlags
	Dir string `arg:"" help:"Folder with users.jsonl, assignments.jsonl, submissions.jsonl; any may be missing."`
}

// Run imports and prints how many records are new.
func (c importCommand) Run(ctx context.Context) (err error) {
	s, err := store.Open(ctx, c.config())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var bar *progressbar.ProgressBar
	counts, err := transfer.Import(ctx, s, c.Dir, time.Now(),
		func(lines int) { bar = progressbar.Default(int64(lines), "importing") },
		func() { _ = bar.Add(1) }) // an error of the progress bar does not stop the import
	if err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	fmt.Printf(
		"Imported %d users, %d assignments, %d submissions that were not there before.\n",
		counts.Users, counts.Assignments, counts.Submissions,
	)
	return analyze(ctx, s)
}

// analyze updates the planner's statistics after a database was filled. Its failure undoes
// nothing.
func analyze(ctx context.Context, s *store.Store) error {
	bar := progressbar.Default(int64(bulk.AnalyzeSteps(s)), "tidying up")
	if err := bulk.Analyze(ctx, s, func() { _ = bar.Add(1) }); err != nil {
		return fmt.Errorf(
			"the data is complete, but updating the database's statistics failed, so it may be slow at first: %w", err,
		)
	}
	return nil
}

type exportCommand struct {
	databaseFlags
	Dir string `arg:"" help:"Folder to write to; created if missing."`
}

// Run exports and prints how many records were written.
func (c exportCommand) Run(ctx context.Context) (err error) {
	s, err := store.Open(ctx, c.config())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	counts, err := transfer.Export(ctx, s, c.Dir)
	if err != nil {
		return err
	}
	fmt.Printf(
		"Exported %d users, %d assignments, %d submissions to %s.\n",
		counts.Users, counts.Assignments, counts.Submissions, c.Dir,
	)
	return nil
}

var errNotEmbedded = errors.New("this is for the embedded database; PostgreSQL has pg_dump and pg_restore")

type backupCommand struct {
	databaseFlags
	File string `arg:"" help:"File to write; must not exist."`
}

// Run backs up the embedded database.
func (c backupCommand) Run(ctx context.Context) error {
	if c.Database != "" {
		return errNotEmbedded
	}
	if err := store.Backup(ctx, c.Data, c.File); err != nil {
		return err
	}
	fmt.Println("Backed up to", c.File)
	return nil
}

// backupFlags say which backups a server makes by itself.
type backupFlags struct {
	BackupDir   string        `placeholder:"DIR" help:"Folder for backups of the embedded database, on another disk. Default: none are made."`
	BackupEvery time.Duration `default:"24h" placeholder:"TIME" help:"The time between two backups."`
	BackupKeep  int           `default:"7" placeholder:"N" help:"How many backups to keep."`
}

// backups returns the flags' Config.
func (f backupFlags) backups(of databaseFlags) (backups.Config, error) {
	c := backups.Config{Data: of.Data, Dir: f.BackupDir, Every: f.BackupEvery, Keep: f.BackupKeep}
	if c.Dir != "" && of.Database != "" {
		return c, fmt.Errorf("--backup-dir: %w", errNotEmbedded)
	}
	return c, c.Check()
}

type restoreCommand struct {
	databaseFlags
	File string `arg:"" help:"A backup."`
}

// Run restores the embedded database.
func (c restoreCommand) Run(ctx context.Context) error {
	if c.Database != "" {
		return errNotEmbedded
	}
	if err := store.Restore(ctx, c.Data, c.File); err != nil {
		return err
	}
	fmt.Println("Restored to", c.Data)
	return nil
}

type copyCommand struct {
	databaseFlags
	To string `required:"" secret:"" placeholder:"URL" help:"Where to: postgres://user:password@host:5432/name, or the folder of an embedded database."`
}

// Run copies everything and prints how many rows there are.
func (c copyCommand) Run(ctx context.Context) (err error) {
	target := store.Config{Dir: strings.TrimPrefix(c.To, "file://")}
	if strings.HasPrefix(c.To, "postgres://") || strings.HasPrefix(c.To, "postgresql://") {
		target = store.Config{URL: c.To}
	}
	from, err := store.Open(ctx, c.config())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := store.Open(ctx, target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	rows, err := bulk.CountRows(ctx, from)
	if err != nil {
		return err
	}
	bar := progressbar.Default(rows, "copying")
	// an error of the progress bar does not stop the copy
	copied, err := bulk.Copy(ctx, from, to, func() { _ = bar.Add(1) })
	if err != nil {
		return fmt.Errorf("nothing was copied: %w", err)
	}
	fmt.Printf("Copied %d rows, checksums equal, to the %s.\n", copied, store.Describe(target))
	return analyze(ctx, to)
}
