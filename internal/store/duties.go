package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
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

// Today returns a user's present duties, without reports, and the marks that have come back.
func (s *Store) Today(ctx context.Context, v studycircle.Viewer, now time.Time) (t studycircle.Today, err error) {
	defer s.operation(&err, "Store.Today")
	if t.Turns, err = s.turns(ctx, v, now); err != nil {
		return t, err
	}
	if t.Due, err = s.dueOf(ctx, v, now); err != nil {
		return t, err
	}
	marks, err := s.latestMarks(ctx, v.UserID(), studycircle.MaxBack)
	if err != nil {
		return t, err
	}
	for _, m := range marks {
		if m.MarkedAt.After(now.Add(-studycircle.BackFor)) {
			t.Back = append(t.Back, m)
		}
	}
	if t.Decisions, t.Short, err = s.decisionsOf(ctx, v, now); err != nil {
		return t, err
	}
	t.Needs, err = s.needs(ctx, v, now)
	return t, err
}

// decisionsOf returns the submissions that wait for a creator's decision, and the creator's assignments with too few
// submitters, as far as their due dates are near.
func (s *Store) decisionsOf(
	ctx context.Context, v studycircle.Viewer, now time.Time,
) (decisions []studycircle.Decision, shortages []studycircle.Shortage, err error) {
	err = ask(ctx, s, v, tables.DecisionsOf, func(rows *sql.Rows) error {
		var d studycircle.Decision
		var phase studycircle.ReviewPhase
		err := rows.Scan(&d.SubmissionID, &d.AssignmentID, &d.CircleID, &d.Title, &phase)
		d.Unattended = phase == studycircle.ReviewUnattended
		decisions = append(decisions, d)
		return err
	}, v.UserID(), int64(studycircle.MaxDecisions))
	if err != nil {
		return nil, nil, err
	}
	err = ask(ctx, s, v, tables.ShortOf, func(rows *sql.Rows) error {
		var short studycircle.Shortage
		err := rows.Scan(&short.AssignmentID, &short.CircleID, &short.Title, &short.Needed, &short.Submitters)
		shortages = append(shortages, short)
		return err
	}, v.UserID(), int64(studycircle.MaxShortages), micros(now.Add(studycircle.ShortWithin)))
	return decisions, shortages, err
}

// turns returns the assignments that a user owes reviews of or holds a lease of, the most urgent first.
func (s *Store) turns(ctx context.Context, v studycircle.Viewer, now time.Time) (turns []studycircle.Duty, err error) {
	var begun []string
	// Few assignments have several attempts: MaxTurns has room for them. One row is the lease's.
	err = ask(ctx, s, v, tables.DutiesBegun, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		begun = append(begun, id)
		return err
	}, v.UserID(), micros(now), int64(4*studycircle.MaxTurns))
	if err != nil {
		return nil, err
	}
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
