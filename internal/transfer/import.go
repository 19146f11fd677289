package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// Counts says how many records of each kind an import added, or an export wrote.
type Counts struct{ Users, Assignments, Submissions int }

// Import reads the files in dir, any of which may be missing, in one step that
// happens as a whole or not at all. Records whose id is known stay as they are,
// so importing twice changes nothing. Assignments become the newest, ordered
// among themselves by createdAt. started is told how many lines there are, and
// step is called after each. The error of a bad line names file and line.
func Import(ctx context.Context, s *store.Store, dir string, now time.Time, started func(lines int), step func()) (Counts, error) {
	now = now.UTC().Truncate(time.Microsecond)
	im := &importer{now: now, step: step}
	if err := im.open(dir); err != nil {
		return Counts{}, errors.Join(err, im.close())
	}
	lines := len(im.users.lines) + len(im.assignments.lines) + len(im.submissions.lines)
	if lines == 0 {
		return Counts{}, errors.Join(fmt.Errorf("%s holds none of %s, %s, %s, or only empty ones", dir, usersFile, assignmentsFile, submissionsFile), im.close())
	}
	started(lines)
	err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		im.counts, im.ids = Counts{}, map[string]string{}
		return im.run(ctx, tx)
	})
	if err != nil {
		im.counts = Counts{}
	} else {
		err = s.Analyze(ctx)
	}
	return im.counts, errors.Join(err, im.close())
}

type importer struct {
	now                             time.Time
	step                            func()
	users, assignments, submissions *source
	counts                          Counts
	ids                             map[string]string // user ids by e-mail
}

// open checks every line by itself, before anything is written.
func (im *importer) open(dir string) (err error) {
	im.users, err = open(dir, usersFile, func(text []byte) (time.Time, error) {
		var r userRecord
		if err := parse(text, &r); err != nil {
			return time.Time{}, err
		}
		_, err := r.user(im.now)
		return im.now, err
	})
	if err != nil {
		return err
	}
	im.assignments, err = open(dir, assignmentsFile, func(text []byte) (time.Time, error) {
		var r assignmentRecord
		if err := parse(text, &r); err != nil {
			return time.Time{}, err
		}
		a, err := r.assignment(im.now)
		return a.CreatedAt, err
	})
	if err != nil {
		return err
	}
	im.submissions, err = open(dir, submissionsFile, func(text []byte) (time.Time, error) {
		var r submissionRecord
		err := parse(text, &r)
		return orNow(r.SubmittedAt, im.now), err
	})
	return err
}

func (im *importer) close() error {
	var errs []error
	for _, s := range []*source{im.users, im.assignments, im.submissions} {
		if s != nil {
			errs = append(errs, s.close())
		}
	}
	return errors.Join(errs...)
}

func (im *importer) run(ctx context.Context, tx *store.Tx) error {
	if err := im.users.each(func(text []byte) error { return im.user(ctx, tx, text) }); err != nil {
		return err
	}
	if err := im.assignments.each(func(text []byte) error { return im.assignment(ctx, tx, text) }); err != nil {
		return err
	}
	return im.submissions.each(func(text []byte) error { return im.submission(ctx, tx, text) })
}

func (im *importer) user(ctx context.Context, tx *store.Tx, text []byte) error {
	im.step()
	var r userRecord
	if err := parse(text, &r); err != nil {
		return err
	}
	_, err := im.account(ctx, tx, r)
	return err
}

// account returns the id of the user with r's address, new or known.
func (im *importer) account(ctx context.Context, tx *store.Tx, r userRecord) (string, error) {
	u, err := r.user(im.now)
	if err != nil {
		return "", err
	}
	if id, found := im.ids[u.Email]; found {
		return id, nil
	}
	id, added, err := tx.ImportAccount(ctx, u)
	if err != nil {
		return "", err
	}
	if added {
		im.counts.Users++
	}
	im.ids[u.Email] = id
	return id, nil
}

func (im *importer) assignment(ctx context.Context, tx *store.Tx, text []byte) error {
	im.step()
	var r assignmentRecord
	if err := parse(text, &r); err != nil {
		return err
	}
	a, err := r.assignment(im.now)
	if err != nil {
		return err
	}
	if a.Creator.Email != "" {
		if a.Creator.UserID, err = im.account(ctx, tx, userRecord{Email: a.Creator.Email, DisplayName: a.Creator.DisplayName}); err != nil {
			return fmt.Errorf("creatorEmail: %w", err)
		}
	}
	added, err := tx.ImportAssignment(ctx, a)
	if added {
		im.counts.Assignments++
	}
	return err
}

func (im *importer) submission(ctx context.Context, tx *store.Tx, text []byte) error {
	im.step()
	var r submissionRecord
	if err := parse(text, &r); err != nil {
		return err
	}
	var of *studycircle.Assignment
	if r.AssignmentID != "" {
		a, err := tx.AnyAssignment(ctx, r.AssignmentID)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return fmt.Errorf("assignmentId: there is no assignment %q", r.AssignmentID)
		}
		if err != nil {
			return err
		}
		of = &a
	}
	s, err := r.submission(of, im.now)
	if err != nil {
		return err
	}
	if s.Submitter.Email != "" {
		if s.Submitter.UserID, err = im.account(ctx, tx, userRecord{Email: s.Submitter.Email}); err != nil {
			return fmt.Errorf("submittedBy: %w", err)
		}
	}
	added, err := tx.ImportSubmission(ctx, s)
	if added {
		im.counts.Submissions++
	}
	return err
}
