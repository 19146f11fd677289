package transfer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"studycircle"
	"studycircle/internal/record"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
)

// CircleCounts are the numbers of records that an import of a circle added.
type CircleCounts struct {
	Counts
	Circle                       string // its id
	Members, Exemplars, Comments int
	Imported                     int // people of the archive who are shown as imported
	Apart                        int // members of the archive who are no members here: the accounts may not be theirs
}

// ImportCircle reads an exported circle, a ZIP archive, in one transaction. An archive may be forged, so that only
// people says whose an account here that is in use is. Members whose address has no such account get one that its owner
// claims by password reset. All other people of the archive are shown by name, as imported. Records whose id is known
// stay as they are, so importing twice changes nothing. It calls started with the number of lines, and step after each
// line. The error of a bad line names file and line. Store.Analyze should follow.
func ImportCircle(
	ctx context.Context, s *store.Store, file string, people People, now time.Time, started func(lines int), step func(),
) (counts CircleCounts, err error) {
	now = now.UTC().Truncate(time.Microsecond)
	dir, err := os.MkdirTemp("", "studycircle-circle-")
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := unzip(file, dir); err != nil {
		return counts, err
	}
	im := &circleImporter{importer: importer{now: now, step: step}, people: people}
	defer func() { err = errors.Join(err, im.close()) }()
	if im.owner, err = (record.User{Email: people.Owner}).Noun(now); err != nil {
		return counts, fmt.Errorf("owner: %w", err)
	}
	if err := im.open(dir); err != nil {
		return counts, err
	}
	started(im.lines())
	err = s.Write(engine.WithLongWrite(ctx, engine.LongImport), studycircle.System(), func(
		ctx context.Context, tx *store.Tx,
	) error {
		im.counts, im.ids, im.threads = Counts{}, map[string]string{}, map[string]string{}
		im.here, im.names, im.takenBy = map[string]string{}, map[string]string{}, map[string]string{}
		im.members, im.exemplars, im.comments, im.imported, im.apart = 0, 0, 0, 0, 0
		if err := bulk.BeginImport(ctx, tx.Tx); err != nil {
			return err
		}
		return im.run(ctx, tx)
	})
	if err != nil {
		return counts, err
	}
	return CircleCounts{im.counts, im.circle.ID, im.members, im.exemplars, im.comments, im.imported, im.apart}, nil
}

// circleImporter imports a circle with everything in it.
type circleImporter struct {
	importer
	people                                              People
	owner                                               studycircle.User
	circle                                              studycircle.Circle
	takenBy                                             map[string]string // the inverse of here
	fresh                                               bool              // the circle was not here before
	circleSource, memberSource, exemplarSource, talking *source
	// the assignments of the threads that were read, by their ids
	threads                             map[string]string
	members, exemplars, comments, apart int
}

// open checks each line by itself, before anything is written. An archive has no users but its members.
func (im *circleImporter) open(dir string) (err error) {
	if im.circleSource, err = openAs(
		dir, record.CircleFile, im.parseCircle, func(c studycircle.Circle) time.Time { return c.CreatedAt },
	); err != nil {
		return err
	}
	if len(im.circleSource.lines) != 1 {
		return fmt.Errorf("%s has %d lines in place of one", record.CircleFile, len(im.circleSource.lines))
	}
	if im.memberSource, err = openAs(
		dir, record.MembersFile, im.parseMember, func(m studycircle.Member) time.Time { return m.JoinedAt },
	); err != nil {
		return err
	}
	if im.exemplarSource, err = openAs(
		dir, record.ExemplarsFile, parseExemplar, func(studycircle.Exemplar) time.Time { return im.now },
	); err != nil {
		return err
	}
	if im.talking, err = openAs(
		dir, record.CommentsFile, im.parseComment, func(c studycircle.Comment) time.Time { return c.CreatedAt },
	); err != nil {
		return err
	}
	return im.openContent(dir)
}

func (im *circleImporter) sources() []*source {
	return []*source{im.assignments, im.submissions, im.circleSource, im.memberSource, im.exemplarSource, im.talking}
}

func (im *circleImporter) lines() (n int) {
	for _, s := range im.sources() {
		n += len(s.lines)
	}
	return n
}

func (im *circleImporter) close() error { return closeAll(im.sources()) }

func (im *circleImporter) parseCircle(line []byte) (studycircle.Circle, error) {
	return parse(line, func(r record.Circle) (studycircle.Circle, error) { return r.Noun(im.now) })
}

func parseExemplar(line []byte) (studycircle.Exemplar, error) {
	return parse(line, record.Exemplar.Noun)
}

func (im *circleImporter) parseComment(line []byte) (studycircle.Comment, error) {
	return parse(line, func(r record.Comment) (studycircle.Comment, error) { return r.Noun(im.now) })
}

func (im *circleImporter) run(ctx context.Context, tx *store.Tx) error {
	for _, part := range []func() error{
		func() error {
			return each(ctx, im.circleSource, im.parseCircle, func(all []studycircle.Circle) (err error) {
				im.circle, im.circleID = all[0], all[0].ID
				return nil
			})
		},
		func() error { // before the owner's account, whose name is in a line, if they are a member
			return each(
				ctx, im.memberSource, im.parseMember, func(all []studycircle.Member) error { return im.addPeople(ctx, tx, all) },
			)
		},
		im.mappedMembers,
		func() error { return im.addCircle(ctx, tx) },
		func() error {
			return each(
				ctx, im.memberSource, im.parseMember, func(all []studycircle.Member) error { return im.addMembers(ctx, tx, all) },
			)
		},
		func() error { return im.addContent(ctx, tx) },
		func() error {
			return each(
				ctx, im.exemplarSource, parseExemplar,
				func(all []studycircle.Exemplar) error { return im.addExemplars(ctx, tx, all) },
			)
		},
		func() error {
			return each(
				ctx, im.talking, im.parseComment, func(all []studycircle.Comment) error { return im.addComments(ctx, tx, all) },
			)
		},
	} {
		if err := part(); err != nil {
			return err
		}
	}
	if im.fresh && !im.circle.ArchivedAt.IsZero() {
		return tx.SetCircleArchived(ctx, im.circle.ID, im.circle.ArchivedAt)
	}
	return nil
}

// addCircle adds the circle, unless it is here.
func (im *circleImporter) addCircle(ctx context.Context, tx *store.Tx) error {
	defer im.steps(1)
	if err := im.accounts(ctx, tx, []studycircle.User{im.owner}); err != nil {
		return err
	}
	inUse, err := bulk.AccountsInUse(ctx, tx.Tx, []string{im.owner.Email})
	if err != nil {
		return err
	}
	if proved, used := inUse[im.owner.Email]; used && !proved {
		return fmt.Errorf("owner: %w", errUnproved(im.owner.Email))
	}
	tx = tx.As(im.ids[im.owner.Email])
	have, err := tx.LockHoldings(ctx)
	if err != nil {
		return err
	}
	found, err := tx.LockCircle(ctx, im.circle.ID)
	switch {
	case err == nil && !found.DeletedAt.IsZero():
		return fmt.Errorf("circle %s is deleted here; an owner can restore it", im.circle.ID)
	case err == nil && found.Mine.Role != studycircle.CircleOwner:
		return fmt.Errorf("circle %s is here already, and %s is no owner of it", im.circle.ID, im.owner.Email)
	case err == nil:
		im.fresh = false
		return nil
	case studycircle.CodeOf(err) != studycircle.CodeNotFound:
		return err
	}
	if err := studycircle.MayHaveCircle(have, studycircle.CircleOwner); err != nil {
		return fmt.Errorf("owner: %w", err)
	}
	im.fresh = true
	return tx.InsertCircle(ctx, im.circle)
}

func (im *circleImporter) addExemplars(ctx context.Context, tx *store.Tx, exemplars []studycircle.Exemplar) error {
	defer im.steps(len(exemplars))
	ids := make([]string, len(exemplars))
	for i, e := range exemplars {
		ids[i] = e.ID
	}
	known, err := bulk.KnownSubmissions(ctx, tx.Tx, ids)
	if err != nil {
		return err
	}
	for i, e := range exemplars {
		if place, is := known[e.ID]; is {
			if place != im.circleID {
				return &bulk.RowError{Row: i, Err: fmt.Errorf("_id: %q is taken on this server, in another place", e.ID)}
			}
			continue
		}
		if err := im.addExemplar(ctx, tx, e); err != nil {
			return &bulk.RowError{Row: i, Err: err}
		}
		known[e.ID] = im.circleID
		im.exemplars++
	}
	return nil
}

func (im *circleImporter) addExemplar(ctx context.Context, tx *store.Tx, e studycircle.Exemplar) error {
	a, err := tx.Assignment(ctx, e.AssignmentID)
	if err == nil && a.CircleID != im.circleID {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("assignmentId: %w", err)
	}
	have, err := tx.ExemplarIDs(ctx, a.ID)
	if err != nil {
		return err
	}
	if a.Reviews == 0 || len(have) >= studycircle.MaxExemplars {
		return fmt.Errorf(
			"assignmentId: only assignments with several reviews have exemplars, at most %d", studycircle.MaxExemplars,
		)
	}
	e.Total, e.CircleID = a.Marks, a.CircleID
	if err := e.CheckUnder(a.Rubric, e.Total); err != nil {
		return err
	}
	return tx.InsertExemplar(ctx, e, a.Title, im.now)
}

func (im *circleImporter) addComments(ctx context.Context, tx *store.Tx, comments []studycircle.Comment) error {
	defer im.steps(len(comments))
	ids, authors := make([]string, len(comments)), make([]studycircle.Person, len(comments))
	for i, c := range comments {
		ids[i], authors[i] = c.AssignmentID, c.Author
	}
	assignments, err := bulk.AssignmentsForImport(ctx, tx.Tx, ids)
	if err != nil {
		return err
	}
	for i, c := range comments {
		if _, err := im.of(c.AssignmentID, assignments); err != nil {
			return &bulk.RowError{Row: i, Err: err}
		}
		if of, read := im.threads[c.ThreadID]; c.ThreadID != "" && (!read || of != c.AssignmentID) {
			return &bulk.RowError{
				Row: i, Err: fmt.Errorf("parentId: no earlier comment %q begins a thread on this assignment", c.ThreadID),
			}
		}
		if c.ThreadID == "" {
			im.threads[c.ID] = c.AssignmentID
		}
	}
	idOf := func(c studycircle.Comment) string { return c.ID }
	if err := dropKnown(ctx, &im.importer, tx, authors, comments, idOf, bulk.KnownComments); err != nil {
		return err
	}
	if err := im.named(ctx, tx, "authorEmail", authors); err != nil {
		return err
	}
	for i, p := range authors {
		comments[i].CircleID, comments[i].Author.UserID = im.circleID, im.ids[p.Email]
	}
	added, err := bulk.ImportComments(ctx, tx.Tx, comments)
	im.comments += added
	return err
}
