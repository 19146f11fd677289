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
		_, err := im.parseUser(text)
		return im.now, err
	})
	if err != nil {
		return err
	}
	im.assignments, err = open(dir, assignmentsFile, func(text []byte) (time.Time, error) {
		a, err := im.parseAssignment(text)
		return a.CreatedAt, err
	})
	if err != nil {
		return err
	}
	im.submissions, err = open(dir, submissionsFile, func(text []byte) (time.Time, error) {
		r, err := parseSubmission(text)
		return orNow(r.SubmittedAt, im.now), err
	})
	return err
}

func (im *importer) parseUser(text []byte) (studycircle.User, error) {
	var r userRecord
	if err := parse(text, &r); err != nil {
		return studycircle.User{}, err
	}
	return r.user(im.now)
}

func (im *importer) parseAssignment(text []byte) (studycircle.Assignment, error) {
	var r assignmentRecord
	if err := parse(text, &r); err != nil {
		return studycircle.Assignment{}, err
	}
	return r.assignment(im.now)
}

func parseSubmission(text []byte) (r submissionRecord, err error) {
	err = parse(text, &r)
	return r, err
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
	err := each(ctx, im.users, im.parseUser, func(u studycircle.User) error {
		im.step()
		_, err := im.account(ctx, tx, u)
		return err
	})
	if err != nil {
		return err
	}
	err = each(ctx, im.assignments, im.parseAssignment, func(a studycircle.Assignment) error { return im.assignment(ctx, tx, a) })
	if err != nil {
		return err
	}
	return each(ctx, im.submissions, parseSubmission, func(r submissionRecord) error { return im.submission(ctx, tx, r) })
}

// account returns the id of the user with u's address, new or known.
func (im *importer) account(ctx context.Context, tx *store.Tx, u studycircle.User) (string, error) {
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

// named returns the id of somebody whom a line names by address only.
func (im *importer) named(ctx context.Context, tx *store.Tx, p studycircle.Person) (string, error) {
	if p.Email == "" {
		return "", nil
	}
	if id, found := im.ids[p.Email]; found {
		return id, nil
	}
	u, err := userRecord{Email: p.Email, DisplayName: p.DisplayName}.user(im.now)
	if err != nil {
		return "", err
	}
	return im.account(ctx, tx, u)
}

func (im *importer) assignment(ctx context.Context, tx *store.Tx, a studycircle.Assignment) (err error) {
	im.step()
	if a.Creator.UserID, err = im.named(ctx, tx, a.Creator); err != nil {
		return fmt.Errorf("creatorEmail: %w", err)
	}
	added, err := tx.ImportAssignment(ctx, a)
	if added {
		im.counts.Assignments++
	}
	return err
}

func (im *importer) submission(ctx context.Context, tx *store.Tx, r submissionRecord) error {
	im.step()
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
	if s.Submitter.UserID, err = im.named(ctx, tx, s.Submitter); err != nil {
		return fmt.Errorf("submittedBy: %w", err)
	}
	added, err := tx.ImportSubmission(ctx, s)
	if added {
		im.counts.Submissions++
	}
	return err
}
