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
	ctx context.Context, v studycircle.Viewer, a studycircle.Assignment, today time.Time,
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
	return facts, err
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
