package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// Concurrent clients publish, some of them invalid assignments: the valid ones are in all
// lists, searches and events.
func TestConcurrentPublishing(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Creator")
		nobody := studycircle.User{ID: studycircle.NewID(now)}
		at := b.here(t)
		var wrong, published sync.Map
		atOnce(func(i int) {
			for round := range 10 {
				ctx, cancel := context.WithCancel(t.Context())
				a := sample(creator, studycircle.Levels[round%3], fmt.Sprint("Kept by", i, " at", round), "Some text, and täxt.")
				switch i % 4 {
				case 1:
					cancel()
				case 2:
					a.Creator.UserID = nobody.ID
				case 3:
					a.Creator.UserID = ""
				}
				err := teststore.Publish(ctx, b.Store, a)
				cancel()
				if err == nil {
					published.Store(a.ID, a)
				}
				refused := i%4 == 1 || i%4 == 2
				if (err != nil) != refused || (i%4 == 2 && studycircle.CodeOf(err) != studycircle.CodeNotFound) {
					wrong.Store(fmt.Sprint(i, "/", round), err)
				}
			}
		})
		wrong.Range(func(at, err any) bool {
			t.Errorf("client %v: %v", at, err)
			return true
		})
		events, _ := b.since(t, at)
		announced := []string{}
		for _, e := range events {
			require.Equal(t, studycircle.Event{Kind: studycircle.AssignmentCreated, ID: e.ID, Audience: studycircle.Everybody}, e)
			announced = append(announced, e.ID)
		}
		want := []string{}
		published.Range(func(id, as any) bool {
			want = append(want, id.(string))
			a := as.(studycircle.Assignment)
			got, err := b.Assignment(t.Context(), anyone, a.ID)
			require.NoError(t, err)
			if a.Creator.UserID != "" {
				a.Creator = studycircle.Person{UserID: creator.ID, Email: creator.Email, DisplayName: creator.DisplayName}
			}
			a.Seq = got.Seq
			require.Equal(t, a, got)
			require.Equal(t, []string{a.Title}, b.search(t, a.Title+" taxt", a.Level))
			return true
		})
		require.Len(t, want, clients/2*10)
		slices.Sort(want)
		slices.Sort(announced)
		require.Equal(t, want, announced)
		b.exact(t, nil)
	})
}

// Publish while the store closes returns nil if and only if the assignment was stored.
func TestClosingReportsAcknowledgedPublications(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Creator")
		for range 10 {
			closing := b.another(t)
			told := make([]error, clients)
			all := make([]studycircle.Assignment, clients)
			for i := range all {
				all[i] = sample(creator, studycircle.Easy, "Late", "Text.")
			}
			var closed sync.WaitGroup
			atOnce(func(i int) {
				if i == 0 {
					closed.Go(func() { _ = closing.Close() }) // closed again, and checked, when the test ends
				}
				told[i] = teststore.Publish(t.Context(), closing.Store, all[i])
			})
			closed.Wait()
			for i, a := range all {
				_, missing := b.Assignment(t.Context(), anyone, a.ID)
				require.Equal(t, told[i] == nil, missing == nil, "returned %v, read %v", told[i], missing)
			}
		}
	})
}

// A publisher that waits for a row delays no other.
func TestPublishersPassAWaitingOne(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	leaving, staying := b.user(t, "Leaving"), b.user(t, "Staying")
	holder, err := b.plain.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = holder.Rollback() }() // if the test ends early
	_, err = holder.ExecContext(t.Context(), "SELECT FROM users WHERE id = $1 FOR UPDATE", leaving.ID)
	require.NoError(t, err)
	waits := make(chan error)
	go func() {
		waits <- teststore.Publish(t.Context(), b.Store, sample(leaving, studycircle.Easy, "Waits", "Text."))
	}()
	require.Eventually(t, func() bool {
		var waiting int
		err := b.plain.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()").Scan(&waiting)
		return err == nil && waiting == 1
	}, 30*time.Second, time.Millisecond)
	for i := range 3 {
		require.NoError(t, teststore.Publish(t.Context(), b.Store, sample(staying, studycircle.Easy, fmt.Sprint("Passes ", i), "Text.")))
	}
	require.NoError(t, holder.Rollback())
	require.NoError(t, <-waits)
}
