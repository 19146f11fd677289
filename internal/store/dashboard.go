package store

import (
	"context"
	"math"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Dashboard returns a user's dashboard.
func (s *Store) Dashboard(
	ctx context.Context, v studycircle.Viewer, now time.Time,
) (d studycircle.Dashboard, err error) {
	defer s.operation(&err, "Store.Dashboard")
	userID := v.UserID()
	for _, part := range []func(context.Context, string, *studycircle.Dashboard) error{s.figures, s.takenMarks} {
		if err := part(ctx, userID, &d); err != nil {
			return d, err
		}
	}
	if err := s.totals(ctx, v, &d); err != nil {
		return d, err
	}
	if err := s.waiting(ctx, v, now, &d); err != nil {
		return d, err
	}
	due, decisions := collecting(dueIn), decisionsOf(v, now)
	err = s.engine.AskAll(ctx, append(decisions.questions, dueOf(v, due, now)))
	d.Due, d.Decisions, d.Short = append([]studycircle.Due{}, due.all...), decisions.waiting.all, decisions.short.all
	return d, err
}

// figures adds the figures that writes keep up to date.
func (s *Store) figures(ctx context.Context, userID string, d *studycircle.Dashboard) error {
	found, err := pages.Figures(ctx, s.engine.Reads(), 0, math.MaxInt64, tables.FiguresOf(userID)...)
	if err != nil {
		return err
	}
	of := map[pages.Scope][]pages.Figure{}
	for _, f := range found {
		of[f.Scope] = append(of[f.Scope], f)
	}
	sum := func(scope pages.Scope) (a studycircle.Average) {
		for _, f := range of[scope] {
			a.N, a.Sum = a.N+f.N, a.Sum+f.Total
		}
		return a
	}
	for _, f := range of[tables.Of(userID)] {
		if f.Block == tables.OfGraded {
			d.Created.Graded = studycircle.Average{N: f.N, Sum: f.Total}
			d.Created.Pending -= f.N
		} else {
			d.Created.Pending += f.N
		}
	}
	d.Given.Graded = sum(tables.Gave(userID))
	d.Given.MedianWait = time.Duration(twiceMedian(of[tables.Gave(userID)])) * time.Hour / 200
	d.Taken.ByLevel = map[studycircle.Level]studycircle.Average{}
	for _, level := range tables.GotLevels {
		for _, f := range of[tables.Got(userID, level)] {
			d.Taken.Best = max(d.Taken.Best, float64(f.Block)/10)
		}
		at := sum(tables.Got(userID, level))
		d.Taken.Graded.N += at.N
		d.Taken.Graded.Sum += at.Sum
		if level.Valid() {
			d.Taken.ByLevel[level] = at
		}
	}
	return nil
}

// twiceMedian returns twice the median of the blocks: an even number of them has two in the middle.
func twiceMedian(of []pages.Figure) (twice int64) {
	var n, passed int64
	for _, f := range of {
		n += f.N
	}
	for _, f := range of {
		for _, middle := range [2]int64{(n - 1) / 2, n / 2} {
			if passed <= middle && middle < passed+f.N {
				twice += f.Block
			}
		}
		passed += f.N
	}
	return twice
}

func (s *Store) totals(ctx context.Context, v studycircle.Viewer, d *studycircle.Dashboard) (err error) {
	userID := v.UserID()
	if d.Created.Total, err = askNumber(ctx, s, v, tables.CountCreated, userID); err != nil {
		return err
	}
	if d.Taken.Pending, err = s.count(
		ctx, tables.OwnSubmissionsOfStatus, userID, string(studycircle.Pending),
	); err != nil {
		return err
	}
	d.Given.Reviews, err = s.count(ctx, tables.ReviewsGiven, userID)
	return err
}

func (s *Store) takenMarks(ctx context.Context, userID string, d *studycircle.Dashboard) (err error) {
	d.Taken.Marks, err = s.latestMarks(ctx, userID, studycircle.MaxTakenMarks)
	slices.Reverse(d.Taken.Marks)
	return err
}

// latestMarks returns the user's latest marks, the latest first.
func (s *Store) latestMarks(ctx context.Context, userID string, most int64) (marks []studycircle.TakenMark, err error) {
	rows, err := s.engine.Queries().TakenMarks(ctx, db.TakenMarksParams{UserID: optionalText(userID), Most: most})
	for _, r := range rows {
		marks = append(marks, studycircle.TakenMark{
			SubmissionID: r.ID, AssignmentID: r.AssignmentID.String, AssignmentTitle: tables.Shown(r.AssignmentTitle),
			CircleID: r.CircleID,
			Level:    studycircle.Level(r.Level.String),
			Obtained: studycircle.Obtained{Mark: r.GivenMark.Int64, Total: r.Marks}, MarkedAt: optionalInstant(r.MarkedAt),
		})
	}
	return marks, err
}

// dueOf asks for what is due soon: rows of dueIn.
func dueOf(v studycircle.Viewer, into *answers[studycircle.Due], now time.Time) engine.Question {
	until := now.Add(studycircle.DueSoon)
	return question(v, tables.DueOf, into, v.UserID(), micros(now), micros(until), int64(studycircle.MaxDue))
}

func dueIn(r engine.Row) studycircle.Due {
	d := studycircle.Due{
		AssignmentID: r.Text(0), CircleID: r.Text(1), Title: r.Text(2),
		DueDate: studycircle.DueDateAt(r.Int(3), int(r.Int(4))),
		State:   studycircle.StateOpen, Remind: r.Int(6) == 1,
	}
	if !r.Null(5) {
		d.State = studycircle.State(r.Text(5))
	}
	return d
}

// waiting adds a row for each assignment with several reviews, and then the submissions with one grade, in the order
// of the pending list. A common order would reveal when the reviewed submissions were handed in.
func (s *Store) waiting(ctx context.Context, v studycircle.Viewer, now time.Time, d *studycircle.Dashboard) error {
	userID := v.UserID()
	var err error
	if d.Waiting, err = s.waitingReviews(ctx, v, now); err != nil {
		return err
	}
	ids := make([]string, len(d.Waiting))
	for i := range d.Waiting {
		ids[i] = d.Waiting[i].AssignmentID
	}
	if d.Duties, err = s.duties(ctx, v.Party(), ids, now); err != nil {
		return err
	}
	room := studycircle.MaxWaiting - int64(len(d.Waiting))
	at, err := s.engine.Queries().WaitingFor(ctx, db.WaitingForParams{UserID: optionalText(userID), Most: room})
	if err != nil {
		return err
	}
	if circles, err := s.circlesOf(ctx, userID); err != nil {
		return err
	} else if len(circles) > 0 {
		more, err := s.engine.Queries().WaitingInCircles(ctx, db.WaitingInCirclesParams{
			Member: userID, UserID: optionalText(userID), Most: room,
		})
		if err != nil {
			return err
		}
		at = slices.Concat(at, more)
		slices.Sort(at)
		at = at[:min(int64(len(at)), room)]
	}
	rows, err := inOrder(ctx, s, v, tables.Submissions, tables.SubmissionBySeq, at, rowSeq)
	d.Waiting = append(d.Waiting, submissionsOf(rows)...)
	return err
}

// waitingReviews returns rows that stand for the assignments of which a user may review something, each once, at most
// MaxWaiting: those offered, then those with unattended submissions; of each kind, those of the hall come first.
func (s *Store) waitingReviews(
	ctx context.Context, v studycircle.Viewer, now time.Time,
) ([]studycircle.Submission, error) {
	const most = studycircle.MaxWaiting
	q, userID := s.engine.Queries(), v.UserID()
	inHall := s.hall != studycircle.HallOff
	var found []string
	for _, more := range []func() ([]string, error){
		func() ([]string, error) {
			if !inHall {
				return nil, nil
			}
			return q.ReviewableInHall(ctx, db.ReviewableInHallParams{UserID: userID, Now: micros(now), Most: most})
		},
		func() ([]string, error) {
			return q.ReviewableInCircles(ctx, db.ReviewableInCirclesParams{UserID: userID, Now: micros(now), Most: most})
		},
		func() ([]string, error) {
			if !inHall {
				return nil, nil
			}
			return s.unattendedInHall(ctx, userID)
		},
		func() ([]string, error) {
			return q.UnattendedInCircles(ctx, db.UnattendedInCirclesParams{UserID: userID, Most: most})
		},
	} {
		ids, err := more()
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if len(found) < most && !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
		if len(found) == most {
			break
		}
	}
	ids := make([]any, len(found))
	for i, id := range found {
		ids[i] = id
	}
	of, err := s.assignments(ctx, v.Party(), ids)
	rows := make([]studycircle.Submission, len(found))
	for i, id := range found {
		a := of[id]
		rows[i] = studycircle.Submission{
			AssignmentID: a.ID, AssignmentTitle: a.Title, CircleID: a.CircleID, Marks: a.Marks, Reviews: a.Reviews,
			Status: studycircle.Pending,
		}
	}
	return rows, err
}

// unattendedInHall returns the assignments of the hall, at most MaxWaiting, of which a user may review unattended
// submissions, those with the longest-waiting submission first. It passes each row once, however many there are.
func (s *Store) unattendedInHall(ctx context.Context, userID string) ([]string, error) {
	var found [studycircle.MaxWaiting]string
	after := int64(math.MinInt64)
	for n := range found {
		rows, err := s.engine.Queries().UnattendedInHall(ctx, db.UnattendedInHallParams{
			UserID: userID, After: after, A: found[0], B: found[1], C: found[2], D: found[3],
		})
		if err != nil || len(rows) == 0 {
			return found[:n], err
		}
		found[n], after = rows[0].AssignmentID, rows[0].Seq
	}
	return found[:], nil
}
