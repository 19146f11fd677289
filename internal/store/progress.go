package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// SetReminder stores whether a user wants to be reminded of an assignment, and reports whether that changes anything;
// ErrAccountGone.
func (tx *Tx) SetReminder(
	ctx context.Context, userID, assignmentID string, remind bool, now time.Time,
) (changed bool, err error) {
	defer tx.operation(&err, "Tx.SetReminder", userID, assignmentID)
	var n int64
	if remind {
		n, err = tx.Queries.InsertReminder(ctx, db.InsertReminderParams{
			UserID: userID, AssignmentID: assignmentID, CreatedAt: micros(now),
		})
	} else {
		n, err = tx.Queries.DeleteReminder(ctx, db.DeleteReminderParams{UserID: userID, AssignmentID: assignmentID})
	}
	return n > 0, tx.orGone(err)
}

// AssignmentsByState returns a page of the live assignments in which a user has a state, newest first, and their
// number. An empty level selects all.
func (s *Store) AssignmentsByState(
	ctx context.Context, v studycircle.Viewer, circleID string, state studycircle.State,
	level studycircle.Level, p studycircle.Page,
) (_ []studycircle.Assignment, _ int64, err error) {
	defer s.operation(&err, "Store.AssignmentsByState")
	own, err := s.placesOf(ctx, v)
	if err != nil {
		return nil, 0, err
	}
	var at []int64 // oldest first
	for _, place := range own {
		if place.CircleID == circleID && (level == "" || place.Level == level) &&
			(state == studycircle.StateOpen || place.State == state) {
			at = append(at, place.Seq)
		}
	}
	total := int64(len(at))
	if state == studycircle.StateOpen {
		at, total, err = s.openPlaces(ctx, v, circleID, level, at, p)
	} else {
		last := max(0, total-p.Skip())
		at = at[max(0, last-p.Limit):last]
		slices.Reverse(at)
	}
	if err != nil {
		return nil, 0, err
	}
	rows, err := inOrder(ctx, s, v, tables.Assignments, tables.AssignmentBySeq, at, seqOf)
	return rows, total, err
}

// openPlaces returns the positions on a page of live assignments of the level without the user's own, ascending, and
// the number of all such assignments. A user's own are few.
func (s *Store) openPlaces(
	ctx context.Context, v studycircle.Viewer, circleID string, level studycircle.Level, own []int64, p studycircle.Page,
) ([]int64, int64, error) {
	list, args, in := tables.LivePlaces, []any{circleID}, tables.AllLevels(circleID)
	if level != "" {
		list, args, in = tables.LevelPlaces, []any{circleID, string(level)}, pages.Of(tables.LevelScope(circleID, level))
	}
	start, err := s.engine.Counts().LocateWithout(ctx, list.Order, p.Skip(), in, own)
	if err != nil || !start.Found {
		return nil, start.Total, err
	}
	// The range usually contains few of the user's own.
	const spare = 16
	var open []int64
	for from, wanted := start.From, start.Skip+p.Limit; wanted > 0; {
		asked := wanted + spare
		found := tables.Seqs.CollectPage(asked)
		if err := s.engine.Page(ctx, v, list, args, pages.Start{From: from}, asked, found); err != nil {
			return nil, 0, err
		}
		for _, place := range found.All {
			from = place.Seq - 1
			if _, mine := slices.BinarySearch(own, place.Seq); !mine && wanted > 0 {
				open, wanted = append(open, place.Seq), wanted-1
			}
		}
		if int64(len(found.All)) < asked {
			break // no more rows
		}
	}
	return open[min(start.Skip, int64(len(open))):], start.Total, nil
}

// AssignmentsDueSoon returns a page of the live assignments that are due within DueSoon of now, soonest first, and
// their number. An empty level selects all.
func (s *Store) AssignmentsDueSoon(
	ctx context.Context, v studycircle.Viewer, circleID string, level studycircle.Level, now time.Time, p studycircle.Page,
) (_ []studycircle.Assignment, _ int64, err error) {
	defer s.operation(&err, "Store.AssignmentsDueSoon")
	first, last := micros(now)+1, micros(now.Add(studycircle.DueSoon))
	total, err := askNumber(ctx, s, v, tables.CountDueBetween, first, last, string(level), circleID)
	if err != nil || p.Skip() >= total {
		return nil, total, err
	}
	at, err := askNumbers(ctx, s, v, tables.DueFrom, first, last, string(level), circleID, p.Skip(), p.Limit)
	if err != nil {
		return nil, 0, err
	}
	rows, err := inOrder(ctx, s, v, tables.Assignments, tables.AssignmentBySeq, at, seqOf)
	return rows, total, err
}

// Results returns a page of the submissions for an assignment, newest first, and their number. An empty status
// selects all.
func (s *Store) Results(
	ctx context.Context, v studycircle.Viewer, assignmentID string, status studycircle.Status, p studycircle.Page,
) (_ []studycircle.Submission, _ int64, err error) {
	defer s.operation(&err, "Store.Results", assignmentID)
	of := optionalText(assignmentID)
	total, err := s.engine.Queries().CountResults(ctx, db.CountResultsParams{AssignmentID: of, Status: string(status)})
	if err != nil || p.Skip() >= total {
		return nil, total, err
	}
	at, err := s.engine.Queries().Results(ctx, db.ResultsParams{
		AssignmentID: of, Status: string(status), Skip: p.Skip(), Most: p.Limit,
	})
	if err != nil {
		return nil, 0, err
	}
	found, err := s.ResultsBySeq(ctx, v, at)
	return found, total, err
}

// Progress returns a user's progress in some live assignments, in their order.
func (s *Store) Progress(
	ctx context.Context, v studycircle.Viewer, assignmentIDs []string, now time.Time,
) (out []studycircle.Progress, err error) {
	defer s.operation(&err, "Store.Progress")
	q, args := tables.ProgressOf.For(assignmentIDs, v.UserID())
	found := make(map[string]studycircle.Progress, len(assignmentIDs))
	var reviewed []string
	err = ask(ctx, s, v, q, func(rows *sql.Rows) error {
		p, mine := studycircle.Progress{}, false
		var state, submission sql.NullString
		var attempts, mark, total sql.NullInt64
		var needed int64
		if err := rows.Scan(
			&p.AssignmentID, &mine, &state, &submission, &attempts, &mark, &total, &p.Remind, &needed,
		); err != nil {
			return err
		}
		p.State, p.SubmissionID, p.Attempts = studycircle.StateOpen, submission.String, attempts.Int64
		if state.Valid {
			p.State = studycircle.State(state.String)
		}
		if mine {
			p.State = studycircle.StateMine
		}
		if mark.Valid {
			p.Best = &studycircle.Obtained{Mark: mark.Int64, Total: total.Int64}
		}
		if needed > 0 {
			reviewed = append(reviewed, p.AssignmentID)
		}
		found[p.AssignmentID] = p
		return nil
	}, args...)
	if err != nil {
		return nil, err
	}
	duties, err := s.duties(ctx, v, reviewed, now)
	if err != nil {
		return nil, err
	}
	for _, id := range assignmentIDs {
		if p, live := found[id]; live {
			if d, reviewed := duties[id]; reviewed {
				p.Duty = &d
			}
			out = append(out, p)
		}
	}
	return out, nil
}
