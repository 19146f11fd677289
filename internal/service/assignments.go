package service

import (
	"context"
	"time"
	"unicode/utf8"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// MaxSearch is the longest search text, in code points.
const MaxSearch = 200

// AssignmentQuery selects a page of assignments. All fields but Page may be empty. A query sets at most one of State,
// Search and SortOldest.
type AssignmentQuery struct {
	Page studycircle.Page
	// CircleID is the circle whose assignments are meant, "" for the hall.
	CircleID string
	Level    studycircle.Level
	State    studycircle.State
	Sort     studycircle.Sort
	Search   string
}

// errVisitor refuses a personal state to visitors.
var errVisitor = studycircle.Errorf(studycircle.CodeUnauthenticated, "Please sign in to see your progress.")

// ListAssignments returns a page of assignments and their number, in the order of Sort. A search puts matches in
// titles first, StateDueSoon the earliest due date. viewer may be a visitor, the zero User; a personal state is then
// refused with CodeUnauthenticated, and a circle of others with ErrNotFound.
func (s *Service) ListAssignments(
	ctx context.Context, viewer studycircle.User, q AssignmentQuery,
) ([]studycircle.Assignment, int64, error) {
	found, total, err := s.listAssignments(ctx, viewer, q)
	if err != nil {
		return nil, 0, err
	}
	return found, total, s.ownDueDates(ctx, viewer, found)
}

func (s *Service) listAssignments(
	ctx context.Context, viewer studycircle.User, q AssignmentQuery,
) ([]studycircle.Assignment, int64, error) {
	in, err := s.place(ctx, viewer, q.CircleID)
	if err != nil {
		return nil, 0, err
	}
	archived := !in.ArchivedAt.IsZero()
	switch {
	case !s.shows(viewer, q.CircleID), archived && q.State == studycircle.StateDueSoon:
		return nil, 0, nil
	case q.State == studycircle.StateDueSoon:
		return s.store.AssignmentsDueSoon(ctx, s.as(viewer), q.CircleID, q.Level, s.clock(), q.Page)
	case q.State != "" && viewer.ID == "":
		return nil, 0, errVisitor
	case q.State != "":
		return s.store.AssignmentsByState(ctx, s.as(viewer), q.CircleID, q.State, q.Level, q.Page)
	case q.Search != "":
		return s.store.SearchAssignments(ctx, s.as(viewer), q.CircleID, q.Search, q.Level, q.Page)
	case q.Sort == studycircle.SortOldest:
		return s.store.OldestAssignments(ctx, s.as(viewer), q.CircleID, q.Level, q.Page)
	default:
		return s.store.Assignments(ctx, s.as(viewer), q.CircleID, q.Level, q.Page)
	}
}

// ValidSearch reports whether text may be searched for.
func ValidSearch(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= MaxSearch && studycircle.PlainText(text)
}

// Assignment returns one assignment, also to a visitor. ErrNotFound.
func (s *Service) Assignment(ctx context.Context, viewer studycircle.User, id string) (studycircle.Assignment, error) {
	if !studycircle.ValidID(id) {
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	a, err := s.store.Assignment(ctx, s.as(viewer), id)
	if err != nil {
		return a, err
	}
	found := []studycircle.Assignment{a}
	err = s.ownDueDates(ctx, viewer, found)
	return found[0], err
}

// AssignmentAsStudent returns an assignment as a student without work sees it, whose due date is that of all, and
// viewer's circle as it is to that student. ErrNotFound and the errors of MayViewAsStudent.
func (s *Service) AssignmentAsStudent(
	ctx context.Context, viewer studycircle.User, id string,
) (a studycircle.Assignment, in studycircle.OwnCircle, err error) {
	if !studycircle.ValidID(id) {
		return a, in, studycircle.ErrNotFound
	}
	if a, err = s.store.Assignment(ctx, s.as(viewer), id); err != nil {
		return a, in, err
	}
	if in, err = s.place(ctx, viewer, a.CircleID); err != nil {
		return a, in, err
	}
	return a, in.AsStudent(), studycircle.MayViewAsStudent(viewer.ID, in, a)
}

// descriptionHeadings is the level of the largest headings in descriptions, below the page's title.
const descriptionHeadings = 2

// cleanAssignment cleans a creator's input and renders the description.
func cleanAssignment(in studycircle.AssignmentInput) (studycircle.AssignmentInput, error) {
	in, err := in.Clean()
	if err == nil {
		in.HTML = markdown.Render(in.Description, descriptionHeadings).HTML
	}
	return in, err
}

// PreviewDescription returns the HTML of a description. CodeInvalid.
func (s *Service) PreviewDescription(text string) (string, error) {
	text, err := studycircle.CleanDescription(text)
	if err != nil {
		return "", err
	}
	return markdown.Render(text, descriptionHeadings).HTML, nil
}

// CreateAssignment publishes viewer's assignment in a circle, or in the hall, and returns its id. CodeInvalid,
// CodeRateLimited, ErrNotFound if viewer is not a member, and the errors of MayPublishIn.
func (s *Service) CreateAssignment(
	ctx context.Context, viewer studycircle.User, circleID string, in studycircle.AssignmentInput,
) (string, error) {
	in, err := cleanAssignment(in)
	if err != nil {
		return "", err
	}
	now := s.clock()
	if err := in.CheckDue(now); err != nil {
		return "", err
	}
	a, _ := newAssignment(viewer, circleID, now).Apply(in)
	if err := a.CheckReviewing(); err != nil {
		return "", err
	}
	return a.ID, s.publish(ctx, viewer, a, func(context.Context, *store.Tx) (publication, error) {
		return publication{Assignment: a}, nil
	})
}

// CopyAssignment publishes a copy of an assignment as viewer's own, in a circle or in the hall, and returns its id.
// CodeInvalid, CodeRateLimited, ErrNotFound if viewer does not see the assignment or is not a member of the circle, and
// the errors of MayCopy and MayPublishIn.
func (s *Service) CopyAssignment(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.CopyInput,
) (string, error) {
	now := s.clock()
	in, err := in.Clean(now)
	if err != nil {
		return "", err
	}
	a := newAssignment(viewer, in.CircleID, now)
	return a.ID, s.publish(ctx, viewer, a, func(ctx context.Context, tx *store.Tx) (publication, error) {
		return copyOf(ctx, tx, viewer, id, a, in)
	})
}

// copyOf returns a with the content of the assignment of an id.
func copyOf(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, id string, a studycircle.Assignment,
	in studycircle.CopyInput,
) (out publication, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return out, studycircle.ErrNotFound
	}
	// Its exemplars stay as they are meanwhile.
	if err := tx.ShareAssignment(ctx, id); err != nil {
		return out, err
	}
	from, place, err := assignmentIn(ctx, tx, id)
	if err != nil {
		return out, err
	}
	if err := studycircle.MayCopy(viewer.ID, place, from); err != nil {
		return out, err
	}
	again, err := from.Again(in)
	if err != nil {
		return out, err
	}
	out.Assignment, _ = a.Apply(again)
	if err := out.CheckReviewing(); err != nil || !in.Exemplars {
		return out, err
	}
	ids, err := tx.ExemplarIDs(ctx, id)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		e, err := tx.Exemplar(ctx, id)
		if err != nil {
			return out, err
		}
		e.ID = studycircle.NewBlindID()
		e.AssignmentID, e.CircleID, e.Total = a.ID, a.CircleID, out.Marks
		out.exemplars = append(out.exemplars, e)
	}
	return out, nil
}

// newAssignment returns what viewer publishes in a circle, or in the hall, without its content.
func newAssignment(viewer studycircle.User, circleID string, now time.Time) studycircle.Assignment {
	return studycircle.Assignment{
		ID: studycircle.NewID(now), Creator: studycircle.Person{UserID: viewer.ID}, CreatedAt: now, UpdatedAt: now,
		CircleID: circleID, Model: grademodel.Present,
	}
}

// publication is a new assignment, and the exemplars that it begins with.
type publication struct {
	studycircle.Assignment
	exemplars []studycircle.Exemplar
}

// publish publishes what content returns in the place of a, which has its id and its time.
func (s *Service) publish(
	ctx context.Context, viewer studycircle.User, a studycircle.Assignment,
	content func(context.Context, *store.Tx) (publication, error),
) error {
	accountGone := gone
	if a.CircleID != studycircle.Hall {
		if !studycircle.ValidID(a.CircleID) { // see assignmentOf
			return studycircle.ErrNotFound
		}
		accountGone = func(err error) error { return err }
	}
	use := limit.Use{Window: createLimit, Subject: viewer.ID, At: a.CreatedAt}
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		if err := s.room(ctx, tx, use); err != nil {
			return err
		}
		place, err := tx.HoldToPublish(ctx, a.CircleID)
		if err != nil {
			return accountGone(err)
		}
		if err := studycircle.MayPublish(place, a.CircleID, s.Hall); err != nil {
			return accountGone(err)
		}
		p, err := content(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.use(ctx, tx, use); err != nil {
			return err
		}
		if err := tx.Publish(ctx, p.Assignment); err != nil {
			return accountGone(err)
		}
		for _, e := range p.exemplars {
			if err := tx.InsertExemplar(ctx, e, p.Title, a.CreatedAt); err != nil {
				return err
			}
		}
		return nil
	})
}

// Precondition refuses a change that does not fit the stored assignment, which belongs to a circle of the viewer or to
// the hall.
type Precondition func(studycircle.OwnCircle, studycircle.Assignment) error

// UpdateAssignment lets the creator change an assignment; it reports whether anything changed. ErrNotFound,
// CodeNotYourAssignment, CodeInvalid and the errors of precondition.
func (s *Service) UpdateAssignment(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.AssignmentInput, precondition Precondition,
) (bool, error) {
	in, err := cleanAssignment(in)
	if err != nil {
		return false, err
	}
	if !studycircle.ValidID(id) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	changed := false
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		changed = false
		// Another update, which would be lost, waits.
		if err := tx.LockAssignment(ctx, id); err != nil {
			return err
		}
		before, err := tx.Assignment(ctx, id)
		if err != nil {
			return err
		}
		place, err := tx.OwnCircle(ctx, before.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeAssignment(viewer.ID, place, before); err != nil {
			return err
		}
		if err := precondition(place, before); err != nil {
			return err
		}
		now := s.clock()
		if !in.Due().Equal(before.Due) {
			if err := in.CheckDue(now); err != nil {
				return err
			}
		}
		var after studycircle.Assignment
		if after, changed = before.Apply(in); !changed {
			return nil
		}
		if err := reviewingFixed(ctx, tx, before, after); err != nil {
			return err
		}
		after.UpdatedAt = later(now, before.UpdatedAt)
		if err := tx.UpdateAssignment(ctx, before, after); err != nil || after.Due.Equal(before.Due) {
			return err
		}
		return warnOfTooFew(ctx, tx, after, now)
	})
	return changed, err
}

// later keeps UpdatedAt growing when the clock stands or goes back, so that it identifies versions.
func later(now, before time.Time) time.Time {
	if now.After(before) {
		return now
	}
	return before.Add(time.Microsecond)
}

// DeleteAssignment lets the creator delete an assignment; submissions stay. ErrNotFound, CodeNotYourAssignment.
func (s *Service) DeleteAssignment(ctx context.Context, viewer studycircle.User, id string) error {
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		a, in, err := assignmentIn(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeAssignment(viewer.ID, in, a); err != nil {
			return err
		}
		return tx.DeleteAssignment(ctx, id, s.clock())
	})
}

// assignmentOf reads an assignment. An invalid id never reaches the store: PostgreSQL fails on a text with a NUL or
// broken UTF-8, and SQLite does not.
func assignmentOf(ctx context.Context, tx *store.Tx, id string) (studycircle.Assignment, error) {
	if !studycircle.ValidID(id) {
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	return tx.Assignment(ctx, id)
}

// assignmentIn reads an assignment and the viewer's circle to which it belongs.
func assignmentIn(
	ctx context.Context, tx *store.Tx, id string,
) (a studycircle.Assignment, in studycircle.OwnCircle, err error) {
	if a, err = assignmentOf(ctx, tx, id); err == nil {
		in, err = tx.OwnCircle(ctx, a.CircleID)
	}
	return a, in, err
}

// gone turns ErrNotFound for the user's own account into ErrAccountGone.
func gone(err error) error {
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return studycircle.ErrAccountGone
	}
	return err
}
