package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// duties returns, by assignment id, what a user can review now and owes. Every page that tells a user how much there
// is to review gets it from here.
func (s *Store) duties(
	ctx context.Context, v studycircle.Viewer, assignmentIDs []string, now time.Time,
) (map[string]studycircle.Duty, error) {
	of, err := dutiesOf(ctx, s.engine.Reads(), v, v.UserID(), assignmentIDs, now)
	if err != nil || len(of) == 0 {
		return of, err
	}
	circles, err := s.circlesOf(ctx, v.UserID())
	for id, d := range of {
		of[id] = excused(d, circles[d.CircleID])
	}
	return of, err
}

// duty returns a user's duty for one assignment, and zero if the assignment is deleted or hidden.
func (tx *Tx) duty(ctx context.Context, userID, assignmentID string, now time.Time) (studycircle.Duty, error) {
	of, err := dutiesOf(ctx, tx.DB, studycircle.System(), userID, []string{assignmentID}, now)
	d, there := of[assignmentID]
	if err != nil || !there {
		return d, err
	}
	in, err := tables.OwnCircle(ctx, tx.Tx, d.CircleID, userID)
	return excused(d, in), err
}

// excused leaves nothing to review of d to a user who may not review in the place.
func excused(d studycircle.Duty, in studycircle.OwnCircle) studycircle.Duty {
	if d.Exempt = studycircle.MayReviewIn(in, d.CircleID) != nil; d.Exempt {
		d.Available, d.Givable = 0, 0
	}
	return d
}

func dutiesOf(
	ctx context.Context, on db.DBTX, v studycircle.Viewer, userID string, assignmentIDs []string, now time.Time,
) (map[string]studycircle.Duty, error) {
	of := make(map[string]studycircle.Duty, len(assignmentIDs))
	if len(assignmentIDs) == 0 {
		return of, nil
	}
	q, args := tables.DutiesOf.For(assignmentIDs, userID, micros(now))
	text, args := q.For(v, args...)
	return of, eachRow(ctx, on, text, func(rows *sql.Rows) error {
		var d studycircle.Duty
		var due, offset, reviewDue, reviewOffset, owed, exemplars int64
		var handedIn, held, sample sql.NullInt64
		if err := rows.Scan(
			&d.AssignmentID, &d.CircleID, &d.Title, &due, &offset, &reviewDue, &reviewOffset, &d.Needed, &owed, &d.Given,
			&handedIn, &held, &sample, &d.Givable, &exemplars,
		); err != nil {
			return err
		}
		d.Each, d.ReviewDue = studycircle.Assignment{Reviews: d.Needed, ReviewsOwed: owed}.OwedEach(),
			tables.ReviewDueAt(reviewDue, reviewOffset)
		d.Due, d.HandedInAt, d.HeldUntil = studycircle.DueDateAt(due, int(offset)), optionalInstant(handedIn),
			optionalInstant(held)
		switch {
		case held.Valid:
			d.Givable++
		case sample.Valid:
			d.HeldUntil = optionalInstant(sample)
			exemplars++
		}
		d.Givable = min(d.Givable, studycircle.MaxAvailable)
		d.Available = min(d.Givable+exemplars, studycircle.MaxAvailable)
		of[d.AssignmentID] = d
		return nil
	}, args...)
}

// Today returns a user's present duties and the marks that have come back. With moderates, it also returns the
// subjects with open reports to the moderators, besides those to the organizers of the user's circles, oldest first.
func (s *Store) Today(
	ctx context.Context, v studycircle.Viewer, moderates bool, now time.Time,
) (t studycircle.Today, reported []studycircle.ReportedThing, err error) {
	defer s.operation(&err, "Store.Today")
	circles, err := s.circlesOf(ctx, v.UserID())
	if err != nil {
		return t, nil, err
	}
	begun, due, decisions := collecting(firstText), collecting(dueIn), decisionsOf(v, now)
	needs, reports := needsOf(v.UserID(), circles, now), collecting(reportIn)
	questions := slices.Concat([]engine.Question{
		// Few assignments have several attempts: MaxTurns has room for them. One row is the lease's.
		question(v, tables.DutiesBegun, begun, v.UserID(), micros(now), int64(4*studycircle.MaxTurns)),
		dueOf(v, due, now),
	}, decisions.questions, needs.questions(v))
	if moderates || len(circles) > 0 {
		questions = append(questions, reportsFor(v, reports, moderates))
	}
	if err := s.engine.AskAll(ctx, questions); err != nil {
		return t, nil, err
	}
	t.Due, t.Decisions, t.Short, t.Needs = due.all, decisions.waiting.all, decisions.short.all, needs.all()
	if t.Turns, err = s.turns(ctx, v, begun.all, now); err != nil {
		return t, nil, err
	}
	marks, err := s.latestMarks(ctx, v.UserID(), studycircle.MaxBack)
	for _, m := range marks {
		if m.MarkedAt.After(now.Add(-studycircle.BackFor)) {
			t.Back = append(t.Back, m)
		}
	}
	return t, reports.all, err
}

// decisions are the submissions that wait for a creator's decision, and the creator's assignments with too few
// submitters, as far as their due dates are near.
type decisions struct {
	waiting   *answers[studycircle.Decision]
	short     *answers[studycircle.Shortage]
	questions []engine.Question
}

func decisionsOf(v studycircle.Viewer, now time.Time) decisions {
	d := decisions{
		waiting: collecting(func(r engine.Row) studycircle.Decision {
			return studycircle.Decision{
				SubmissionID: r.Text(0), AssignmentID: r.Text(1), CircleID: r.Text(2), Title: r.Text(3),
				Unattended: studycircle.ReviewPhase(r.Text(4)) == studycircle.ReviewUnattended,
			}
		}),
		short: collecting(func(r engine.Row) studycircle.Shortage {
			return studycircle.Shortage{
				AssignmentID: r.Text(0), CircleID: r.Text(1), Title: r.Text(2), Needed: r.Int(3), Submitters: r.Int(4),
			}
		}),
	}
	d.questions = []engine.Question{
		question(v, tables.DecisionsOf, d.waiting, v.UserID(), int64(studycircle.MaxDecisions)),
		question(
			v, tables.ShortOf, d.short, v.UserID(), int64(studycircle.MaxShortages),
			micros(now.Add(studycircle.ShortWithin)),
		),
	}
	return d
}

// turns returns those of the assignments of a user's submissions and lease that the user owes reviews of or holds a
// lease of, the most urgent first.
func (s *Store) turns(
	ctx context.Context, v studycircle.Viewer, begun []string, now time.Time,
) (turns []studycircle.Duty, err error) {
	// A lease outlives its assignment.
	duties, err := s.duties(ctx, v.Party(), begun, now)
	for _, d := range duties {
		if d.Pressing(now) {
			turns = append(turns, d)
		}
	}
	studycircle.ByUrgency(turns)
	return turns[:min(len(turns), studycircle.MaxTurns)], err
}
