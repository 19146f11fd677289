package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/tables"
	"studycircle/internal/teststore"
)

// Nodes that check the figures at the same moment, beside writers, repair each difference once.
func TestNodesRepairFiguresOnce(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, nodes := b.user(t, "Ada"), b.twoNodes(t)
		for i := range 20 {
			s := handIn(b.assignment(t, ada, studycircle.Levels[i%3], fmt.Sprint("Number ", i), "Read."), b.user(t, fmt.Sprint("Person", i)))
			require.NoError(t, handedIn(t.Context(), b.Store, s))
			require.NoError(t, graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: ada.ID, Mark: int64(i), MarkedAt: now.Add(time.Duration(i) * time.Hour)}))
		}
		b.fold(t)
		for range 3 {
			wrong := b.count(t, "page_counts WHERE tier = 0 AND scope LIKE 'g%/%'")
			b.exec(t, "UPDATE page_counts SET n = n + 2 WHERE tier = 0 AND scope LIKE 'g%/%'")
			var repairs atomic.Int64
			atOnce(func(i int) {
				if i%4 == 3 {
					assert.NoError(t, teststore.Publish(t.Context(), nodes[i%len(nodes)].Store, sample(ada, studycircle.Easy, "Beside", "Read.")))
					return
				}
				n, err := repairFigures(t.Context(), nodes[i%len(nodes)].Store)
				repairs.Add(int64(n))
				assert.NoError(t, err)
			})
			require.EqualValues(t, wrong, repairs.Load())
			n, err := repairFigures(t.Context(), b.Store)
			require.NoError(t, err)
			require.Zero(t, n)
			b.fold(t)
		}
	})
}

// The nightly check covers the figures of circles: it leaves right ones alone, and repairs wrong ones.
func TestFiguresOfCirclesAreRepaired(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		circle := b.circle(t, "Readers", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember})
		a := b.assignmentIn(t, circle, ada, studycircle.Hard, "Tides", "Read.")
		s := handIn(a, bob)
		require.NoError(t, submit(t.Context(), b.Store, studycircle.ViewerOf(bob.ID), a.ID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) { return s, nil }))
		repairs := func() int {
			t.Helper()
			n, err := repairFigures(t.Context(), b.Store)
			require.NoError(t, err)
			return n
		}
		require.Zero(t, repairs())
		b.fold(t)
		b.exec(t, "UPDATE page_counts SET n = n + 1 WHERE tier = 0 AND scope = '"+string(tables.Of(ada.ID))+"'")
		b.exec(t, "DELETE FROM taken")
		require.Equal(t, 2, repairs())
		require.Zero(t, repairs())
		for _, state := range []studycircle.State{studycircle.StatePending, studycircle.StateOpen} {
			_, total, err := b.AssignmentsByState(t.Context(), studycircle.ViewerOf(bob.ID), circle, state, "", studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			require.Equal(t, state == studycircle.StatePending, total == 1, state)
		}
		_, total, err := b.AssignmentsDueSoon(t.Context(), studycircle.ViewerOf(bob.ID), circle, "", now, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		d, err := b.Dashboard(t.Context(), studycircle.ViewerOf(ada.ID), now)
		require.NoError(t, err)
		require.EqualValues(t, 1, d.Created.Pending)
	})
}

// A grade given by a clock that is behind the submitter's counts as a wait of zero.
func TestFiguresOfAClockThatIsBehind(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		s := handIn(b.assignment(t, ada, studycircle.Easy, "Tides", "Read."), bob)
		require.NoError(t, handedIn(t.Context(), b.Store, s))
		require.NoError(t, graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: ada.ID, Mark: 7, MarkedAt: now.Add(-time.Hour)}))
		n, err := repairFigures(t.Context(), b.Store)
		require.NoError(t, err)
		require.Zero(t, n)
		d, err := b.Dashboard(t.Context(), studycircle.ViewerOf(ada.ID), now)
		require.NoError(t, err)
		require.Zero(t, d.Given.MedianWait)
		require.EqualValues(t, 1, d.Given.Graded.N)
	})
}

// Of attempts with equal shares of different totals the first is the best, whether they arrive together or one by one.
func TestTheFirstOfEqualAttemptsIsTheBest(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		for _, together := range []bool{true, false} {
			a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
			var attempts []studycircle.Submission
			for i, marks := range []int64{10, 20, 30} {
				s := handIn(a, bob)
				s.Status, s.Marks = studycircle.Completed, marks
				s.Grade = &studycircle.Grade{Mark: marks / 2, MarkedAt: now.Add(time.Duration(i) * time.Minute)}
				attempts = append(attempts, s)
			}
			batches := [][]studycircle.Submission{attempts}
			if !together {
				batches = [][]studycircle.Submission{attempts[:1], attempts[1:2], attempts[2:]}
			}
			for _, some := range batches {
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					_, err := bulk.ImportSubmissions(ctx, tx.Tx, some)
					return err
				})
			}
			got, err := b.Progress(t.Context(), studycircle.ViewerOf(bob.ID), []string{a.ID}, now)
			require.NoError(t, err)
			require.Equal(t, &studycircle.Obtained{Mark: 5, Total: 10}, got[0].Best)
			require.EqualValues(t, 3, got[0].Attempts)
		}
		n, err := repairFigures(t.Context(), b.Store)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// The work that waits in the hall and in a user's circles is one list, the longest waiting first, without that of
// archived circles and circles of others.
func TestWaitingInCirclesAndTheHall(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, eve := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Eve")
		members := []studycircle.Membership{{UserID: bob.ID, Role: studycircle.CircleMember}, {UserID: eve.ID, Role: studycircle.CircleMember}}
		open, archived := b.circle(t, "Readers", ada, members...), b.circle(t, "Archive", ada, members...)
		foreign := b.circle(t, "Others", ada, members[0])
		in := func(circle, title string) studycircle.Assignment {
			return b.assignmentIn(t, circle, ada, studycircle.Easy, title, "Read.")
		}
		for _, a := range []studycircle.Assignment{
			in(open, "first"), in(archived, "archived"), in(studycircle.Hall, "second"), in(foreign, "foreign"), in(open, "third"), in(studycircle.Hall, "fourth"),
		} {
			s := handIn(a, bob)
			require.NoError(t, submit(t.Context(), b.Store, studycircle.ViewerOf(bob.ID), a.ID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) { return s, nil }))
		}
		reviewed := map[string]studycircle.Assignment{open: in(open, "reviewed"), archived: in(archived, "reviewed in the archive")}
		for _, a := range reviewed {
			b.forReview(t, a, bob)
		}
		waiting := func() (titles []string) {
			t.Helper()
			d, err := b.Dashboard(t.Context(), studycircle.ViewerOf(eve.ID), now)
			require.NoError(t, err)
			for _, w := range d.Waiting {
				titles = append(titles, w.AssignmentTitle)
			}
			return titles
		}
		set := func(at time.Time) {
			t.Helper()
			require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(ada.ID), func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.LockCircle(ctx, archived); err != nil {
					return err
				}
				return tx.SetCircleArchived(ctx, archived, at)
			}))
		}
		set(now)
		require.Equal(t, []string{"reviewed", "first", "second", "third", "fourth"}, waiting())
		set(time.Time{})
		require.ElementsMatch(t, []string{"reviewed", "reviewed in the archive", "first", "archived", "second"}, waiting(), "five at most")
	})
}
