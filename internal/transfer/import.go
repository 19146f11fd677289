package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"studycircle"
	"studycircle/internal/record"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
)

// Counts are the numbers of records that an import added or an export wrote.
type Counts struct{ Users, Assignments, Submissions int }

// Import reads the files in dir, any of which may be missing, in one transaction. Records
// whose id is known stay as they are, so importing twice changes nothing. Imported
// assignments become the newest, in order of createdAt. It calls started with the number
// of lines, and step after each line. The error of a bad line names file and line.
// Store.Analyze should follow.
func Import(
	ctx context.Context, s *store.Store, dir string, now time.Time, started func(lines int), step func(),
) (Counts, error) {
	now = now.UTC().Truncate(time.Microsecond)
	im := &importer{now: now, step: step}
	if err := im.open(dir); err != nil {
		return Counts{}, errors.Join(err, im.close())
	}
	lines := len(im.users.lines) + len(im.assignments.lines) + len(im.submissions.lines)
	if lines == 0 {
		return Counts{}, errors.Join(fmt.Errorf("%s holds none of %s, %s, %s, or only empty "+
			"ones", dir, record.UsersFile, record.AssignmentsFile, record.SubmissionsFile), im.close())
	}
	started(lines)
	err := s.Write(engine.WithLongWrite(ctx, engine.LongImport), studycircle.System(), func(
		ctx context.Context, tx *store.Tx,
	) error {
		im.counts, im.ids = Counts{}, map[string]string{}
		if err := bulk.BeginImport(ctx, tx.Tx); err != nil {
			return err
		}
		return im.run(ctx, tx)
	})
	if err != nil {
		im.counts = Counts{}
	}
	return im.counts, errors.Join(err, im.close())
}

// importer imports into one place.
type importer struct {
	now                             time.Time
	step                            func()
	circleID                        string // studycircle.Hall, or a circle
	users, assignments, submissions *source
	counts                          Counts
	imported                        int               // accounts of people who are shown as imported
	ids                             map[string]string // user ids by the address of their account

	// Of an import into a circle, by the addresses in its files: members with an account here and its address, and the
	// names of those without.
	here, names map[string]string
}

// open checks each line by itself, before anything is written.
func (im *importer) open(dir string) (err error) {
	if im.users, err = openAs(
		dir, record.UsersFile, im.parseUser, func(studycircle.User) time.Time { return im.now },
	); err != nil {
		return err
	}
	return im.openContent(dir)
}

// openContent is open without users.
func (im *importer) openContent(dir string) (err error) {
	if im.assignments, err = openAs(
		dir, record.AssignmentsFile, im.parseAssignment, func(a studycircle.Assignment) time.Time { return a.CreatedAt },
	); err != nil {
		return err
	}
	im.submissions, err = openAs(
		dir, record.SubmissionsFile, parseSubmission,
		func(r record.Submission) time.Time { return record.OrNow(r.SubmittedAt, im.now) },
	)
	return err
}

func (im *importer) sources() []*source { return []*source{im.users, im.assignments, im.submissions} }

// parse parses a line as a record and returns its noun.
func parse[R, N any](line []byte, noun func(R) (N, error)) (n N, err error) {
	var r R
	if err := record.Parse(line, &r); err != nil {
		return n, err
	}
	return noun(r)
}

func (im *importer) parseUser(line []byte) (studycircle.User, error) {
	return parse(line, func(r record.User) (studycircle.User, error) { return r.Noun(im.now) })
}

func (im *importer) parseAssignment(line []byte) (studycircle.Assignment, error) {
	return parse(line, func(r record.Assignment) (studycircle.Assignment, error) { return r.Noun(im.now) })
}

func parseSubmission(text []byte) (r record.Submission, err error) {
	err = record.Parse(text, &r)
	return r, err
}

func (im *importer) close() error { return closeAll(im.sources()) }

func (im *importer) run(ctx context.Context, tx *store.Tx) error {
	err := each(ctx, im.users, im.parseUser, func(all []studycircle.User) error { return im.addUsers(ctx, tx, all) })
	if err != nil {
		return err
	}
	return im.addContent(ctx, tx)
}

// addContent adds assignments and submissions.
func (im *importer) addContent(ctx context.Context, tx *store.Tx) error {
	err := each(
		ctx, im.assignments, im.parseAssignment,
		func(all []studycircle.Assignment) error { return im.addAssignments(ctx, tx, all) },
	)
	if err != nil {
		return err
	}
	return each(
		ctx, im.submissions, parseSubmission, func(all []record.Submission) error { return im.addSubmissions(ctx, tx, all) },
	)
}

func (im *importer) steps(n int) {
	for range n {
		im.step()
	}
}

func (im *importer) addUsers(ctx context.Context, tx *store.Tx, users []studycircle.User) error {
	defer im.steps(len(users))
	return im.accounts(ctx, tx, users)
}

// accounts adds all users to im.ids, new and known.
func (im *importer) accounts(ctx context.Context, tx *store.Tx, users []studycircle.User) error {
	var missing []studycircle.User
	for _, u := range users {
		if _, found := im.ids[u.Email]; !found {
			im.ids[u.Email] = "" // until the database returns it
			missing = append(missing, u)
		}
	}
	ids, added, err := bulk.ImportAccounts(ctx, tx.Tx, missing)
	if err != nil {
		return err
	}
	im.counts.Users += added
	maps.Copy(im.ids, ids)
	return nil
}

// named adds to im.ids all people whom rows name by address only, and replaces their addresses by those of their
// accounts.
func (im *importer) named(ctx context.Context, tx *store.Tx, field string, people []studycircle.Person) error {
	if im.circleID != studycircle.Hall {
		return im.shown(ctx, tx, field, people)
	}
	var users []studycircle.User
	for i, p := range people {
		if _, found := im.ids[p.Email]; found || p.Email == "" {
			continue
		}
		u, err := record.User{Email: p.Email, DisplayName: p.DisplayName}.Noun(im.now)
		if err != nil {
			return &bulk.RowError{Row: i, Err: fmt.Errorf("%s: %w", field, err)}
		}
		users = append(users, u)
	}
	return im.accounts(ctx, tx, users)
}

// shown is named for a circle: who is no member with an account here is shown as imported, by an account that cannot be
// signed in to.
func (im *importer) shown(ctx context.Context, tx *store.Tx, field string, people []studycircle.Person) error {
	var users []studycircle.User
	for i, p := range people {
		if p.Email == "" {
			continue
		}
		if here, member := im.here[p.Email]; member {
			people[i].Email = here
			continue
		}
		people[i].Email = studycircle.ImportedEmail(im.circleID, p.Email)
		if _, found := im.ids[people[i].Email]; found {
			continue
		}
		r := record.User{Email: p.Email, DisplayName: cmp.Or(im.names[p.Email], p.DisplayName)}
		if people[i].Email == p.Email { // of a circle that was imported before
			r.Email = "of@imported.invalid"
		}
		u, err := r.Noun(im.now)
		if err != nil {
			return &bulk.RowError{Row: i, Err: fmt.Errorf("%s: %w", field, err)}
		}
		u.Email, u.DisplayName = people[i].Email, studycircle.ImportedName(u.DisplayName)
		users = append(users, u)
	}
	before := im.counts.Users
	err := im.accounts(ctx, tx, users)
	im.imported, im.counts.Users = im.imported+im.counts.Users-before, before
	return err
}

// dropKnown removes the people of a circle's rows with known ids, which an import leaves as they are.
func dropKnown[Row, Known any](
	ctx context.Context, im *importer, tx *store.Tx, people []studycircle.Person, rows []Row, id func(Row) string,
	known func(context.Context, *engine.Tx, []string) (map[string]Known, error),
) error {
	if im.circleID == studycircle.Hall {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	here, err := known(ctx, tx.Tx, ids)
	for i, id := range ids {
		if _, is := here[id]; is {
			people[i] = studycircle.Person{}
		}
	}
	return err
}

func (im *importer) addAssignments(ctx context.Context, tx *store.Tx, assignments []studycircle.Assignment) error {
	defer im.steps(len(assignments))
	creators := make([]studycircle.Person, len(assignments))
	for i, a := range assignments {
		creators[i] = a.Creator
	}
	idOf := func(a studycircle.Assignment) string { return a.ID }
	if err := dropKnown(ctx, im, tx, creators, assignments, idOf, bulk.AssignmentsForImport); err != nil {
		return err
	}
	if err := im.named(ctx, tx, "creatorEmail", creators); err != nil {
		return err
	}
	for i, p := range creators {
		assignments[i].Creator.UserID, assignments[i].CircleID = im.ids[p.Email], im.circleID
	}
	added, err := bulk.ImportAssignments(ctx, tx.Tx, assignments)
	im.counts.Assignments += added
	return err
}

func (im *importer) addSubmissions(ctx context.Context, tx *store.Tx, records []record.Submission) error {
	defer im.steps(len(records))
	var of []string
	for _, r := range records {
		if r.AssignmentID != "" {
			of = append(of, r.AssignmentID)
		}
	}
	assignments, err := bulk.AssignmentsForImport(ctx, tx.Tx, of)
	if err != nil {
		return err
	}
	submissions, submitters := make([]studycircle.Submission, len(records)), make([]studycircle.Person, len(records))
	for i, r := range records {
		if submissions[i], err = im.submissionOf(r, assignments); err != nil {
			return &bulk.RowError{Row: i, Err: err}
		}
		submitters[i] = submissions[i].Submitter
	}
	idOf := func(s studycircle.Submission) string { return s.ID }
	if err := dropKnown(ctx, im, tx, submitters, submissions, idOf, bulk.KnownSubmissions); err != nil {
		return err
	}
	if err := im.named(ctx, tx, "submittedBy", submitters); err != nil {
		return err
	}
	for i, p := range submitters {
		submissions[i].Submitter.UserID, submissions[i].CircleID = im.ids[p.Email], im.circleID
	}
	added, err := bulk.ImportSubmissions(ctx, tx.Tx, submissions)
	im.counts.Submissions += added
	return err
}

// submissionOf returns the record as a noun, given the assignments that records name.
func (im *importer) submissionOf(
	r record.Submission, assignments map[string]studycircle.Assignment,
) (studycircle.Submission, error) {
	if r.AssignmentID == "" {
		return r.Noun(nil, im.now)
	}
	of, err := im.of(r.AssignmentID, assignments)
	if err != nil {
		return studycircle.Submission{}, err
	}
	return r.Noun(&of, im.now)
}

// of returns the assignment with an id that a record names, which is in the importer's place.
func (im *importer) of(id string, assignments map[string]studycircle.Assignment) (studycircle.Assignment, error) {
	a, found := assignments[id]
	if !found || a.CircleID != im.circleID {
		return a, fmt.Errorf("assignmentId: there is no assignment %q", id)
	}
	return a, nil
}
