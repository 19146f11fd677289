package mail

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"time"

	"studycircle"
)

type folder struct {
	dir  string
	from *mail.Address
}

// kept is how long an email stays in a folder: it names a user whose account may be deleted.
const kept = 24 * time.Hour

// Sweeper is a Sender that stores delivered emails.
type Sweeper interface {
	// Sweep removes emails that were delivered more than a day before now.
	Sweep(now time.Time) error
}

// Sweep implements Sweeper.
func (f folder) Sweep(now time.Time) error {
	files, err := filepath.Glob(filepath.Join(f.dir, "*.eml"))
	if err != nil {
		return fmt.Errorf("list old emails: %w", err)
	}
	for _, file := range files {
		info, statErr := os.Stat(file)
		if statErr == nil && now.Sub(info.ModTime()) > kept {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return err
}

// Folder returns a Sender that writes every email into dir as an .eml file, which email programs can open. The files
// contain secrets: only the operator may read them. It is a Sweeper.
func Folder(dir string, from *mail.Address) Sender { return folder{dir, from} }

// Send implements Sender. A file gets its name once it is complete.
func (f folder) Send(_ context.Context, m Message) error {
	msg, err := build(f.from, m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("create the email folder: %w", err)
	}
	part, err := os.CreateTemp(f.dir, "part-*")
	if err != nil {
		return fmt.Errorf("write an email: %w", err)
	}
	_, err = msg.WriteTo(part)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		now := time.Now()
		name := now.UTC().Format("20060102-150405") + "-" + studycircle.NewID(now) + ".eml"
		err = os.Rename(part.Name(), filepath.Join(f.dir, name))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write an email: %w", err), os.Remove(part.Name()))
	}
	return nil
}
