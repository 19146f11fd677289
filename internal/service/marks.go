package service

import (
	"context"
	"slices"
	"strings"
	"time"

	"studycircle"
)

// Marks are the marks of a circle as far as a viewer may read them.
type Marks struct {
	Circle  studycircle.OwnCircle
	Columns []studycircle.MarkColumn // newest first
}

// allColumns is more than a circle has assignments.
const allColumns = 1 << 40

func (s *Service) marks(
	ctx context.Context, viewer studycircle.User, circleID string, most int64,
) (m Marks, err error) {
	if m.Circle, err = s.Circle(ctx, viewer, circleID); err != nil {
		return m, err
	}
	m.Columns, err = s.markColumns(ctx, viewer, m.Circle, most)
	return m, err
}

// markColumns returns the assignments of a circle whose marks viewer may read, newest first. CodeNotOrganizer if a
// member who does not organize the circle has published none.
func (s *Service) markColumns(
	ctx context.Context, viewer studycircle.User, in studycircle.OwnCircle, most int64,
) ([]studycircle.MarkColumn, error) {
	creatorID, err := studycircle.MarksFor(in)
	if err != nil {
		return nil, err
	}
	columns, err := s.store.MarkColumns(ctx, s.as(viewer), in.ID, creatorID, most)
	if err == nil && creatorID != "" && len(columns) == 0 {
		err = studycircle.MayReadAsOrganizer(in.Mine, in.Circle)
	}
	return columns, err
}

// ReadsMarks reports whether Marks answers viewer, a member of the circle in.
func (s *Service) ReadsMarks(ctx context.Context, viewer studycircle.User, in studycircle.OwnCircle) (bool, error) {
	_, err := s.markColumns(ctx, viewer, in, 1)
	if studycircle.CodeOf(err) == studycircle.CodeNotOrganizer {
		return false, nil
	}
	return err == nil, err
}

// Marks returns a page of the members of a circle with their marks for its newest assignments, and the number of
// members. A member who does not organize the circle reads the marks for their own assignments. ErrNotFound,
// CodeNotOrganizer if there are none.
func (s *Service) Marks(
	ctx context.Context, viewer studycircle.User, circleID string, p studycircle.Page,
) (m Marks, rows []studycircle.MarkRow, total int64, err error) {
	if m, err = s.marks(ctx, viewer, circleID, studycircle.MaxMarkColumns); err != nil {
		return m, nil, 0, err
	}
	members, total, err := s.store.Members(ctx, s.as(viewer), circleID, studycircle.MemberFilter{}, false, p)
	if err != nil {
		return m, nil, 0, err
	}
	rows, err = s.markRows(ctx, viewer, m, members)
	return m, rows, total, err
}

// markRows returns the rows of some members, with their accuracy if viewer organizes a circle that counts it.
func (s *Service) markRows(
	ctx context.Context, viewer studycircle.User, m Marks, members []studycircle.Member,
) ([]studycircle.MarkRow, error) {
	rows, err := s.store.MarkRows(ctx, s.as(viewer), m.Circle.Circle, m.Columns, members, today(s.clock()))
	if err != nil || !m.Circle.CountsAccuracy || !m.Circle.Mine.Role.Organizes() {
		return rows, err
	}
	for some := range slices.Chunk(rows, fileRows) {
		ids := make([]string, len(some))
		for i, r := range some {
			ids[i] = r.UserID
		}
		of, err := s.store.AccuracyIn(ctx, s.as(viewer), m.Circle.Circle, ids, today(s.clock()))
		if err != nil {
			return nil, err
		}
		for i := range some {
			some[i].Accuracy = of[some[i].UserID]
		}
	}
	return rows, nil
}

// Accuracy returns viewer's accuracy as the organizers of a circle read it; zero if the circle does not count it.
func (s *Service) Accuracy(
	ctx context.Context, viewer studycircle.User, in studycircle.OwnCircle,
) (studycircle.Accuracy, error) {
	if !in.CountsAccuracy {
		return studycircle.Accuracy{}, nil
	}
	of, err := s.store.AccuracyIn(ctx, s.as(viewer), in.Circle, []string{viewer.ID}, today(s.clock()))
	return of[viewer.ID], err
}

// today returns the beginning of the day in UTC.
func today(now time.Time) time.Time { return now.Truncate(24 * time.Hour) }

// EachMarks calls begin, and then f with the rows of all members for all assignments that Marks is about, some at a
// time. The members come in the order of joining or, if coded is not nil, of their codes, without their names. Its
// errors before begin are those of Marks.
func (s *Service) EachMarks(
	ctx context.Context, viewer studycircle.User, circleID string, coded func(userID string) string, begin func(Marks),
	f func([]studycircle.MarkRow) error,
) error {
	m, err := s.marks(ctx, viewer, circleID, allColumns)
	if err != nil {
		return err
	}
	begin(m)
	rows := func(members []studycircle.Member) error {
		rows, err := s.markRows(ctx, viewer, m, members)
		if err != nil {
			return err
		}
		return f(rows)
	}
	if coded == nil {
		return s.store.EachMembers(ctx, s.as(viewer), circleID, rows)
	}
	roles, err := s.store.Roles(ctx, s.as(viewer), circleID)
	if err != nil {
		return err
	}
	all := make([]codedMember, 0, len(roles))
	for id, role := range roles {
		all = append(all, codedMember{coded(id), id, role})
	}
	slices.SortFunc(all, func(a, b codedMember) int { return strings.Compare(a.code, b.code) })
	for some := range slices.Chunk(all, fileRows) {
		members := make([]studycircle.Member, len(some))
		for i, one := range some {
			members[i].Account.UserID = one.userID
			members[i].Membership = studycircle.Membership{CircleID: circleID, UserID: one.userID, Role: one.role}
		}
		if err := rows(members); err != nil {
			return err
		}
	}
	return nil
}

// fileRows is the number of members of which a file is made at once.
const fileRows = 100

type codedMember struct {
	code, userID string
	role         studycircle.CircleRole
}

// NamedResult is a result with its submitter's name and label in the roster of the circle, "" in the hall.
type NamedResult struct {
	Result
	RosterName, Label string
}

// EachResults calls begin, and then f with all results of viewer's assignment, oldest first, some at a time. Its
// errors before begin are ErrNotFound and CodeNotYourAssignment.
func (s *Service) EachResults(
	ctx context.Context, viewer studycircle.User, assignmentID string,
	begin func(studycircle.OwnCircle, studycircle.Assignment), f func([]NamedResult) error,
) error {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return err
	}
	begin(in, a)
	return s.store.EachSubmissionsFor(ctx, s.as(viewer), a.ID, func(found []studycircle.Submission) error {
		names, err := s.namesIn(ctx, viewer, a.CircleID, found)
		if err != nil {
			return err
		}
		out := make([]NamedResult, len(found))
		for i, sub := range found {
			m := names[sub.Submitter.UserID]
			out[i] = NamedResult{s.resultOf(viewer, in, a, sub), m.Name, m.Label}
		}
		return f(out)
	})
}

func (s *Service) namesIn(
	ctx context.Context, viewer studycircle.User, circleID string, found []studycircle.Submission,
) (map[string]studycircle.Membership, error) {
	if circleID == studycircle.Hall {
		return nil, nil //nolint:nilnil // no submitter has a name there
	}
	ids := make([]string, len(found))
	for i, sub := range found {
		ids[i] = sub.Submitter.UserID
	}
	return s.store.NamesIn(ctx, s.as(viewer), circleID, ids)
}

// EachReviews calls begin, and then f with the reviews of each settled submission for viewer's assignment. Its errors
// before begin are ErrNotFound and CodeNotYourAssignment.
func (s *Service) EachReviews(
	ctx context.Context, viewer studycircle.User, assignmentID string, begin func(),
	f func([]studycircle.ReleasedReview) error,
) error {
	a, _, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return err
	}
	begin()
	return s.store.EachReleasedReviews(ctx, s.as(viewer), a.ID, f)
}

// EachReviewsIn is EachReviews for all assignments of a circle that Marks is about, newest first.
func (s *Service) EachReviewsIn(
	ctx context.Context, viewer studycircle.User, circleID string, begin func(),
	f func([]studycircle.ReleasedReview) error,
) error {
	m, err := s.marks(ctx, viewer, circleID, allColumns)
	if err != nil {
		return err
	}
	begin()
	for _, c := range m.Columns {
		if err := s.store.EachReleasedReviews(ctx, s.as(viewer), c.ID, f); err != nil {
			return err
		}
	}
	return nil
}
