package store

import (
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// A reminder is a row with a user, an assignment and the time of the next check. Dates and preferences are read at
// the check, so that a change of them only has to make the check due.

// remindedAtOnce is the number of rows that one transaction checks: it blocks other writers for some milliseconds and
// notifies each user separately.
const remindedAtOnce = 64

// dueReminder is a row that is due for a check, with the facts that decide on it.
type dueReminder struct {
	userID, assignmentID string
	since, seen          time.Time
	title, circleID      string
	live                 bool // the assignment is not deleted
	dates                [2]remindedDate
	preferences          studycircle.Preferences
}

// remindedDate is a due date or a review due date.
type remindedDate struct {
	kind   studycircle.NotificationKind
	due    studycircle.DueDate // zero if there is none
	done   []int               // the days before of the reminders that went out or were dropped
	wanted bool                // the user has something to do until then
}

// remind plans the reminders of both dates, and returns the notices to send and the next time to check.
func (r *dueReminder) remind(now time.Time) (notices []studycircle.Notice, late []lateReminder, next time.Time) {
	for i := range r.dates {
		date := &r.dates[i]
		if date.due.IsZero() {
			continue
		}
		plan := r.preferences.PlanReminders(date.due, r.since, now, date.done)
		for _, d := range plan.Dropped {
			if d.At.After(r.seen) { // and a change did not make it late
				late = append(late, lateReminder{*r, d})
			}
		}
		if len(plan.Send) > 0 && date.wanted && r.live {
			notices = append(notices, studycircle.Notice{
				UserID: r.userID, Kind: date.kind, Subject: r.assignmentID, AssignmentID: r.assignmentID, CircleID: r.circleID,
				Title: r.title, URL: "/assignment/" + r.assignmentID, At: now,
			})
		}
		for _, d := range slices.Concat(plan.Send, plan.Dropped) {
			date.done = append(date.done, d.DaysBefore)
		}
		if r.live && (next.IsZero() || !plan.Next.IsZero() && plan.Next.Before(next)) {
			next = plan.Next
		}
	}
	return notices, late, next
}

// SendReminders sends the reminders that are due at now, from rows that no other transaction has locked, and returns
// how many rows it checked; there may be more. Any number of nodes may run it: each reminder goes out once, in the
// transaction that records it.
func (s *Store) SendReminders(ctx context.Context, now time.Time) (n int, err error) {
	defer s.operation(&err, "Store.SendReminders")
	waiting, err := s.engine.Queries().RemindersWait(ctx, optionalMicros(now))
	if err != nil || !waiting {
		return 0, err
	}
	var late []lateReminder
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		due, err := tx.dueReminders(ctx, now)
		n, late = len(due), nil
		if err != nil || n == 0 {
			return err
		}
		var notices []studycircle.Notice
		rows := make([][]any, n)
		for i, r := range due {
			send, dropped, next := r.remind(now)
			notices, late = append(notices, send...), append(late, dropped...)
			rows[i] = []any{
				r.userID, r.assignmentID, micros(now), joinDays(r.dates[0].done), optionalMicros(next), joinDays(r.dates[1].done),
			}
		}
		if err := engine.Run(ctx, tx.Tx, tables.PlanReminders, rows, ignoreRow); err != nil {
			return err
		}
		for _, notice := range notices {
			tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(notice.UserID)})
		}
		return tx.put(ctx, notices)
	})
	if err != nil {
		return 0, err
	}
	for _, l := range late {
		slog.WarnContext(ctx, "reminder dropped: it is more than a day late", "user", l.userID, "assignment", l.assignmentID,
			"daysBefore", l.DaysBefore, "at", l.At)
	}
	return n, nil
}

type lateReminder struct {
	dueReminder
	studycircle.Reminder
}

func (tx *Tx) dueReminders(ctx context.Context, now time.Time) ([]dueReminder, error) {
	rows, err := tx.Queries.DueReminders(ctx, db.DueRemindersParams{NextAt: optionalMicros(now), Most: remindedAtOnce})
	if err != nil {
		return nil, err
	}
	due := make([]dueReminder, len(rows))
	for i, r := range rows {
		due[i] = dueReminder{
			userID: r.UserID, assignmentID: r.AssignmentID, since: instant(r.CreatedAt),
			seen: instant(max(r.CreatedAt, r.SeenAt)), title: r.Title, circleID: r.CircleID, live: !r.DeletedAt.Valid,
			dates: [2]remindedDate{
				{studycircle.NotifyDue, studycircle.DueDateAt(r.DueAt, int(r.DueOffset)), splitDays(r.Done), !r.HandedIn},
				{studycircle.NotifyOwed, tables.ReviewDueAt(r.ReviewDueAt, r.ReviewDueOffset), splitDays(r.DoneReviews), false},
			},
		}
		if due[i].preferences, err = preferencesOf(r.TimeZone, r.Preferences); err != nil {
			return nil, err
		}
		if reviews := &due[i].dates[1]; r.HandedIn && !reviews.due.IsZero() {
			duty, err := tx.duty(ctx, r.UserID, r.AssignmentID, now)
			if err != nil {
				return nil, err
			}
			reviews.wanted = duty.Left(now) > 0
		}
	}
	return due, nil
}

// joinDays encodes the days before of the reminders that are done.
func joinDays(days []int) string {
	texts := make([]string, len(days))
	for i, d := range days {
		texts[i] = strconv.Itoa(d)
	}
	return strings.Join(texts, ",")
}

func splitDays(s string) (days []int) {
	for text := range strings.SplitSeq(s, ",") {
		if d, err := strconv.Atoi(text); err == nil {
			days = append(days, d)
		}
	}
	return days
}

// maxCalendar is the most events of a calendar: the latest.
const maxCalendar = 2000

// CalendarEvents returns the due dates of which a user wants to be reminded, soonest first.
func (s *Store) CalendarEvents(ctx context.Context, v studycircle.Viewer) (out []studycircle.CalendarEvent, err error) {
	defer s.operation(&err, "Store.CalendarEvents")
	err = ask(ctx, s, v, tables.CalendarOf, func(rows *sql.Rows) error {
		var e studycircle.CalendarEvent
		var due, offset, changed int64
		err := rows.Scan(&e.AssignmentID, &e.Title, &due, &offset, &e.Revision, &changed, &e.HandedIn)
		e.Due, e.ChangedAt = studycircle.DueDateAt(due, int(offset)), instant(changed)
		out = append(out, e)
		return err
	}, v.UserID(), int64(maxCalendar))
	slices.Reverse(out)
	return out, err
}
