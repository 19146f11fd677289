package peer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"studycircle/proof/bench/internal/seed"
)

// partSize is the number of records per import.
const partSize = 500_000

// stamp records how far a database is filled, and its schema.
type stamp struct {
	Parts  int    `json:"parts"`
	Schema string `json:"schema"`
}

// Engines are the kinds of filled databases.
var Engines = []string{"sqlite", "postgres", "pocketbase"}

// Lock reserves the data for this process until it ends and removes the work files of a killed
// one.
func (t Tree) Lock() error {
	if err := os.MkdirAll(t.Data, 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(t.Data, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(fmt.Errorf("another bench uses %s: %w", t.Data, err), file.Close())
	}
	locked = file
	return errors.Join(os.RemoveAll(t.Work()), os.MkdirAll(t.Work(), 0o755))
}

// locked keeps the file open; closing it releases the lock.
var locked *os.File

// Work is the folder for a run's copies.
func (t Tree) Work() string { return filepath.Join(t.Data, "work") }

// Filled is the folder of an engine's database between runs. Runs copy it, since they write.
func (t Tree) Filled(s seed.Set, engine string) string {
	return filepath.Join(t.Data, fmt.Sprintf("v%d-seed%d-%d", seed.Version, s.Seed, s.Size), engine)
}

// Fill fills an engine's database as far as necessary and reports progress. It migrates older
// schemas as an operator would, and resumes when interrupted.
func (t Tree) Fill(ctx context.Context, s seed.Set, engine string, say func(string)) error {
	dir := t.Filled(s, engine)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var err error
	switch engine {
	case "pocketbase":
		err = t.fillPocketBase(ctx, s, dir, say)
	case "sqlite":
		err = t.fillSQLite(ctx, s, dir, say)
	case "postgres":
		err = t.fillPostgres(ctx, s, dir, say)
	}
	if err != nil {
		return fmt.Errorf("fill %s: %w", engine, err)
	}
	return nil
}

// fillSQLite imports part by part.
func (t Tree) fillSQLite(ctx context.Context, s seed.Set, dir string, say func(string)) error {
	done, schema, err := t.filled(dir)
	if err != nil {
		return err
	}
	parts := s.Parts(partSize)
	if done.Parts == len(parts) && done.Schema == schema {
		return nil
	}
	if done.Parts == 0 {
		server, err := t.StartSQLite(ctx, dir)
		if err != nil {
			return err
		}
		if err := errors.Join(register(ctx, server), server.Stop()); err != nil {
			return err
		}
	}
	if err := t.run(ctx, "migrate", "--data", dir); err != nil {
		return err
	}
	for ; done.Parts < len(parts); done.Parts++ {
		part := parts[done.Parts]
		began := time.Now()
		if err := t.importPart(ctx, s, part, dir); err != nil {
			return err
		}
		say(fmt.Sprintf("sqlite: part %d of %d, %d records in %.0f "+
			"s", done.Parts+1, len(parts), part.Records(s), time.Since(began).Seconds()))
		if err := writeJSON(stampIn(dir), stamp{Parts: done.Parts + 1, Schema: schema}); err != nil {
			return err
		}
	}
	return writeJSON(stampIn(dir), stamp{Parts: done.Parts, Schema: schema})
}

// fillPostgres copies the SQLite database with the product's own command, which takes a third
// of an import's time and makes both equal to the last row. It copies all or nothing.
func (t Tree) fillPostgres(ctx context.Context, s seed.Set, dir string, say func(string)) (err error) {
	done, schema, err := t.filled(dir)
	if err != nil || done.Parts == 1 && done.Schema == schema {
		return err
	}
	if done.Parts == 0 {
		if err := os.RemoveAll(filepath.Join(dir, "pg")); err != nil { // left by an interrupted copy
			return err
		}
	}
	from := t.Filled(s, "sqlite")
	if err := t.fillSQLite(ctx, s, from, say); err != nil {
		return err
	}
	c, err := startCluster(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	began := time.Now()
	if done.Parts == 0 {
		err = t.run(ctx, "copy", "--data", from, "--to", c.url())
	} else if err = t.run(ctx, "migrate", "--data", dir, "--database", c.url()); err == nil {
		err = c.analyze(ctx)
	}
	if err != nil {
		return err
	}
	say(fmt.Sprintf("postgres: filled in %.0f s", time.Since(began).Seconds()))
	return writeJSON(stampIn(dir), stamp{Parts: 1, Schema: schema})
}

func stampIn(dir string) string { return filepath.Join(dir, "filled.json") }

// filled returns how far dir is filled and the product's current schema.
func (t Tree) filled(dir string) (done stamp, schema string, err error) {
	if err := readJSON(stampIn(dir), &done); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, "", err
	}
	schema, err = t.schema()
	return done, schema, err
}

func (t Tree) importPart(ctx context.Context, s seed.Set, part seed.Part, into string) (err error) {
	dir, err := os.MkdirTemp(t.Work(), "part-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := s.Write(dir, part); err != nil {
		return err
	}
	return t.run(ctx, "import", dir, "--data", into)
}

func (t Tree) run(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, t.Program(), args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("studycircle %s: %w\n%s", args[0], err, out[max(0, len(out)-2000):])
	}
	return nil
}

// schema identifies the product's schema by its migrations.
func (t Tree) schema() (string, error) {
	sum := sha256.New()
	root := filepath.Join(t.Repository, "internal", "store", "migrations")
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", entry.Name(), len(text), text) // a hash does not fail
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// Copy copies a filled database to a folder that a run may write to. The copy is flushed to
// disk, so that no round waits for it, and the original leaves the page cache, which cannot
// hold both of the largest size.
func (t Tree) Copy(ctx context.Context, s seed.Set, engine, to string) error {
	from := t.Filled(s, engine)
	out, err := exec.CommandContext(ctx, "cp", "-a", "--reflink=auto", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("copy the filled database: %w\n%s", err, out)
	}
	if err := eachFile(to, (*os.File).Sync); err != nil {
		return err
	}
	return eachFile(from, func(file *os.File) error { return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED) })
}

// Warm reads all files in dir, so that all servers have their databases in memory, whatever the
// order of copying.
func Warm(dir string) error {
	return eachFile(dir, func(file *os.File) error {
		_, err := io.Copy(io.Discard, file)
		return err
	})
}

func eachFile(dir string, do func(*os.File) error) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(do(file), file.Close())
	})
}

func readJSON(name string, into any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func writeJSON(name string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}
