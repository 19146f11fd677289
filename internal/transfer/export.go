// Package transfer moves the public data of an installation in and out of files, and circles
// into an installation. It knows the store and the rules, not HTTP.
package transfer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/record"
	"studycircle/internal/store"
)

// Export writes the public data to dir, which it creates if missing. It refuses to
// overwrite an earlier export. It exports no secrets.
func Export(ctx context.Context, s *store.Store, dir string) (Counts, error) {
	var counts Counts
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return counts, err
	}
	err := write(dir, record.UsersFile, func(put func(any) error) error {
		return s.EachUser(ctx, func(u studycircle.User) error {
			if studycircle.IsImportedEmail(u.Email) { // of a circle, which this export leaves out
				return nil
			}
			counts.Users++
			return put(record.User{Email: u.Email, DisplayName: u.DisplayName, PhotoURL: u.PhotoURL})
		})
	})
	if err != nil {
		return counts, err
	}
	live := map[string]bool{}
	err = write(dir, record.AssignmentsFile, func(put func(any) error) error {
		return s.EachAssignment(ctx, studycircle.Live(), studycircle.Hall, func(a studycircle.Assignment) error {
			counts.Assignments++
			live[a.ID] = true
			return put(record.OfAssignment(a))
		})
	})
	if err != nil {
		return counts, err
	}
	return counts, write(dir, record.SubmissionsFile, func(put func(any) error) error {
		return s.EachSubmission(ctx, studycircle.System(), studycircle.Hall, func(sub studycircle.Submission) error {
			counts.Submissions++
			return put(record.OfSubmission(sub, func(id string) bool { return live[id] }))
		})
	})
}

// write creates a file of the records that each puts, and syncs it.
func write(dir, name string, each func(put func(any) error) error) (err error) {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names this folder
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffer := bufio.NewWriterSize(file, 1<<20)
	err = each(func(line any) error {
		text, err := encode.Append(nil, line)
		if err != nil {
			return err
		}
		_, err = buffer.Write(append(text, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return errors.Join(buffer.Flush(), file.Sync())
}
