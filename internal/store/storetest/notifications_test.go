package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// notify queues notifications in one transaction.
func (b *bundle) notify(t *testing.T, notices ...studycircle.Notice) {
	t.Helper()
	b.do(t, func(_ context.Context, tx *store.Tx) error {
		tx.Notify(notices...)
		return nil
	})
}

func notice(to studycircle.User, subject string, at time.Time) studycircle.Notice {
	return studycircle.Notice{UserID: to.ID, Kind: studycircle.NotifyReply, Subject: subject, Title: "Tides", URL: "/assignment/x", At: at}
}

// notified compares a user's list and both its counts with plain queries, and returns it.
func (b *bundle) notified(t *testing.T, u studycircle.User, limit int64) []studycircle.Notification {
	t.Helper()
	var all []studycircle.Notification
	for _, unread := range []bool{true, false} {
		where := "user_id = $1 AND no IS NOT NULL"
		if unread {
			where += " AND read_at IS NULL"
		}
		// The list comes first, since reading it delivers.
		var pages []string
		all = nil
		for number := int64(1); ; number++ {
			list, total, open, err := b.Notifications(t.Context(), studycircle.ViewerOf(u.ID), unread, studycircle.Page{Number: number, Limit: limit})
			require.NoError(t, err)
			require.Equal(t, []string{fmt.Sprint(total)}, b.ids(t, "SELECT CAST(COUNT(*) AS TEXT) FROM notifications WHERE "+where, u.ID))
			require.Equal(t, []string{fmt.Sprint(open)}, b.ids(t, "SELECT CAST(COUNT(*) AS TEXT) FROM notifications WHERE user_id = $1 AND no IS NOT NULL AND read_at IS NULL", u.ID))
			if len(list) == 0 {
				break
			}
			for _, n := range list {
				pages = append(pages, n.ID)
			}
			all = append(all, list...)
		}
		want := b.ids(t, "SELECT id FROM notifications WHERE "+where+" ORDER BY no DESC", u.ID)
		if len(want) == 0 {
			want = nil
		}
		require.Equal(t, want, pages)
	}
	return all
}

// After any history of notifying, reading and gathering, lists and counts agree with the
// rows, and every notification arrives exactly once.
func TestNotificationsAfterRandomHistories(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		r := rand.New(rand.NewPCG(3, 4))
		people := []studycircle.User{b.user(t, "Ada"), b.user(t, "Bob")}
		expected := map[string]int64{}
		at := now
		for range 120 {
			u := people[r.IntN(len(people))]
			at = at.Add(time.Second)
			switch r.IntN(6) {
			case 0:
				_, err := b.DeliverNotices(t.Context())
				require.NoError(t, err)
			case 1:
				list := b.notified(t, u, 3)
				if len(list) == 0 {
					continue
				}
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					_, err := tx.ReadNotifications(ctx, u.ID, []string{list[r.IntN(len(list))].ID, "unknown"}, at)
					return err
				})
			case 2:
				list := b.notified(t, u, 100)
				if len(list) == 0 {
					continue
				}
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					_, err := tx.ReadNotificationsUntil(ctx, u.ID, list[r.IntN(len(list))].ID, at)
					return err
				})
			default:
				var some []studycircle.Notice
				for range 1 + r.IntN(6) {
					to := people[r.IntN(len(people))]
					some = append(some, notice(to, fmt.Sprint("thread", r.IntN(4)), at))
					expected[to.ID]++
				}
				b.notify(t, some...)
			}
		}
		for _, u := range people {
			told := int64(0)
			for _, n := range b.notified(t, u, 7) {
				told += n.Count
			}
			require.Equal(t, expected[u.ID], told)
		}
	})
}

// 32 concurrent clients notify one user, deliver, read and change settings on two nodes:
// nothing is lost, duplicated or miscounted.
func TestConcurrentNotificationsAreExact(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		nodes := b.twoNodes(t)
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		var mu sync.Mutex
		var failed []error
		atOnce(func(i int) {
			on := nodes[i%2]
			for k := range 10 {
				err := on.Write(t.Context(), studycircle.System(), func(_ context.Context, tx *store.Tx) error {
					tx.Notify(notice(ada, fmt.Sprint("thread", k%3), now), notice(bob, fmt.Sprint("own", i, k), now))
					return nil
				})
				if err == nil && i%3 == 0 {
					_, err = on.DeliverNotices(t.Context())
				}
				if err == nil && i%3 == 1 {
					_, _, _, err = on.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), false, studycircle.Page{Number: 1, Limit: 5})
				}
				if err == nil && i%4 == 2 {
					err = on.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
						p, err := tx.LockPreferences(ctx, ada.ID)
						if err != nil {
							return err
						}
						return tx.PutPreferences(ctx, ada.ID, p)
					})
				}
				if err == nil && i%8 == 5 {
					list, _, _, listErr := on.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), true, studycircle.Page{Number: 1, Limit: 1})
					if err = listErr; err == nil && len(list) > 0 {
						err = on.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
							_, err := tx.ReadNotificationsUntil(ctx, ada.ID, list[0].ID, now)
							return err
						})
					}
				}
				if err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
				}
			}
		})
		require.Empty(t, failed)
		for who, rows := range map[*studycircle.User]int{&ada: 0, &bob: 10 * clients} {
			told := int64(0)
			list := b.notified(t, *who, 50)
			for _, n := range list {
				told += n.Count
			}
			require.EqualValues(t, 10*clients, told)
			if rows > 0 {
				require.Len(t, list, rows)
			}
		}
	})
}

// A hundred thousand unread notifications are counted, listed from any page and read.
func TestHundredThousandUnreadNotifications(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		const many = 100_000
		_, err := b.plain.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO notices (user_id, kind, subject, title, url, created_at)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT '%s', 'reply', 's' || i, 'T', '/x', i FROM n`, many, ada.ID))
		require.NoError(t, err)
		for n := 1; n > 0; {
			n, err = b.DeliverNotices(t.Context())
			require.NoError(t, err)
		}
		list, total, unread, err := b.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), false, studycircle.Page{Number: many / 100, Limit: 100})
		require.NoError(t, err)
		require.Len(t, list, 100)
		require.EqualValues(t, many, total)
		require.EqualValues(t, many, unread)
		list, _, _, err = b.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), true, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		read := int64(0)
		for n := int64(1); n > 0; read += n {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				n, err = tx.ReadNotificationsUntil(ctx, ada.ID, list[0].ID, now)
				return err
			})
		}
		require.EqualValues(t, many, read)
		_, total, unread, err = b.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), true, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		require.Zero(t, total)
		require.Zero(t, unread)
	})
}

// A notification exists if and only if the write that it belongs to committed.
func TestNotificationsBelongToTheirTransaction(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Text.")
		err := b.Write(t.Context(), studycircle.System(), func(_ context.Context, tx *store.Tx) error {
			tx.Notify(notice(ada, "x", now))
			return errUndo
		})
		require.ErrorIs(t, err, errUndo)
		require.Error(t, submit(t.Context(), b.Store, anyone, a.ID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) {
			return studycircle.Submission{}, errUndo
		}))
		s := handIn(a, bob)
		require.NoError(t, handedIn(t.Context(), b.Store, s))
		require.Error(t, handedIn(t.Context(), b.Store, handIn(a, bob)), "already pending")
		require.NoError(t, graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: ada.ID, Mark: 1, MarkedAt: now}))
		require.Error(t, graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: ada.ID, Mark: 2, MarkedAt: now}))
		b.notify(t, studycircle.Notice{UserID: ada.ID, ActorID: ada.ID, Kind: studycircle.NotifyComment, At: now}, studycircle.Notice{Kind: studycircle.NotifyComment, At: now})
		adas, bobs := b.notified(t, ada, 10), b.notified(t, bob, 10)
		require.Len(t, adas, 1)
		require.Equal(t, studycircle.NotifyTaken, adas[0].Kind)
		require.Equal(t, bob.ID, adas[0].Actor.UserID)
		require.Len(t, bobs, 1)
		require.Equal(t, studycircle.NotifyGraded, bobs[0].Kind)
		require.Empty(t, bobs[0].Actor, "who graded is not kept beside it")
	})
}
