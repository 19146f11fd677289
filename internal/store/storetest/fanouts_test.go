package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// thread is a thread with many writers.
type thread struct {
	of    studycircle.Assignment
	first studycircle.Comment
}

// crowdedThread stores a thread of by with replies of n others, whose ids are w00001 to
// the last.
func (b *bundle) crowdedThread(t *testing.T, by studycircle.User, n int) thread {
	t.Helper()
	of := b.assignment(t, by, studycircle.Easy, "Tides", "Text.")
	first := b.comment(t, remark(of, by, "", "Why?"))
	numbers := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d), p AS (SELECT i, 'w' || SUBSTR('0000' || i, LENGTH('0000' || i) - 4) AS id FROM n) ", n)
	for _, statement := range []string{
		"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at, email_verified_at) " + numbers +
			"SELECT id, id || '@example.org', 'W', '', '', 0, 1 FROM p",
		"INSERT INTO comments (id, assignment_id, thread_id, author_id, text, html, created_at, listed, replies, likes, thanks, insightful, questions) " + numbers +
			fmt.Sprintf("SELECT 'c' || id, '%s', '%s', id, 'So', 'So', 0, TRUE, 0, 0, 0, 0, 0 FROM p", of.ID, first.ID),
		fmt.Sprintf("UPDATE comments SET replies = %d WHERE id = '%s'", n, first.ID),
	} {
		_, err := b.plain.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return thread{of, first}
}

func writer(n int) studycircle.User { return studycircle.User{ID: fmt.Sprintf("w%05d", n)} }

// answer replies in a thread and notifies its writers, as the service does.
func (b *bundle) answer(ctx context.Context, th thread, by studycircle.User, apart ...string) (id string, err error) {
	reply := remark(th.of, by, th.first.ID, "Because.")
	return reply.ID, b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertComment(ctx, reply); err != nil {
			return err
		}
		return tx.NotifyThread(ctx, reply.ID, studycircle.Notice{
			Kind: studycircle.NotifyReply, Subject: th.first.ID, AssignmentID: th.of.ID, Title: "Tides", URL: "/assignment/x", ActorID: by.ID, At: now,
		}, apart)
	})
}

// repliesNotified returns how often each user was notified of replies; users who were not are
// absent.
func (b *bundle) repliesNotified(t *testing.T) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for _, line := range b.ids(t, "SELECT user_id || ' ' || notices FROM notifications WHERE kind = 'reply'") {
		var id string
		var n int64
		_, err := fmt.Sscan(line, &id, &n)
		require.NoError(t, err)
		out[id] += n
	}
	return out
}

func (b *bundle) deliverAll(t *testing.T) (rounds int) {
	t.Helper()
	for n := 1; n > 0; rounds++ {
		var err error
		n, err = b.DeliverNotices(t.Context())
		require.NoError(t, err)
	}
	return rounds
}

// A reply inserts one row, however many wrote in its thread. Each writer is notified
// once, also one who looks before delivery, and no other user is.
func TestAReplyNotifiesAllWritersOnce(t *testing.T) {
	t.Parallel()
	const many = 700
	onBothEngines(t, func(t *testing.T, b *bundle) {
		other := setup(t, b.config)
		ada := b.user(t, "Ada")
		th := b.crowdedThread(t, ada, many)
		for _, gone := range []string{"w00003", "w00600"} { // they deleted their comments
			_, err := b.plain.ExecContext(t.Context(), "UPDATE comments SET deleted_at = 1 WHERE author_id = $1", gone)
			require.NoError(t, err)
		}
		hidden := b.user(t, "Hidden")
		moderated := b.comment(t, remark(th.of, hidden, th.first.ID, "Rude"))
		_, err := b.plain.ExecContext(t.Context(), "UPDATE comments SET hidden_at = 1 WHERE id = $1", moderated.ID)
		require.NoError(t, err)

		_, err = b.answer(t.Context(), th, writer(5), "w00007", "w00500", "w00500")
		require.NoError(t, err)
		require.Zero(t, b.count(t, "notices"))
		require.Equal(t, 1, b.count(t, "fanouts"))
		late := b.user(t, "Late")
		b.comment(t, remark(th.of, late, th.first.ID, "Only now"))

		for _, early := range []studycircle.User{writer(690), ada, writer(690)} {
			require.Len(t, b.notified(t, early, 10), 1, "the list is exact from the reply on")
		}
		for _, none := range []studycircle.User{writer(3), writer(5), writer(7), writer(500), late, hidden} {
			require.Empty(t, b.notified(t, none, 10))
		}
		for i, node := 0, []*bundle{b, other}; ; i++ {
			n, err := node[i%2].DeliverNotices(t.Context())
			require.NoError(t, err)
			if n == 0 {
				break
			}
			require.Less(t, b.count(t, "notices"), 300, "no transaction tells all of them")
			require.Len(t, b.notified(t, writer(100+100*(i%5)+i), 10), min(1, (100+100*(i%5)+i)%500))
		}
		want := map[string]int64{ada.ID: 1}
		for i := range many {
			if id := writer(i + 1).ID; !slices.Contains([]string{"w00003", "w00600", "w00005", "w00007", "w00500"}, id) {
				want[id] = 1
			}
		}
		require.Equal(t, want, b.repliesNotified(t))
		for _, table := range []string{"notices", "fanouts", "fanouts_apart"} {
			require.Zero(t, b.count(t, table))
		}
	})
}

// A user who looks while a reply is being delivered finds it, as soon as it is committed.
func TestAReplyIsFoundWhileItIsDelivered(t *testing.T) {
	t.Parallel()
	const many = 31 // and one that delivers
	onBothEngines(t, func(t *testing.T, b *bundle) {
		th := b.crowdedThread(t, b.user(t, "Ada"), many)
		for round := range 8 {
			_, err := b.answer(t.Context(), th, b.user(t, fmt.Sprint("Eve", round)))
			require.NoError(t, err)
			found, errs := make([]int64, many), make([]error, many+1)
			atOnce(func(i int) {
				if i == many {
					_, errs[i] = b.DeliverNotices(t.Context())
					return
				}
				list, _, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(writer(i+1).ID), false, studycircle.Page{Number: 1, Limit: 5})
				if errs[i] = err; len(list) == 1 {
					found[i] = list[0].Count
				}
			})
			require.NoError(t, errors.Join(errs...))
			require.Equal(t, slices.Repeat([]int64{int64(round + 1)}, many), found)
		}
	})
}

// 32 clients reply in a thread, deliver on two nodes and look concurrently: each writer
// is notified of each reply once.
func TestConcurrentRepliesNotifyOnce(t *testing.T) {
	t.Parallel()
	const many, answers = 120, 12
	onBothEngines(t, func(t *testing.T, b *bundle) {
		nodes := b.twoNodes(t)
		ada := b.user(t, "Ada")
		th := b.crowdedThread(t, ada, many)
		var mu sync.Mutex
		var failed []error
		atOnce(func(i int) {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			var err error
			for k := 0; k < 6 && err == nil; k++ {
				switch on := nodes[i%2]; {
				case i < answers && k == 0:
					_, err = on.answer(t.Context(), th, ada)
				case i%4 == 0:
					_, err = on.DeliverNotices(t.Context())
				default:
					_, _, _, err = on.Notifications(t.Context(), studycircle.ViewerOf(writer(1+r.IntN(many)).ID), false, studycircle.Page{Number: 1, Limit: 5})
				}
			}
			if err != nil {
				mu.Lock()
				failed = append(failed, err)
				mu.Unlock()
			}
		})
		require.Empty(t, failed)
		b.deliverAll(t)
		want := map[string]int64{}
		for i := range many {
			want[writer(i+1).ID] = answers
		}
		require.Equal(t, want, b.repliesNotified(t))
	})
}

// Nodes are killed while a reply is delivered to thousands: each is notified once.
func TestRepliesOfKilledNodesNotifyOnce(t *testing.T) {
	t.Parallel()
	const many = 8000
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) {
		t.Helper()
		first := setup(t, c)
		th := first.crowdedThread(t, first.user(t, "Ada"), many)
		_, err := first.answer(t.Context(), th, writer(5))
		require.NoError(t, err)
		first.killWhileDelivering(t, c.URL+c.Dir, many)
		_, err = deliverAll(t.Context(), first.Store)
		require.NoError(t, err)
		told := first.repliesNotified(t)
		require.Len(t, told, many, "all but one, and who began the thread")
		for who, n := range told {
			require.EqualValues(t, 1, n, who)
		}
	})
}

// Deleting an assignment deletes the undelivered notifications of its discussion.
func TestFanoutsAreDeletedWithTheirAssignment(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		th := b.crowdedThread(t, ada, 300)
		_, err := b.answer(t.Context(), th, writer(5))
		require.NoError(t, err)
		_, err = b.DeliverNotices(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, b.repliesNotified(t))
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, th.of.ID, now) })
		require.Equal(t, 1, b.deliverAll(t))
		require.Empty(t, b.repliesNotified(t))
		require.Empty(t, b.notified(t, writer(299), 5))
	})
}

// A member who joins after an assignment is published, and before others are told of it, is not told.
func TestNewMembersAreNotToldOfWhatCameBefore(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cem := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cem")
		member := func(u studycircle.User) studycircle.Membership {
			return studycircle.Membership{UserID: u.ID, Role: studycircle.CircleMember}
		}
		a := sample(ada, studycircle.Easy, "Tides", "Text.")
		a.CircleID = b.circle(t, "Readers", ada, member(bob))
		require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
		late := member(cem)
		late.CircleID, late.JoinedAt = a.CircleID, now.Add(time.Microsecond)
		require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(cem.ID), func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.LockCircle(ctx, a.CircleID); err != nil {
				return err
			}
			return tx.InsertMember(ctx, late)
		}))
		b.deliverAll(t)
		require.Len(t, b.notified(t, bob, 5), 1)
		require.Empty(t, b.notified(t, cem, 5))
	})
}
