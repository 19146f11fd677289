package migrations_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// beforeNotifications is the last schema that stored reminders without sending them.
const beforeNotifications = 13

// held is an assignment that exists before the upgrade.
type held struct {
	id  string
	due time.Time
	// status is that of all users' submissions for it, "" without submissions.
	status  studycircle.Status
	deleted bool
	// asked is when all users asked for reminders.
	asked time.Time
}

// Users who asked for reminders before the program sent any get them once, for due dates that are still ahead, and
// none for those that have passed.
func TestUpgradedUsersGetFutureRemindersOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	long, today := now.AddDate(0, -2, 0), now.Add(-time.Hour)
	day := func(n int) time.Time { return time.Date(2026, 11, n, 23, 59, 59, 0, time.UTC) }
	const people = 150 // more than one batch
	all := []held{
		{id: "three-days", due: day(23), asked: long}, // at nine today
		{id: "tomorrow", due: day(21), asked: long},   // at nine today, and three days before long ago
		{id: "asked-since", due: day(23), asked: today},
		{id: "far", due: day(20 + 20), asked: long},
		{id: "passed", due: day(1), asked: long},
		{id: "due-today", due: day(20), asked: long}, // its last reminder was yesterday, more than a day ago
		{id: "pending", due: day(23), status: studycircle.Pending, asked: long},
		{id: "graded", due: day(23), status: studycircle.Completed, asked: long},
		{id: "deleted", due: day(23), deleted: true, asked: long},
	}
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		holdBefore(t, c, all, people)
		nodes := make([]*store.Store, 2)
		for i := range nodes {
			var err error
			nodes[i], err = store.Open(t.Context(), c)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, nodes[i].Close()) })
		}
		looked := 0
		tellAll := func(at time.Time) (mails int) {
			for i, more := 0, true; more; i++ {
				s := nodes[i%2]
				n, err := s.SendReminders(t.Context(), at)
				require.NoError(t, err)
				looked += n
				delivered, err := s.DeliverNotices(t.Context())
				require.NoError(t, err)
				queued, err := s.QueueMails(t.Context(), at)
				require.NoError(t, err)
				mails += queued
				more = n+delivered+queued > 0
			}
			return mails
		}
		told := func() map[string]int64 { // the number of reminders, by assignment
			out := map[string]int64{}
			for i := range people {
				list, _, _, err := nodes[0].Notifications(t.Context(), studycircle.ViewerOf(fmt.Sprint("u", i)), false, studycircle.Page{Number: 1, Limit: 50})
				require.NoError(t, err)
				for _, n := range list {
					require.Equal(t, studycircle.NotifyDue, n.Kind, "past reminders are not sent")
					out[n.Title] += n.Count
				}
			}
			return out
		}
		require.Equal(t, 2*people, tellAll(now))
		require.Equal(t, people*len(all), looked, "each is looked at once")
		want := map[string]int64{"three-days": people, "tomorrow": people}
		require.Equal(t, want, told())
		require.Zero(t, tellAll(now.Add(time.Hour)))
		require.Zero(t, tellAll(now.Add(-24*time.Hour)), "nor does a clock that goes back")
		require.Equal(t, want, told())

		// The following days are like those of users who always had reminders.
		require.Equal(t, 2*people, tellAll(day(22)), "a day before the 23rd")
		require.Equal(t, people, tellAll(time.Date(2026, 12, 7, 9, 0, 0, 0, time.UTC)))
		want["three-days"], want["asked-since"], want["far"] = 2*people, people, people
		require.Equal(t, want, told())
	})
}

// holdBefore fills a database of the last release before there were notifications.
func holdBefore(t *testing.T, c store.Config, all []held, people int) {
	t.Helper()
	d, dialect := unopened(t, c)
	_, err := provider(t, d, dialect).UpTo(t.Context(), beforeNotifications)
	require.NoError(t, err)
	exec := func(query string, args ...any) {
		t.Helper()
		_, err := d.ExecContext(t.Context(), query, args...)
		require.NoError(t, err)
	}
	numbers := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", people-1)
	exec("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at, email_verified_at) " + numbers +
		"SELECT 'u' || i, 'u' || i || '@example.org', 'U', '', '', 0, 1 FROM n")
	exec("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('creator', 'c@example.org', 'C', '', '', 0)")
	for no, h := range all {
		var deleted any
		if h.deleted {
			deleted = h.asked.UnixMicro()
		}
		exec(`INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, deleted_at)
			VALUES ($1, 'creator', $1, 'Text', '', 10, 'easy', $2, 0, 0, 0, $3)`, h.id, h.due.UnixMicro(), deleted)
		exec("INSERT INTO reminders (user_id, assignment_id, created_at) SELECT id, $1, $2 FROM users WHERE id LIKE 'u%'", h.id, h.asked.UnixMicro())
		if h.status == "" {
			continue
		}
		var mark, marked, grader any
		if h.status == studycircle.Completed {
			mark, marked, grader = 7, h.asked.UnixMicro(), "creator"
		}
		exec(`INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, given_mark, marked_at, grader_id)
			SELECT CAST($1 AS TEXT) || id, $1, $1, 10, id, $2, 'https://example.org', '', $3, 0, FALSE, $4, $5, $6 FROM users WHERE id LIKE 'u%'`,
			h.id, no, string(h.status), mark, marked, grader)
	}
	require.NoError(t, d.Close())
}
