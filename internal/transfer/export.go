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
	"studycircle/internal/store"
)

// Export writes the public data to dir, which it creates if missing. It refuses to
// overwrite an earlier export. It exports no secrets.
func Export(ctx context.Context, s *store.Store, dir string) (Counts, error) {
	var counts Counts
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return counts, err
	}
	err := write(dir, usersFile, func(put func(any) error) error {
		return s.EachUser(ctx, func(u studycircle.User) error {
			counts.Users++
			return put(userRecord{Email: u.Email, DisplayName: u.DisplayName, PhotoURL: u.PhotoURL})
		})
	})
	if err != nil {
		return counts, err
	}
	live := map[string]bool{}
	err = write(dir, assignmentsFile, func(put func(any) error) error {
		return s.EachAssignment(ctx, func(a studycircle.Assignment) error {
			counts.Assignments++
			live[a.ID] = true
			return put(recordOfAssignment(a))
		})
	})
	if err != nil {
		return counts, err
	}
	return counts, write(dir, submissionsFile, func(put func(any) error) error {
		return s.EachSubmission(ctx, func(sub studycircle.Submission) error {
			counts.Submissions++
			return put(recordOf(sub, live))
		})
	})
}

// recordOf omits the id of a deleted assignment, which the export lacks; the submission
// has a title and a total of its own.
func recordOf(s studycircle.Submission, live map[string]bool) submissionRecord {
	r := submissionRecord{
		ID: s.ID, AssignmentTitle: s.AssignmentTitle, SubmittedBy: s.Submitter.Email, DocsLink: s.DocsLink, Note: s.Note,
		Status: string(s.Status), SubmittedAt: s.SubmittedAt, Late: &s.Late, Marks: s.Marks,
	}
	if live[s.AssignmentID] {
		r.AssignmentID = s.AssignmentID
	}
	if s.Grade != nil {
		r.GivenMark, r.Feedback, r.MarkedAt = &s.Grade.Mark, s.Grade.Feedback, s.Grade.MarkedAt
		if r.Feedback != "" {
			r.Format = string(studycircle.FormatOf(s.Grade.HTML))
		}
	}
	return r
}

// write creates a file of the records that each puts, and syncs it.
func write(dir, name string, each func(put func(any) error) error) (err error) {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names this folder
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffer := bufio.NewWriterSize(file, 1<<20)
	err = each(func(record any) error {
		text, err := encode.Append(nil, record)
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
