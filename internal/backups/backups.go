// Package backups keeps copies of the embedded database in a folder.
package backups

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// Config says which copies to keep. The zero Config keeps none.
type Config struct {
	Data  string        // the data folder
	Dir   string        // the folder of the copies, created if it is missing
	Every time.Duration // the time between two copies
	Keep  int           // how many copies to keep
}

// The names of copies: the time of a copy, UTC, is between the two.
const (
	prefix = "studycircle-"
	suffix = ".db"
	layout = "20060102T150405Z"
)

// within bounds the time of one copy with its check.
const within = 6 * time.Hour

// Check refuses a Config that cannot be meant.
func (c Config) Check() error {
	switch {
	case c.Dir == "":
		return nil
	case c.Every < time.Minute:
		return errors.New("--backup-every must be a minute or more, for example 24h")
	case c.Keep < 1:
		return errors.New("--backup-keep must be 1 or more")
	}
	return nil
}

// Job returns the job that makes a copy when one is due. It looks 24 times as often, so that a copy that failed is
// tried again soon.
func (c Config) Job(now func() time.Time) periodic.Job {
	return periodic.Job{
		Name: "backing up", Every: c.Every / 24, Timeout: within, Meaning: "there is no new backup", OnEachNode: true,
		Run: func(ctx context.Context) error { return c.run(ctx, now().UTC()) },
	}
}

func (c Config) run(ctx context.Context, now time.Time) error {
	all, err := c.all()
	recent := func(at time.Time) bool { return !at.After(now) && now.Sub(at) < c.Every } // the clock may have been ahead
	if err != nil || slices.ContainsFunc(all, recent) {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(c.Dir, prefix+now.Format(layout)+suffix)
	if err := c.removeCut(); err != nil {
		return err
	}
	if err := store.Backup(ctx, c.Data, name); err != nil {
		return err
	}
	slog.InfoContext(ctx, "backed up", "file", name, "took", time.Since(now).Round(time.Millisecond).String())
	return c.removeOld()
}

// removeCut removes what is left of copies that were cut.
func (c Config) removeCut() error {
	left, err := filepath.Glob(filepath.Join(c.Dir, prefix+"*"+suffix+".part*"))
	if err != nil {
		return err
	}
	for _, of := range left {
		if err := os.Remove(of); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (c Config) removeOld() error {
	all, err := c.all()
	if err != nil {
		return err
	}
	for _, at := range all[:max(0, len(all)-c.Keep)] {
		if err := os.Remove(filepath.Join(c.Dir, prefix+at.Format(layout)+suffix)); err != nil {
			return err
		}
	}
	return nil
}

// Last returns the time of the last copy, UTC; zero if there is none.
func (c Config) Last() (time.Time, error) {
	all, err := c.all()
	if err != nil || len(all) == 0 {
		return time.Time{}, err
	}
	return all[len(all)-1], nil
}

// all returns the times of the copies, oldest first. Other files in the folder are not ours.
func (c Config) all() (out []time.Time, err error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		text, ours := strings.CutPrefix(e.Name(), prefix)
		text, complete := strings.CutSuffix(text, suffix)
		at, wrong := time.Parse(layout, text)
		if ours && complete && wrong == nil {
			out = append(out, at)
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out, err
}
