package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
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
	done                 []int
	title                string
	due                  studycircle.DueDate
	wanted               bool // the assignment lives, and the user has not handed in
	live                 bool
	preferences          studycircle.Preferences
}

const selectDueReminders = `
SELECT t.user_id, t.assignment_id, t.created_at, t.seen_at, t.done, a.title, a.due_at, a.due_offset, a.deleted_at,
	COALESCE(i.time_zone, ''), COALESCE(i.preferences, ''),
	EXISTS (SELECT 1 FROM taken k WHERE k.user_id = t.user_id AND k.seq = a.seq)
FROM reminders t JOIN assignments a ON a.id = t.assignment_id LEFT JOIN inboxes i ON i.id = t.user_id
WHERE t.next_at <= $1 ORDER BY t.next_at LIMIT $2`

var planned = engine.Statement{
	Head: "UPDATE reminders SET seen_at = v.column3, done = v.column4, next_at = v.column5 FROM (VALUES ",
	Row:  "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS BIGINT))",
	Tail: ") AS v WHERE reminders.user_id = v.column1 AND reminders.assignment_id = v.column2 RETURNING reminders.user_id",
}

// SendReminders sends the reminders that are due at now, from rows that no other transaction has locked, and returns
// how many rows it checked; there may be more. Any number of nodes may run it: each reminder goes out once, in the
// transaction that records it.
func (s *Store) SendReminders(ctx context.Context, now time.Time) (n int, err error) {
	defer operation(&err, "Store.SendReminders")
	var waiting int
	err = s.engine.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT 1 FROM reminders WHERE next_at <= $1 LIMIT 1) AS n", micros(now)).Scan(&waiting)
	if err != nil || waiting == 0 {
		return 0, s.classify(err)
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
			plan := r.preferences.PlanReminders(r.due, r.since, now, r.done)
			for _, d := range plan.Dropped {
				if d.At.After(r.seen) { // and a change did not make it late
					late = append(late, lateReminder{r, d})
				}
			}
			if len(plan.Send) > 0 && r.wanted {
				notices = append(notices, studycircle.Notice{
					UserID: r.userID, Kind: studycircle.NotifyDue, Subject: r.assignmentID, AssignmentID: r.assignmentID,
					Title: r.title, URL: "/assignment/" + r.assignmentID, At: now,
				})
			}
			for _, d := range slices.Concat(plan.Send, plan.Dropped) {
				r.done = append(r.done, d.DaysBefore)
			}
			next := optionalMicros(plan.Next)
			next.Valid = next.Valid && r.live
			rows[i] = []any{r.userID, r.assignmentID, micros(now), joinDays(r.done), next}
		}
		if err := engine.Run(ctx, tx.Tx, planned, rows, ignoreRow); err != nil {
			return tx.Classify(err)
		}
		for _, notice := range notices {
			tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(notice.UserID)})
		}
		return tx.put(ctx, notices, true)
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

func (tx *Tx) dueReminders(ctx context.Context, now time.Time) (due []dueReminder, err error) {
	rows, err := tx.DB.QueryContext(ctx, selectDueReminders+tx.Engine.SkipLocked(), micros(now), int64(remindedAtOnce))
	if err != nil {
		return nil, tx.Classify(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r dueReminder
		var created, seen, dueAt, offset int64
		var deleted sql.NullInt64
		var done, zone, preferences string
		var handedIn bool
		if err := rows.Scan(&r.userID, &r.assignmentID, &created, &seen, &done, &r.title, &dueAt, &offset, &deleted, &zone, &preferences, &handedIn); err != nil {
			return nil, err
		}
		r.since, r.seen, r.done = instant(created), instant(max(created, seen)), splitDays(done)
		r.due = studycircle.DueDateAt(dueAt, int(offset))
		r.live = !deleted.Valid
		r.wanted = r.live && !handedIn
		if r.preferences, err = preferencesOf(zone, preferences); err != nil {
			return nil, err
		}
		due = append(due, r)
	}
	return due, rows.Err()
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
	defer operation(&err, "Store.CalendarEvents")
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
