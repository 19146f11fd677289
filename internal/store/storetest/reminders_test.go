package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// walker is an independent model of one reminder: since when it is wanted, and which days
// before are done.
type walker struct {
	user   *walkingUser
	a      *walkingAssignment
	since  time.Time
	done   []int
	handed bool
	wanted int64 // expected reminders
}

type walkingUser struct {
	studycircle.User
	p studycircle.Preferences
}

type walkingAssignment struct {
	studycircle.Assignment
	deleted bool
}

// instantOf finds when clocks first show a time on a day, minute by minute, and caches
// it.
func instantOf(day time.Time, clock string, zone *time.Location) time.Time {
	wanted := day.Format(time.DateOnly) + " " + clock
	key := wanted + " " + zone.String()
	if known, is := instants.Load(key); is {
		return known.(time.Time)
	}
	for t := day.Add(-15 * time.Hour); ; t = t.Add(time.Minute) {
		if t.In(zone).Format("2006-01-02 15:04") >= wanted {
			instants.Store(key, t.UTC())
			return t.UTC()
		}
	}
}

var instants sync.Map

// step returns what must go out at an instant.
func (w *walker) step(t *testing.T, at time.Time) {
	t.Helper()
	zone, err := time.LoadLocation(w.user.p.TimeZone)
	require.NoError(t, err)
	year, month, day := w.a.Due.Time().Date()
	sends := false
	for _, n := range w.user.p.DaysBefore {
		if slices.Contains(w.done, n) {
			continue
		}
		due := instantOf(time.Date(year, month, day-n, 0, 0, 0, 0, time.UTC), w.user.p.At, zone)
		if !due.Before(w.a.Due.Time()) || !due.After(w.since) || due.After(at) {
			continue
		}
		w.done = append(w.done, n)
		sends = sends || (at.Sub(due) <= 24*time.Hour && !w.handed)
	}
	if sends {
		w.wanted++
	}
}

// Two years pass in steps of a minute to a day, on two nodes that die and restart, with
// clocks that jump; due dates and preferences change, work is submitted and withdrawn.
// Each reminder goes out once, when it is due and at most a day later.
func TestTwoYearsOfReminders(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		other := setup(t, b.config)
		nodes := []*bundle{b, other}
		r := rand.New(rand.NewPCG(7, 7))
		clockNow := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		end := clockNow.AddDate(2, 0, 0)
		ada := b.user(t, "Ada")
		zones := []string{"Australia/Lord_Howe", "Pacific/Chatham", "Asia/Kathmandu", "Europe/Berlin", "America/St_Johns", "UTC"}
		times := []string{"00:00", "02:00", "02:15", "02:30", "02:45", "09:00", "23:59"}
		var users []*walkingUser
		for i, zone := range zones {
			u := &walkingUser{User: b.user(t, "Walker"+strconv.Itoa(i))}
			u.p = studycircle.DefaultPreferences()
			u.p.TimeZone, u.p.At = zone, times[r.IntN(len(times))]
			users = append(users, u)
			b.prefer(t, u)
		}
		var all []*walker
		newcomers := func() {
			a := &walkingAssignment{Assignment: sample(ada, studycircle.Easy, "Walk", "Two years.")}
			a.Due = studycircle.DueDateAt(clockNow.Add(time.Duration(24+r.IntN(24*20))*time.Hour).Truncate(time.Hour).UnixMicro(), []int{0, 60, -300, 345, 825}[r.IntN(5)])
			a.CreatedAt, a.UpdatedAt = clockNow, clockNow
			require.NoError(t, teststore.Publish(t.Context(), b.Store, a.Assignment))
			a.Seq = b.stored(t, a.Assignment).Seq
			for _, u := range users {
				if r.IntN(2) == 0 {
					b.do(t, func(ctx context.Context, tx *store.Tx) error {
						_, err := tx.SetReminder(ctx, u.ID, a.ID, true, clockNow)
						return err
					})
					all = append(all, &walker{user: u, a: a, since: clockNow})
				}
			}
		}
		change := func() {
			if len(all) == 0 {
				return
			}
			w := all[max(0, len(all)-1-r.IntN(20))]
			switch r.IntN(5) {
			case 0:
				if w.a.deleted {
					return
				}
				after := w.a.Assignment
				after.Due = studycircle.DueDateAt(clockNow.Add(time.Duration(r.IntN(24*10))*time.Hour).UnixMicro(), after.Due.OffsetMinutes())
				after.UpdatedAt = after.UpdatedAt.Add(time.Second)
				b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, w.a.Assignment, after) })
				w.a.Assignment = after
			case 1:
				w.user.p.TimeZone, w.user.p.At = zones[r.IntN(len(zones))], times[r.IntN(len(times))]
				w.user.p.DaysBefore = [][]int{{3, 1}, {7}, {0}, {30, 14, 7, 3, 1}, {2, 0}}[r.IntN(5)]
				b.prefer(t, w.user)
			case 2:
				if w.handed || w.a.deleted {
					return
				}
				s := handIn(w.a.Assignment, w.user.User)
				require.NoError(t, handedIn(t.Context(), b.Store, s))
				w.handed = true
				if r.IntN(2) == 0 {
					b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, s.ID) })
					w.handed = false
				}
			case 3:
				if !w.a.deleted && r.IntN(3) == 0 {
					b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, w.a.ID, clockNow) })
					w.a.deleted = true
				}
			}
		}
		var sent int64
		for steps := 0; clockNow.Before(end); steps++ {
			switch r.IntN(40) {
			case 0: // all nodes were down
				clockNow = clockNow.Add(time.Duration(r.IntN(50)) * time.Hour)
			case 1: // the clock goes back, and stays so for a while
				clockNow = clockNow.Add(-time.Duration(r.IntN(26)) * time.Hour)
			default:
				clockNow = clockNow.Add(time.Duration(1+r.IntN(240)) * time.Minute)
			}
			if steps%40 == 0 {
				newcomers()
			}
			if r.IntN(10) == 0 {
				change()
			}
			for range 2 { // both nodes run
				n, err := nodes[r.IntN(2)].SendReminders(t.Context(), clockNow)
				require.NoError(t, err)
				require.LessOrEqual(t, n, 64)
			}
			for n := 1; n > 0; {
				var err error
				n, err = b.SendReminders(t.Context(), clockNow)
				require.NoError(t, err)
			}
			want := int64(0)
			for _, w := range all {
				if !w.a.deleted && w.a.Due.Time().After(clockNow.AddDate(0, 0, -40)) {
					w.step(t, clockNow)
				}
				want += w.wanted
			}
			if want != sent {
				b.agrees(t, all, clockNow)
				sent = want
			}
		}
		b.agrees(t, all, clockNow)
		require.Greater(t, sent, int64(300))
	})
}

// A reminder that fell due while a moderator hid its assignment is not sent; once the
// assignment is shown again, the later ones are.
func TestRemindersComeBackWithTheirAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := sample(ada, studycircle.Easy, "Walk", "Ten days.")
		a.Due = studycircle.DueDateAt(now.AddDate(0, 0, 10).UnixMicro(), 0)
		require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.SetReminder(ctx, bob.ID, a.ID, true, now)
			return err
		})
		moderate := func(action studycircle.ModerationAction) {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Moderate(ctx, studycircle.Moderation{Action: action, Reason: "Not here", Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: a.ID}, At: now})
				return err
			})
		}
		sentBy := func(daysBefore int) int64 {
			_, err := b.SendReminders(t.Context(), a.Due.Time().AddDate(0, 0, -daysBefore))
			require.NoError(t, err)
			_, total, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(bob.ID), false, studycircle.Page{Number: 1, Limit: 5})
			require.NoError(t, err)
			return total
		}
		require.Zero(t, sentBy(4))
		moderate(studycircle.Hide)
		require.Zero(t, sentBy(3))
		moderate(studycircle.Restore)
		require.Zero(t, sentBy(3))
		require.EqualValues(t, 1, sentBy(1))
	})
}

// prefer stores a user's preferences.
func (b *bundle) prefer(t *testing.T, u *walkingUser) {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.LockPreferences(ctx, u.ID); err != nil {
			return err
		}
		return tx.PutPreferences(ctx, u.ID, u.p)
	})
}

// agrees compares the sent reminders with the expected ones. Deleted assignments leave
// none.
func (b *bundle) agrees(t *testing.T, all []*walker, at time.Time) {
	t.Helper()
	told := map[string]int64{}
	rows, err := b.plain.QueryContext(t.Context(), "SELECT user_id, subject, SUM(notices) FROM notifications WHERE kind = 'due' GROUP BY user_id, subject")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var user, subject string
		var n int64
		require.NoError(t, rows.Scan(&user, &subject, &n))
		told[user+" "+subject] = n
	}
	require.NoError(t, rows.Err())
	for _, w := range all {
		if w.a.deleted {
			continue
		}
		key := w.user.ID + " " + w.a.ID
		require.Equal(t, w.wanted, told[key], "at %s: %s %s %v, due %s, done %v", at, w.user.p.TimeZone, w.user.p.At, w.user.p.DaysBefore, w.a.Due, w.done)
	}
}

const (
	// remindEnv makes the test binary a program that delivers until it is killed. Its
	// value is a folder or a PostgreSQL address.
	remindEnv = "STORETEST_REMIND"
	// reminded is how many reminders are due at once.
	reminded = 10_000
)

// remindUntilKilled prints when it has begun.
func remindUntilKilled(at string) {
	c := store.Config{Dir: at}
	if strings.HasPrefix(at, "postgres") {
		c = store.Config{URL: at}
	}
	s, err := store.Open(context.Background(), c)
	for err == nil {
		fmt.Println("telling")
		_, err = deliverAll(context.Background(), s)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// deliverAll delivers all reminders and notifications, queues their emails, and returns
// how many.
func deliverAll(ctx context.Context, s *store.Store) (all int, err error) {
	for more := true; more && err == nil; {
		sent, failed := s.SendReminders(ctx, now)
		if failed != nil {
			return all, failed
		}
		delivered, failed := s.DeliverNotices(ctx)
		if failed != nil {
			return all, failed
		}
		queued, failed := s.QueueMails(ctx, now)
		all, more, err = all+sent, sent+delivered+queued > 0, failed
	}
	return all, err
}

// Nodes are killed while 10,000 reminders go out: each goes out once, in the app and as a
// queued email.
func TestRemindersOfKilledNodesAreSentOnce(t *testing.T) {
	t.Parallel()
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) { t.Helper(); killedNodes(t, c, c.Dir+c.URL) })
}

func killedNodes(t *testing.T, c store.Config, at string) {
	t.Helper()
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	b := &bundle{plain: plainDB(t, c)}
	defer func() { require.NoError(t, b.plain.Close()) }()
	b.manyReminders(t, reminded)
	b.killWhileDelivering(t, at, reminded)
	last := setup(t, c)
	_, err = deliverAll(t.Context(), last.Store)
	require.NoError(t, err)
	require.Equal(t, reminded, b.count(t, "notifications WHERE notices = 1 AND mail = 'queued'"))
	require.Equal(t, reminded, b.count(t, "(SELECT DISTINCT user_id FROM notifications) AS n"))
	require.Equal(t, reminded, b.count(t, "(SELECT DISTINCT args->>'mail' FROM river_job WHERE kind = 'mail') AS n"))
	require.Equal(t, reminded, b.count(t, "river_job"))
	require.Zero(t, b.count(t, "reminders WHERE next_at <= "+strconv.FormatInt(now.UnixMicro(), 10)))
}

// killWhileDelivering kills delivering nodes, one after the other, until more than half
// of many are delivered.
func (b *bundle) killWhileDelivering(t *testing.T, at string, many int) {
	t.Helper()
	for round := range 5 {
		node := exec.CommandContext(t.Context(), os.Args[0])
		node.Env = append(os.Environ(), remindEnv+"="+at)
		node.Stderr = os.Stderr
		out, err := node.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, node.Start())
		_, err = out.Read(make([]byte, 1))
		require.NoError(t, err)
		for want := many / 8 * (round + 1); b.count(t, "notifications") < want; {
			runtime.Gosched()
		}
		require.NoError(t, node.Process.Kill())
		require.Error(t, node.Wait(), "the node is killed")
	}
	require.Less(t, b.count(t, "notifications"), many, "nodes are killed while there is more to do")
}

// count returns how many rows a FROM clause selects.
func (b *bundle) count(t *testing.T, from string) int {
	t.Helper()
	n, err := strconv.Atoi(b.ids(t, "SELECT CAST(COUNT(*) AS TEXT) FROM "+from)[0])
	require.NoError(t, err)
	return n
}

// manyReminders gives n users a reminder of one assignment, due now.
func (b *bundle) manyReminders(tb testing.TB, n int) {
	tb.Helper()
	due := now.Add(63 * time.Hour) // 2026-11-23 03:00 UTC: three days before, at nine, is now but for three hours
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at, email_verified_at)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT 'u' || i, 'u' || i || '@example.org', 'U', '', '', 0, 1 FROM n`, n),
		fmt.Sprintf(`INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
			VALUES ('due', 'u1', 'Due', '', '', 1, 'easy', %d, 0, 0, 0)`, due.UnixMicro()),
		"INSERT INTO reminders (user_id, assignment_id, created_at) SELECT id, 'due', 0 FROM users WHERE id LIKE 'u%'",
	} {
		_, err := b.plain.ExecContext(tb.Context(), statement)
		require.NoError(tb, err)
	}
}
