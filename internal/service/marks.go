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

// Marks returns a page of the members of a circle that f selects, with their marks for its newest assignments, and the
// number of these members. A member who does not organize the circle reads the marks for their own assignments.
// ErrNotFound, CodeNotOrganizer if there are none.
func (s *Service) Marks(
	ctx context.Context, viewer studycircle.User, circleID string, f studycircle.MemberFilter, p studycircle.Page,
) (m Marks, rows []studycircle.MarkRow, total int64, err error) {
	if m, err = s.marks(ctx, viewer, circleID, studycircle.MaxMarkColumns); err != nil {
		return m, nil, 0, err
	}
	// Readers of marks see names as in the roster, as organizers do.
	members, total, err := s.store.Members(ctx, s.as(viewer), circleID, f, f.Order != studycircle.ByJoining, p)
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

// MarksFile says whose marks are in a file, and in which order.
type MarksFile struct {
	// Coded orders users by codes, without their names; nil for the order of joining.
	Coded func(userID string) string
	// Students leaves out organizers and owners.
	Students bool
}

// EachMarks calls begin, and then f with the rows of all members for all assignments that Marks is about, some at a
// time. Users who have left the circle follow, if they have a mark there. Its errors before begin are those of Marks.
func (s *Service) EachMarks(
	ctx context.Context, viewer studycircle.User, circleID string, how MarksFile, begin func(Marks),
	f func([]studycircle.MarkRow) error,
) error {
	m, err := s.marks(ctx, viewer, circleID, allColumns)
	if err != nil {
		return err
	}
	left, err := s.store.LeftWithMarks(ctx, s.as(viewer), circleID)
	if err != nil {
		return err
	}
	begin(m)
	rows := func(members []studycircle.Member) error {
		if how.Students {
			members = slices.DeleteFunc(slices.Clone(members), func(m studycircle.Member) bool { return m.Role.Organizes() })
		}
		rows, err := s.markRows(ctx, viewer, m, members)
		if err != nil {
			return err
		}
		return f(slices.DeleteFunc(rows, func(r studycircle.MarkRow) bool { return r.Role == "" && !r.Marked() }))
	}
	if how.Coded == nil {
		if err := s.store.EachMembers(ctx, s.as(viewer), circleID, rows); err != nil {
			return err
		}
		return eachOf(left, rows)
	}
	roles, err := s.store.Roles(ctx, s.as(viewer), circleID)
	if err != nil {
		return err
	}
	all := left
	for id, role := range roles {
		member := studycircle.Member{Membership: studycircle.Membership{CircleID: circleID, UserID: id, Role: role}}
		member.Account.UserID = id
		all = append(all, member)
	}
	slices.SortFunc(all, func(a, b studycircle.Member) int {
		return strings.Compare(how.Coded(a.UserID), how.Coded(b.UserID))
	})
	return eachOf(all, rows)
}

func eachOf(all []studycircle.Member, f func([]studycircle.Member) error) error {
	for some := range slices.Chunk(all, fileRows) {
		if err := f(some); err != nil {
			return err
		}
	}
	return nil
}

// fileRows is the number of members of which a file is made at once.
const fileRows = 100

// EachMember calls begin with whether the roster keeps family names or ids, and then f with the members of a circle in
// the order of joining, some at a time. Its errors before begin are ErrNotFound and CodeNotOrganizer.
func (s *Service) EachMember(
	ctx context.Context, viewer studycircle.User, circleID string, begin func(keeps bool),
	f func([]studycircle.Member) error,
) error {
	c, err := s.Circle(ctx, viewer, circleID)
	if err != nil {
		return err
	}
	if err := studycircle.MayReadAsOrganizer(c.Mine, c.Circle); err != nil {
		return err
	}
	keeps, err := s.store.KeepsFamilyNames(ctx, circleID)
	if err != nil {
		return err
	}
	begin(keeps)
	return s.store.EachMembers(ctx, s.as(viewer), circleID, f)
}

// EachResults calls begin, and then f with all results of viewer's assignment, oldest first, some at a time. Its
// errors before begin are ErrNotFound and CodeNotYourAssignment.
func (s *Service) EachResults(
	ctx context.Context, viewer studycircle.User, assignmentID string,
	begin func(studycircle.OwnCircle, studycircle.Assignment), f func([]Result) error,
) error {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return err
	}
	begin(in, a)
	return s.store.EachSubmissionsFor(ctx, s.as(viewer), a.ID, func(found []studycircle.Submission) error {
		out := make([]Result, len(found))
		for i, sub := range found {
			out[i] = s.resultOf(viewer, in, a, sub)
		}
		if err := s.asMembers(ctx, viewer, a, out); err != nil {
			return err
		}
		return f(out)
	})
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
