package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// OweFacts returns the facts about the people of an assignment, at most studycircle.MaxOwing. today is the beginning
// of the present day in UTC.
func (s *Store) OweFacts(
	ctx context.Context, v studycircle.Viewer, a studycircle.Assignment, today, now time.Time,
) (facts []studycircle.OweFacts, err error) {
	defer s.operation(&err, "Store.OweFacts", a.ID)
	q := tables.OwesIn
	if a.CircleID == studycircle.Hall {
		q = tables.OwesInHall
	}
	err = ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var f studycircle.OweFacts
		var handedIn int64
		err := rows.Scan(
			&f.Account.UserID, &f.Account.Email, &f.Account.DisplayName, &f.Account.PhotoURL, &f.Name, &f.Label, &f.Role,
			&handedIn, &f.Given.All, &f.Given.BeforeToday,
		)
		f.UserID, f.CircleID, f.HandedInAt = f.Account.UserID, a.CircleID, instantOrNone(handedIn)
		facts = append(facts, f)
		return err
	}, a.CircleID, a.ID, a.Seq, micros(today), int64(studycircle.MaxOwing))
	if err != nil || a.Reviews == 0 {
		return facts, err
	}
	return facts, s.countGivable(ctx, v, a.ID, today, now, facts)
}

// countGivable adds how many submissions people can review: studycircle.Duty.Givable of each.
func (s *Store) countGivable(
	ctx context.Context, v studycircle.Viewer, assignmentID string, today, now time.Time, facts []studycircle.OweFacts,
) error {
	type counts struct{ now, today int64 }
	all, less := counts{}, map[string]*counts{} // by user: what the user cannot review
	of := func(userID string) *counts {
		if less[userID] == nil {
			less[userID] = &counts{}
		}
		return less[userID]
	}
	works := map[string]counts{} // that can be reviewed
	err := ask(ctx, s, v, tables.OpenWorks, func(rows *sql.Rows) error {
		var r studycircle.Reviewing
		var free int64
		err := rows.Scan(
			&r.SubmissionID, &r.SubmitterID, &r.Phase, &r.Reviews, &r.Needed, &r.Wanted, &r.LastDay, &r.BeforeLastDay, &free,
		)
		if r.LastDay >= studycircle.Day(today) {
			r.Reviews = r.BeforeLastDay
		}
		var w counts
		if free > 0 {
			w.now = 1
		}
		if r.Phase != studycircle.ReviewUnattended && r.Reviews < r.Most() {
			w.today = 1
		}
		works[r.SubmissionID] = w
		all.now, all.today = all.now+w.now, all.today+w.today
		own := of(r.SubmitterID)
		own.now, own.today = own.now+w.now, own.today+w.today
		return err
	}, assignmentID)
	if err != nil {
		return err
	}
	err = ask(ctx, s, v, tables.OpenTurns, func(rows *sql.Rows) error {
		var userID, id string
		var turn studycircle.Turn
		var until, given int64
		err := rows.Scan(&userID, &id, &turn, &until, &given)
		w, u := works[id], of(userID)
		held := turn == studycircle.TurnLeased && until > micros(now)
		u.now += w.now
		if held {
			u.now--
		}
		if !held && (turn != studycircle.TurnReviewed || given < micros(today)) {
			u.today += w.today
		}
		return err
	}, assignmentID)
	for i := range facts {
		f := &facts[i]
		f.Givable, f.GivableToday = all.now, all.today
		if u := less[f.UserID]; u != nil {
			f.Givable, f.GivableToday = f.Givable-u.now, f.GivableToday-u.today
		}
	}
	return err
}

// RemindedAt returns when everyone who owes something for an assignment was last reminded; zero if never.
func (s *Store) RemindedAt(ctx context.Context, assignmentID string) (_ time.Time, err error) {
	defer s.operation(&err, "Store.RemindedAt", assignmentID)
	at, err := s.engine.Queries().RemindedAt(ctx, assignmentID)
	return instantOrNone(at), err
}

// ClaimReminder records that everyone who owes something for an assignment is reminded now, and reports whether that
// has not happened since a time.
func (tx *Tx) ClaimReminder(ctx context.Context, assignmentID string, since, now time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.ClaimReminder", assignmentID)
	n, err := tx.Queries.ClaimReminder(ctx, db.ClaimReminderParams{
		ID: assignmentID, Since: micros(since), Now: micros(now),
	})
	return n > 0, err
}
