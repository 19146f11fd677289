package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// monitored reads what an operator watches, at a time.
func (b *bundle) monitored(t *testing.T, at time.Time) store.Monitored {
	t.Helper()
	m, err := b.Monitored(t.Context(), at)
	require.NoError(t, err)
	return m
}

func TestMonitoredCountsWhatWaits(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		hour := now.Add(time.Hour)
		empty := b.monitored(t, hour)
		require.Zero(t, empty.OldestUnmarked)
		require.Zero(t, empty.ReviewsWaiting)
		require.Zero(t, empty.Sessions)

		ada, bo, eve := b.user(t, "Ada"), b.user(t, "Bo"), b.user(t, "Eve")
		for i, ends := range []time.Time{now.Add(time.Minute), now.Add(2 * time.Hour), now.Add(3 * time.Hour)} {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertSession(ctx, store.NewSession{ID: fmt.Sprint("s", i), UserID: ada.ID, SecretHash: fmt.Sprint("h", i), CreatedAt: now, ExpiresAt: ends})
			})
		}
		b.group(t, "over", ada, bo)
		past := b.assignmentIn(t, "over", ada, studycircle.Easy, "Over", "Read.")
		require.NoError(t, submit(t.Context(), b.Store, studycircle.ViewerOf(bo.ID), past.ID, limit.Use{}, func(_ studycircle.OwnCircle, a studycircle.Assignment) (studycircle.Submission, error) {
			return handIn(a, bo), nil
		}))
		b.exec(t, "UPDATE circles SET archived_at = 1 WHERE id = 'over'")
		require.Zero(t, b.monitored(t, hour).OldestUnmarked, "in an archived circle nothing is marked")

		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		id, err := b.submit(t.Context(), a.ID, bo, limit.Use{})
		require.NoError(t, err)
		reviewed := b.forReview(t, a, eve)
		b.exec(t, fmt.Sprint("UPDATE submissions SET submitted_at = submitted_at + ", (20*time.Minute).Microseconds(), " WHERE id = '"+reviewed+"'"))
		got := b.monitored(t, hour)
		require.Equal(t, time.Hour, got.OldestUnmarked)
		require.EqualValues(t, 3, got.ReviewsWaiting)
		require.EqualValues(t, 2, got.Sessions)

		require.NoError(t, b.grade(t.Context(), id, ada, 1, limit.Use{}))
		require.Equal(t, 40*time.Minute, b.monitored(t, hour).OldestUnmarked)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			offers, err := tx.NextToReview(ctx, bo.ID, studycircle.Hall, a.ID, now)
			require.NotEmpty(t, offers)
			return err
		})
		b.exec(t, "UPDATE review_states SET phase = 'appealed' WHERE id = '"+reviewed+"'")
		require.Zero(t, b.monitored(t, hour).OldestUnmarked, "it has its mark")
		require.Zero(t, b.monitored(t, now.Add(-time.Hour)).OldestUnmarked)
	})
}

func TestMonitoredCountsJobs(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		got := b.monitored(t, time.Now())
		require.Len(t, got.Jobs, 8)
		require.Equal(t, map[string]time.Duration{"mail": 0, "periodic": 0}, got.OldestJobs)
		b.queue(t, "ada", "reset")
		b.queue(t, "bo", "notification:1")
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.QueueMail(ctx, "unknown", "reset") })
		got = b.monitored(t, time.Now().Add(time.Hour))
		assert.EqualValues(t, 2, got.Jobs["available"], "without the email to an unknown address")
		assert.InDelta(t, time.Hour.Seconds(), got.OldestJobs["mail"].Seconds(), 60)
		assert.Zero(t, got.OldestJobs["periodic"])
		assert.Zero(t, b.monitored(t, time.Now().Add(-time.Hour)).OldestJobs["mail"], "it is not due yet")
	})
}

func TestObserverHearsOfReadsWritesAndCommits(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada := b.user(t, "Ada")
		var mu sync.Mutex
		waits, writes, circles, positions := map[string]int{}, 0, map[bool]int{}, map[bool]int{}
		c := b.config
		c.Observer = store.Observer{
			Took: func(kind string, wait time.Duration) {
				mu.Lock()
				defer mu.Unlock()
				assert.Positive(t, wait, kind)
				waits[kind]++
			},
			Committed: func(n int) {
				mu.Lock()
				defer mu.Unlock()
				assert.Positive(t, n)
				writes += n
			},
			Circles:   func(hit bool) { mu.Lock(); defer mu.Unlock(); circles[hit]++ },
			Positions: func(hit bool) { mu.Lock(); defer mu.Unlock(); positions[hit]++ },
		}
		o := *b
		o.Store = setup(t, c).Store
		a := o.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		people, _ := b.people(t)
		ids := make([]string, clients)
		atOnce(func(i int) {
			var err error
			ids[i], err = o.submit(context.Background(), a.ID, people[i], limit.Use{})
			assert.NoError(t, err)
		})
		require.NoError(t, o.grade(t.Context(), ids[0], ada, 1, limit.Use{}))
		_, _, err := o.Assignments(t.Context(), anyone, studycircle.Hall, studycircle.Easy, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.NotEmpty(t, o.search(t, "tides", ""))
		_, err = o.RoleIn(t.Context(), ada.ID, "none")
		require.NoError(t, err)

		mu.Lock()
		defer mu.Unlock()
		assert.GreaterOrEqual(t, waits["write"], 1+clients+1)
		assert.Positive(t, waits["search"])
		assert.Positive(t, waits["page"])
		assert.Positive(t, waits["find"])
		assert.GreaterOrEqual(t, writes, 1+clients+1)
		assert.Positive(t, circles[true]+circles[false])
	})
}
