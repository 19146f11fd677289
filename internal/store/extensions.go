package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// OwnDueDates returns a user's own due dates for those of some assignments, at most tables.MostIDs, that have one.
func (s *Store) OwnDueDates(
	ctx context.Context, v studycircle.Viewer, assignmentIDs []string,
) (_ map[string]studycircle.DueDate, err error) {
	defer s.operation(&err, "Store.OwnDueDates")
	found := map[string]studycircle.DueDate{}
	q, args := tables.ExtensionsOf.For(assignmentIDs, v.UserID())
	return found, ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var id string
		var at, offset int64
		err := rows.Scan(&id, &at, &offset)
		found[id] = studycircle.DueDateAt(at, int(offset))
		return err
	}, args...)
}

// Extensions returns a page of the extra time for an assignment, the earliest due date first, and their number.
func (s *Store) Extensions(
	ctx context.Context, a studycircle.Assignment, p studycircle.Page,
) (_ []studycircle.Extension, total int64, err error) {
	defer s.operation(&err, "Store.Extensions", a.ID)
	q := s.engine.Queries()
	if total, err = q.CountExtensions(ctx, a.ID); err != nil || total <= p.Skip() {
		return nil, total, err
	}
	rows, err := q.ListExtensions(ctx, db.ListExtensionsParams{AssignmentID: a.ID, Room: p.Limit, Skip: p.Skip()})
	out := make([]studycircle.Extension, len(rows))
	for i, r := range rows {
		out[i] = studycircle.Extension{
			AssignmentID: a.ID, CircleID: a.CircleID, Name: r.Name, Days: r.ExtraDays,
			User: studycircle.Person{UserID: r.UserID, DisplayName: r.DisplayName, PhotoURL: r.PhotoUrl},
			Due:  studycircle.DueDateAt(r.DueAt, int(r.DueOffset)),
		}
		if r.OwnAt.Valid {
			out[i].Given = studycircle.DueDateAt(r.OwnAt.Int64, int(r.DueOffset))
		}
	}
	return out, total, err
}

// DueFor returns the due date of an assignment that applies to a user.
func (tx *Tx) DueFor(ctx context.Context, a studycircle.Assignment, userID string) (_ studycircle.DueDate, err error) {
	defer tx.operation(&err, "Tx.DueFor", a.ID)
	if !a.SomeExtended {
		return a.Due, nil
	}
	rows, err := tx.Queries.GetExtension(ctx, db.GetExtensionParams{AssignmentID: a.ID, UserID: userID})
	if err != nil || len(rows) == 0 {
		return a.Due, err
	}
	return studycircle.DueDateAt(rows[0].DueAt, int(rows[0].DueOffset)), nil
}

// LockToExtend locks a user's account, so that the user hands in before or after, and then an assignment, against all
// that depends on its due date.
func (tx *Tx) LockToExtend(ctx context.Context, assignmentID, userID string) (err error) {
	defer tx.operation(&err, "Tx.LockToExtend", assignmentID)
	if err := tx.lock(ctx, tables.UserRow, userID); err != nil {
		return err
	}
	return tx.seal(ctx, tables.AssignmentRow, assignmentID)
}

// WorksFor reports whether a user has a submission for an assignment or asks to be reminded of it.
func (tx *Tx) WorksFor(ctx context.Context, a studycircle.Assignment, userID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.WorksFor", a.ID)
	return tx.Queries.WorksFor(ctx, db.WorksForParams{UserID: userID, AssignmentID: optionalText(a.ID), ID: a.ID})
}

// Extend gives a user a due date of their own for an assignment, or takes it away if given is zero, after LockToExtend,
// and reports whether that changed anything. Extra days of the membership stay.
func (tx *Tx) Extend(
	ctx context.Context, a studycircle.Assignment, userID string, given studycircle.DueDate, days int64, now time.Time,
) (changed bool, err error) {
	defer tx.operation(&err, "Tx.Extend", a.ID)
	before, err := tx.givenTo(ctx, a, userID)
	if err != nil {
		return false, err
	}
	if before.IsZero() == given.IsZero() && before.Equal(given) {
		return false, nil
	}
	engine.At(ctx, "giving extra time")
	zone, err := tx.zoneOf(ctx, a.Creator.UserID)
	if err != nil {
		return false, err
	}
	if err := tx.putExtension(ctx, a, userID, given, days, zone); err != nil {
		return false, err
	}
	return true, tx.extended(ctx, a, userID, now)
}

// putExtension stores what applies to a user, and deletes it if the user has no extra time.
func (tx *Tx) putExtension(
	ctx context.Context, a studycircle.Assignment, userID string, given studycircle.DueDate, days int64,
	zone *time.Location,
) error {
	if given.IsZero() && days == 0 {
		return tx.Queries.DeleteExtension(ctx, db.DeleteExtensionParams{AssignmentID: a.ID, UserID: userID})
	}
	due := studycircle.ExtendedDue(a.Due, given, days, zone)
	p := db.PutExtensionParams{
		AssignmentID: a.ID, UserID: userID, CircleID: a.CircleID, DueAt: due.Micros(), DueOffset: int64(due.OffsetMinutes()),
	}
	if !given.IsZero() {
		p.OwnAt, p.OwnOffset = optionalMicros(given.Time()), sql.NullInt64{Int64: int64(given.OffsetMinutes()), Valid: true}
	}
	if err := tx.Queries.PutExtension(ctx, p); err != nil {
		return tx.orGone(err)
	}
	return tx.Queries.MarkExtended(ctx, a.ID)
}

// extended follows a change of a user's due date: what is late, reminders and calendar, and the user's pages.
func (tx *Tx) extended(ctx context.Context, a studycircle.Assignment, userID string, now time.Time) error {
	tx.Announce(studycircle.Event{
		Kind: studycircle.AssignmentUpdated, ID: a.ID, Audience: studycircle.Audience(userID).In(a.CircleID),
	})
	if err := tx.judgeLate(ctx, a, userID); err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.ReminderOf, userID, a.ID); err != nil {
		return err
	}
	return tx.Queries.ReviseReminder(ctx, db.ReviseReminderParams{
		UserID: userID, AssignmentID: a.ID, RevisedAt: micros(now),
	})
}

// judgeLate compares submissions for an assignment, of one user or of all for "", with the due dates that apply.
func (tx *Tx) judgeLate(ctx context.Context, a studycircle.Assignment, userID string) error {
	if err := tx.lock(ctx, tables.SubmissionsJudged, a.ID, userID); err != nil {
		return err
	}
	changed, err := tx.Queries.JudgeLate(ctx, db.JudgeLateParams{AssignmentID: optionalText(a.ID), UserID: userID})
	if err != nil || len(changed) == 0 {
		return err
	}
	for _, s := range changed {
		tables.AnnounceSubmission(
			tx, studycircle.SubmissionChanged, s.CircleID, s.ID, s.SubmitterID.String, s.ReviewsNeeded,
		)
	}
	tables.AnnounceResults(tx, a.CircleID, a.ID, a.Creator.UserID)
	return nil
}

// ChangeLink records that a pending submission's link is changed, and whether that makes it late.
func (tx *Tx) ChangeLink(ctx context.Context, s studycircle.Submission, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.ChangeLink", s.ID)
	if err := tx.share(ctx, tables.AssignmentOfSubmission, s.ID); err != nil {
		return err
	}
	if err := tx.Queries.ChangeLink(ctx, db.ChangeLinkParams{ID: s.ID, LinkChangedAt: optionalMicros(now)}); err != nil {
		return err
	}
	_, err = tx.Queries.JudgeLate(ctx, db.JudgeLateParams{
		AssignmentID: optionalText(s.AssignmentID), UserID: s.Submitter.UserID,
	})
	return err
}

// moveExtensions follows a change of an assignment's due date, or its publication.
func (tx *Tx) moveExtensions(ctx context.Context, a studycircle.Assignment) error {
	if a.CircleID == studycircle.Hall && !a.SomeExtended {
		return nil
	}
	users, err := tx.Queries.ExtendedUsers(ctx, db.ExtendedUsersParams{AssignmentID: a.ID, CircleID: a.CircleID})
	if err != nil || len(users) == 0 {
		return err
	}
	zone, err := tx.zoneOf(ctx, a.Creator.UserID)
	if err != nil {
		return err
	}
	for _, u := range users {
		if u.UserID == a.Creator.UserID {
			continue
		}
		var given studycircle.DueDate
		if u.OwnAt.Valid {
			given = studycircle.DueDateAt(u.OwnAt.Int64, int(u.OwnOffset.Int64))
		}
		if err := tx.putExtension(ctx, a, u.UserID, given, u.ExtraDays, zone); err != nil {
			return err
		}
	}
	return nil
}

// SetExtraDays gives a member, whose account is locked, extra time for all assignments of a circle, after LockCircle.
func (tx *Tx) SetExtraDays(ctx context.Context, m studycircle.Membership, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.SetExtraDays", m.CircleID)
	if err := tx.Queries.SetExtraDays(ctx, db.SetExtraDaysParams{Seq: m.Seq, ExtraDays: m.ExtraDays}); err != nil {
		return err
	}
	if err := tx.seal(ctx, tables.AssignmentsIn, m.CircleID); err != nil {
		return err
	}
	rows, err := tx.Queries.LiveAssignmentsOf(ctx, m.CircleID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.CreatorID == m.UserID {
			continue
		}
		a := studycircle.Assignment{ID: r.ID, CircleID: m.CircleID, Due: studycircle.DueDateAt(r.DueAt, int(r.DueOffset))}
		a.Creator.UserID = r.CreatorID
		given, err := tx.givenTo(ctx, a, m.UserID)
		if err != nil {
			return err
		}
		if err := tx.putExtension(ctx, a, m.UserID, given, m.ExtraDays, location(r.TimeZone)); err != nil {
			return err
		}
		if err := tx.extended(ctx, a, m.UserID, now); err != nil {
			return err
		}
	}
	return nil
}

// givenTo returns the due date that a user was given for an assignment; zero without one.
func (tx *Tx) givenTo(
	ctx context.Context, a studycircle.Assignment, userID string,
) (given studycircle.DueDate, err error) {
	rows, err := tx.Queries.GetExtension(ctx, db.GetExtensionParams{AssignmentID: a.ID, UserID: userID})
	if err == nil && len(rows) > 0 && rows[0].OwnAt.Valid {
		given = studycircle.DueDateAt(rows[0].OwnAt.Int64, int(rows[0].OwnOffset.Int64))
	}
	return given, err
}

// zoneOf returns a user's time zone; nil if unknown.
func (tx *Tx) zoneOf(ctx context.Context, userID string) (*time.Location, error) {
	zones, err := tx.Queries.ZoneOf(ctx, userID)
	if err != nil || len(zones) == 0 {
		return nil, err
	}
	return location(zones[0]), nil
}

func location(zone string) *time.Location {
	if zone == "" {
		return nil
	}
	found, err := time.LoadLocation(zone)
	if err != nil {
		return nil
	}
	return found
}
