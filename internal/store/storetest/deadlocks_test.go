package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// circle is a group of users who are linked to each other through every table that
// refers to users: notifications, reviews, leases, comments, reactions, reports and
// reminders.
type circle struct {
	moderator   studycircle.User
	members     []studycircle.User
	assignments []studycircle.Assignment
	exemplar    string // of the last assignment
}

// newCircle stores a circle in one transaction.
func newCircle(t *testing.T, b *bundle, round int) *circle {
	t.Helper()
	c := &circle{moderator: b.user(t, fmt.Sprint("Moderator", round))}
	for i := range 5 {
		c.members = append(c.members, b.user(t, fmt.Sprintf("Member%dof%d", i, round)))
	}
	for i := range 4 {
		c.assignments = append(c.assignments, b.assignment(t, c.moderator, studycircle.Easy, fmt.Sprint("Shared ", i), "For all."))
	}
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(c.link(ctx, tx), c.practise(ctx, tx), c.review(ctx, tx))
	})
	_, err := b.DeliverNotices(t.Context())
	require.NoError(t, err)
	return c
}

// link has each member set a reminder for every assignment, report and comment on the
// first, react to each other's comments, and get notified of what the others did.
func (c *circle) link(ctx context.Context, tx *store.Tx) error {
	for i, u := range c.members {
		said, others := remark(c.assignments[0], u, "", "Hello"), slices.Concat(c.members[:i], c.members[i+1:])
		_, _, err := tx.InsertReport(ctx, studycircle.Report{
			ID: studycircle.NewID(now), Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: c.assignments[0].ID}, Reason: "Odd.", CreatedAt: now,
		}, u.ID)
		if err := errors.Join(err, tx.InsertComment(ctx, said)); err != nil {
			return err
		}
		for _, other := range others {
			if _, err := tx.React(ctx, said.ID, other.ID, "like", true); err != nil {
				return err
			}
		}
		for n := range 2 { // both expired
			if err := tx.InsertSession(ctx, store.NewSession{ID: fmt.Sprint(u.ID, n), UserID: u.ID, SecretHash: fmt.Sprint(u.ID, n), CreatedAt: now, ExpiresAt: now}); err != nil {
				return err
			}
		}
		for _, a := range c.assignments {
			if _, err := tx.SetReminder(ctx, u.ID, a.ID, true, now.Add(-48*time.Hour)); err != nil {
				return err
			}
			for _, other := range others {
				n := notice(other, fmt.Sprint(a.ID, u.ID), now)
				n.AssignmentID, n.ActorID = a.ID, u.ID
				tx.Notify(n)
			}
		}
	}
	return nil
}

// review has each member submit work for two assignments, review the work of the next
// member and reserve that of the one after.
func (c *circle) review(ctx context.Context, tx *store.Tx) error {
	work := map[string]studycircle.Reviewing{}
	key := func(a studycircle.Assignment, i int) string { return fmt.Sprint(a.ID, i%len(c.members)) }
	for _, a := range c.assignments[:2] {
		for i, u := range c.members {
			s := handIn(a, u)
			s.Reviews = 2
			r := studycircle.Reviewing{
				SubmissionID: s.ID, AssignmentID: a.ID, SubmitterID: u.ID, Phase: studycircle.ReviewOpen, Needed: 2, Wanted: 2, SettleAt: now,
			}
			if err := tx.SubmitForReview(ctx, s, a, r); err != nil {
				return err
			}
			work[key(a, i)] = r
		}
		for i, u := range c.members {
			r := work[key(a, i+1)]
			if _, err := tx.TakeLease(ctx, u.ID, studycircle.Offer{SubmissionID: r.SubmissionID}, now.Add(time.Hour)); err != nil {
				return err
			}
			if _, err := tx.EndLease(ctx, u.ID, r.SubmissionID, studycircle.TurnReviewed); err != nil {
				return err
			}
			given := studycircle.Review{ID: studycircle.NewID(now), SubmissionID: r.SubmissionID, Reviewer: u.ID, Mark: 7, GivenAt: now}
			if err := arrive(ctx, tx, given); err != nil {
				return err
			}
		}
	}
	for i, u := range c.members {
		r := work[key(c.assignments[i%2], i+2)]
		if _, err := tx.TakeLease(ctx, u.ID, studycircle.Offer{SubmissionID: r.SubmissionID}, now.Add(time.Hour)); err != nil {
			return err
		}
	}
	return nil
}

// practise has each member review an exemplar of the last assignment.
func (c *circle) practise(ctx context.Context, tx *store.Tx) error {
	a := c.assignments[3]
	c.exemplar = studycircle.NewID(now)
	err := tx.InsertExemplar(ctx, studycircle.Exemplar{ID: c.exemplar, AssignmentID: a.ID, Total: 20, DocsLink: "https://example.org/1"}, a.Title, now)
	for _, u := range c.members {
		given := studycircle.Review{ID: studycircle.NewID(now), SubmissionID: c.exemplar, Reviewer: u.ID, Mark: 7, GivenAt: now}
		err = errors.Join(err, tx.LeaseExemplar(ctx, u.ID, c.exemplar, now))
		_, ended := tx.EndLease(ctx, u.ID, c.exemplar, studycircle.TurnReviewed)
		err = errors.Join(err, ended, tx.InsertExemplarReview(ctx, given, studycircle.Exemplar{AssignmentID: a.ID}, grademodel.Part{P: 1}))
	}
	return err
}

// disperse returns writes that undo a circle: two assignments are hidden, one is deleted
// and one changed, its exemplar is removed, three members delete their accounts and two
// save their settings, while notifications and reminders go out and expired sessions are
// removed.
func (c *circle) disperse(b *bundle) []func(ctx context.Context) error {
	write := func(f func(ctx context.Context, tx *store.Tx) error) func(ctx context.Context) error {
		return func(ctx context.Context) error { return b.Write(ctx, studycircle.System(), f) }
	}
	var all []func(ctx context.Context) error
	for _, a := range c.assignments[:2] {
		all = append(all, write(func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Moderate(ctx, studycircle.Moderation{
				Action: studycircle.Hide, Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: a.ID}, Moderator: "shell", Reason: "Odd.", At: now,
			})
			return err
		}))
	}
	changed := c.assignments[3]
	changed.Due = studycircle.DueDateAt(now.Add(30*time.Hour).UnixMicro(), 60)
	all = append(all,
		write(func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteAssignment(ctx, c.assignments[2].ID, now)
		}),
		write(func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateAssignment(ctx, c.assignments[3], changed)
		}),
		write(func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExemplar(ctx, c.exemplar) }),
		write(func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, now.Add(time.Hour)) }),
		func(ctx context.Context) error { _, err := b.SendReminders(ctx, now); return err },
		func(ctx context.Context) error { _, err := b.DeliverNotices(ctx); return err },
	)
	for i, u := range c.members {
		if i < 3 {
			all = append(all, write(func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, u.ID, time.Now()) }))
			continue
		}
		all = append(all, write(func(ctx context.Context, tx *store.Tx) error {
			p, err := tx.LockPreferences(ctx, u.ID)
			if err != nil {
				return err
			}
			p.TimeZone = "Europe/Rome"
			return tx.PutPreferences(ctx, u.ID, p)
		}))
	}
	return all
}

// Assignments are deleted and hidden while the users who are linked through them
// delete their accounts: no write fails, and no two of them deadlock. testpg.Main
// reports deadlocks on PostgreSQL, since the store retries their victims.
func TestDeletionsOfAccountsAndAssignmentsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		rounds := 32
		if b.sqlite {
			rounds = 2 // one transaction writes at a time
		}
		for round := range rounds {
			writes := newCircle(t, b, round).disperse(b)
			failed := make([]error, len(writes))
			var done sync.WaitGroup
			start := make(chan struct{})
			for i, write := range writes {
				done.Go(func() {
					<-start
					failed[i] = write(t.Context())
				})
			}
			close(start)
			done.Wait()
			require.NoError(t, errors.Join(failed...))
		}
		require.Zero(t, deadlocks(t, b))
	})
}

// deadlocks returns how many deadlocks PostgreSQL has found in the test's database.
func deadlocks(t *testing.T, b *bundle) (n int64) {
	t.Helper()
	if !b.sqlite {
		require.NoError(t, b.plain.QueryRowContext(t.Context(),
			"SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&n))
	}
	return n
}

// Notifications arrive for users who read them meanwhile: each arrives once, and no two
// transactions deadlock.
func TestReadersAndWritersOfNotificationsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		users := []studycircle.User{b.user(t, "Ada"), b.user(t, "Bob")}
		const clients, rounds, each = 32, 8, 4
		client := func(n int) error {
			if n%4 == 1 {
				_, err := b.DeliverNotices(t.Context())
				return err
			}
			if n%4 > 1 {
				_, _, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(users[n/4%2].ID), false, studycircle.Page{Number: 1, Limit: 1})
				return err
			}
			return b.Write(t.Context(), studycircle.System(), func(_ context.Context, tx *store.Tx) error {
				for range each {
					for _, u := range users {
						tx.Notify(notice(u, studycircle.NewID(now), now))
					}
				}
				return nil
			})
		}
		failed := make([]error, clients)
		var done sync.WaitGroup
		for n := range clients {
			done.Go(func() {
				for range rounds {
					failed[n] = errors.Join(failed[n], client(n))
				}
			})
		}
		done.Wait()
		require.NoError(t, errors.Join(failed...))
		for _, u := range users {
			_, total, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(u.ID), false, studycircle.Page{Number: 1, Limit: 1})
			require.NoError(t, err)
			require.EqualValues(t, clients/4*rounds*each, total)
		}
		require.Zero(t, deadlocks(t, b))
	})
}

// A notice that commits late, with an id below those of notices that were there already,
// is not deleted by a reader who has not locked it: another reader may hold it and wait
// for the others.
func TestLateNoticesDoNotDeadlockReaders(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	ada := b.user(t, "Ada")
	begin := func(statement string) *sql.Tx {
		tx, err := b.plain.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.ExecContext(t.Context(), statement, ada.ID)
		require.NoError(t, err)
		return tx
	}
	late := begin("INSERT INTO notices (user_id, kind, subject, title, url, created_at) VALUES ($1, 'reply', 'late', 'Tides', '/', 0)")
	b.do(t, func(_ context.Context, tx *store.Tx) error {
		tx.Notify(notice(ada, "early", now))
		return nil
	})
	early := begin("SELECT id FROM notices WHERE user_id = $1 FOR UPDATE")
	var read sync.WaitGroup
	for n := range 2 {
		read.Go(func() {
			_, _, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), false, studycircle.Page{Number: 1, Limit: 10})
			assert.NoError(t, err)
		})
		b.awaitLocks(t, n+1)
		if n == 0 {
			require.NoError(t, late.Commit())
		}
	}
	require.NoError(t, early.Rollback())
	read.Wait()
	require.Zero(t, deadlocks(t, b))
	require.Len(t, b.notified(t, ada, 10), 2)
}

// awaitLocks waits until as many connections to PostgreSQL wait for a lock.
func (b *bundle) awaitLocks(t *testing.T, connections int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var n int
		err := b.plain.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
		return err == nil && n == connections
	}, 20*time.Second, 2*time.Millisecond)
}
