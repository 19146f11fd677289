package store

import (
	"context"
	"database/sql"
	"math"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// MarkColumns returns the assignments of a circle, newest first, at most most: those of one creator, or of all if
// creatorID is "".
func (s *Store) MarkColumns(
	ctx context.Context, v studycircle.Viewer, circleID, creatorID string, most int64,
) (_ []studycircle.MarkColumn, err error) {
	defer s.operation(&err, "Store.MarkColumns", circleID)
	if creatorID != "" {
		return s.markColumns(ctx, v, tables.MarkColumnsBy, circleID, most, creatorID)
	}
	return s.markColumns(ctx, v, tables.MarkColumnsOf, circleID, most)
}

// MarkColumn returns one assignment as a column; ErrNotFound.
func (s *Store) MarkColumn(
	ctx context.Context, v studycircle.Viewer, assignmentID string,
) (_ studycircle.MarkColumn, err error) {
	defer s.operation(&err, "Store.MarkColumn", assignmentID)
	found, err := s.markColumns(ctx, v, tables.MarkColumnOf, assignmentID)
	if err == nil && len(found) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.MarkColumn{}, err
	}
	return found[0], nil
}

func (s *Store) markColumns(
	ctx context.Context, v studycircle.Viewer, q *engine.Query, args ...any,
) ([]studycircle.MarkColumn, error) {
	var columns []studycircle.MarkColumn
	var ids []any
	err := ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var c studycircle.MarkColumn
		err := rows.Scan(&c.ID, &c.Open, &c.Works)
		columns, ids = append(columns, c), append(ids, c.ID)
		return err
	}, args...)
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	of, err := s.assignments(ctx, v, ids)
	found := columns[:0]
	for _, c := range columns {
		if a, there := of[c.ID]; there { // not deleted meanwhile
			found = append(found, studycircle.MarkColumn{Assignment: a, Open: c.Open})
		}
	}
	return found, err
}

// MarkRows returns the rows of some members of a circle. today is the beginning of the present day in UTC.
func (s *Store) MarkRows(
	ctx context.Context, v studycircle.Viewer, in studycircle.Circle, columns []studycircle.MarkColumn,
	members []studycircle.Member, today time.Time,
) (_ []studycircle.MarkRow, err error) {
	defer s.operation(&err, "Store.MarkRows", in.ID)
	rows := make([]studycircle.MarkRow, len(members))
	for from := 0; from < len(members); from += tables.MostIDs {
		to := min(from+tables.MostIDs, len(members))
		if err := s.markRows(ctx, v, in, columns, members[from:to], today, rows[from:to]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (s *Store) markRows(
	ctx context.Context, v studycircle.Viewer, in studycircle.Circle, columns []studycircle.MarkColumn,
	members []studycircle.Member, today time.Time, into []studycircle.MarkRow,
) error {
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = m.UserID
	}
	low, high := int64(math.MaxInt64), int64(0)
	for _, c := range columns {
		low, high = min(low, c.Seq), max(high, c.Seq)
	}
	taken, err := s.takenIn(ctx, v, in.ID, ids, low, high)
	if err != nil {
		return err
	}
	given, err := s.givenIn(ctx, v, in.ID, ids, today)
	if err != nil {
		return err
	}
	for i, m := range members {
		own := studycircle.OwnCircle{Circle: in, Mine: m.Membership}
		into[i] = studycircle.MarkRow{Member: m, Cells: make([]studycircle.MarkCell, len(columns))}
		for j, c := range columns {
			t := taken[takenKey{m.UserID, c.Seq}]
			cell := studycircle.MarkCell{State: studycircle.StateOpen, Attempts: t.attempts, Best: t.best, Late: t.late}
			if t.state != "" {
				cell.State = t.state
			}
			cell.Duty = c.RecordOf(t.handedIn, t.attempts, given[givenKey{m.UserID, c.ID}], own)
			into[i].Cells[j] = cell
		}
	}
	return nil
}

type takenKey struct {
	userID string
	seq    int64 // the assignment's
}

type takenRow struct {
	state    studycircle.State
	attempts int64
	best     *studycircle.Obtained
	handedIn time.Time
	late     bool
}

func (s *Store) takenIn(
	ctx context.Context, v studycircle.Viewer, circleID string, userIDs []string, low, high int64,
) (map[takenKey]takenRow, error) {
	taken := map[takenKey]takenRow{}
	q, args := tables.TakenIn.For(userIDs, circleID, low, high)
	return taken, ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var key takenKey
		var row takenRow
		var mark, total sql.NullInt64
		var handedIn int64
		if err := rows.Scan(
			&key.userID, &key.seq, &row.state, &row.attempts, &mark, &total, &handedIn, &row.late,
		); err != nil {
			return err
		}
		if row.handedIn = instant(handedIn); mark.Valid {
			row.best = &studycircle.Obtained{Mark: mark.Int64, Total: total.Int64}
		}
		taken[key] = row
		return nil
	}, args...)
}

type givenKey struct{ userID, assignmentID string }

func (s *Store) givenIn(
	ctx context.Context, v studycircle.Viewer, circleID string, userIDs []string, today time.Time,
) (map[givenKey]studycircle.GivenReviews, error) {
	given := map[givenKey]studycircle.GivenReviews{}
	q, args := tables.GivenIn.For(userIDs, circleID, micros(today))
	return given, ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var key givenKey
		var g studycircle.GivenReviews
		err := rows.Scan(&key.userID, &key.assignmentID, &g.All, &g.BeforeToday)
		given[key] = g
		return err
	}, args...)
}

// AccuracyIn returns the accuracy in a circle that counts it of those members, at most tables.MostIDs, who have reviews
// from before a time, by their ids.
func (s *Store) AccuracyIn(
	ctx context.Context, v studycircle.Viewer, in studycircle.Circle, userIDs []string, before time.Time,
) (_ map[string]studycircle.Accuracy, err error) {
	defer s.operation(&err, "Store.AccuracyIn", in.ID)
	found := map[string]studycircle.Accuracy{}
	q, args := tables.AccuracyIn.For(userIDs, in.ID, micros(before), micros(in.AccuracyFrom()))
	return found, ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var id string
		var a studycircle.Accuracy
		err := rows.Scan(&id, &a.Reviews, &a.Distance)
		found[id] = a
		return err
	}, args...)
}

// EachMembers calls f with all members of a circle, in the order of joining, some at a time. The caller has read the
// circle as a member.
func (s *Store) EachMembers(
	ctx context.Context, v studycircle.Viewer, circleID string, f func([]studycircle.Member) error,
) (err error) {
	defer s.operation(&err, "Store.EachMembers", circleID)
	return some(
		ctx, s, v, tables.Members, tables.MembersOf, circleID, func(m studycircle.Member) int64 { return m.Seq }, f,
	)
}

// LeftWithMarks returns the users who have a mark in a circle and are no members of it, without a role.
func (s *Store) LeftWithMarks(
	ctx context.Context, v studycircle.Viewer, circleID string,
) (left []studycircle.Member, err error) {
	defer s.operation(&err, "Store.LeftWithMarks", circleID)
	return left, ask(ctx, s, v, tables.LeftWithMarks, func(rows *sql.Rows) error {
		m := studycircle.Member{Membership: studycircle.Membership{CircleID: circleID}}
		err := rows.Scan(&m.UserID, &m.Account.DisplayName, &m.Account.Email)
		m.Account.UserID = m.UserID
		left = append(left, m)
		return err
	}, circleID)
}

// KeepsFamilyNames reports whether the roster of a circle has a family name or an id apart for a member.
func (s *Store) KeepsFamilyNames(ctx context.Context, circleID string) (_ bool, err error) {
	defer s.operation(&err, "Store.KeepsFamilyNames", circleID)
	return s.engine.Queries().KeepsFamilyNames(ctx, circleID)
}

// Roles returns the roles of all members of a circle, by their ids. The caller has read the circle as a member.
func (s *Store) Roles(
	ctx context.Context, v studycircle.Viewer, circleID string,
) (_ map[string]studycircle.CircleRole, err error) {
	defer s.operation(&err, "Store.Roles", circleID)
	roles := map[string]studycircle.CircleRole{}
	return roles, ask(ctx, s, v, tables.RolesIn, func(rows *sql.Rows) error {
		var id string
		var role studycircle.CircleRole
		err := rows.Scan(&id, &role)
		roles[id] = role
		return err
	}, circleID)
}

// EachSubmissionsFor calls f with all submissions for an assignment, oldest first, some at a time.
func (s *Store) EachSubmissionsFor(
	ctx context.Context, v studycircle.Viewer, assignmentID string, f func([]studycircle.Submission) error,
) (err error) {
	defer s.operation(&err, "Store.EachSubmissionsFor", assignmentID)
	return some(
		ctx, s, v, tables.Submissions, tables.SubmissionsOfAssignment, assignmentID, rowSeq,
		func(rows []tables.SubmissionRow) error { return f(submissionsOf(rows)) },
	)
}

// some calls f with the rows of a list that is read oldest first, tables.MostIDs at a time.
func some[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.List, of string,
	position func(T) int64, f func([]T) error,
) error {
	for from := int64(0); ; {
		found := t.Collect(tables.MostIDs)
		if err := s.engine.Page(ctx, v, l, []any{of}, pages.Start{From: from}, tables.MostIDs, found); err != nil {
			return err
		}
		if len(found.All) > 0 {
			if err := f(found.All); err != nil {
				return err
			}
			from = position(found.All[len(found.All)-1]) + 1
		}
		if len(found.All) < tables.MostIDs {
			return nil
		}
	}
}

// NamesIn returns the names in the roster and the labels of members of a circle, by their ids, at most tables.MostIDs.
func (s *Store) NamesIn(
	ctx context.Context, v studycircle.Viewer, circleID string, userIDs []string,
) (_ map[string]studycircle.Membership, err error) {
	defer s.operation(&err, "Store.NamesIn", circleID)
	names := map[string]studycircle.Membership{}
	q, args := tables.NamesIn.For(userIDs, circleID)
	return names, ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var m studycircle.Membership
		err := rows.Scan(&m.UserID, &m.Name, &m.Label)
		names[m.UserID] = m
		return err
	}, args...)
}

// EachReleasedReviews calls f with the reviews of each settled submission for an assignment, in the order of the
// submissions' ids.
func (s *Store) EachReleasedReviews(
	ctx context.Context, v studycircle.Viewer, assignmentID string, f func([]studycircle.ReleasedReview) error,
) (err error) {
	defer s.operation(&err, "Store.EachReleasedReviews", assignmentID)
	for after := ""; ; {
		var found []studycircle.ReleasedReview
		err := ask(ctx, s, v, tables.ReleasedReviews, func(rows *sql.Rows) error {
			r := studycircle.ReleasedReview{AssignmentID: assignmentID}
			err := rows.Scan(&r.SubmissionID, &r.Reviewer, &r.Mark, &r.Total)
			found = append(found, r)
			return err
		}, assignmentID, after, int64(exported))
		if err != nil {
			return err
		}
		all := len(found) < exported
		for len(found) > 0 {
			n := 1
			for n < len(found) && found[n].SubmissionID == found[0].SubmissionID {
				n++
			}
			if n == len(found) && !all { // the rest of them is in the next rows
				break
			}
			if err := f(found[:n]); err != nil {
				return err
			}
			after, found = found[0].SubmissionID, found[n:]
		}
		if all {
			return nil
		}
	}
}
