package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// here returns the present event cursor.
func (b *bundle) here(t *testing.T) string {
	t.Helper()
	news, err := b.News(t.Context(), "", "")
	require.NoError(t, err)
	require.Empty(t, news.Events)
	require.False(t, news.Gone)
	return news.Now
}

// since returns all events since a cursor, and the present cursor.
func (b *bundle) since(t *testing.T, token string) (events []studycircle.Event, now string) {
	t.Helper()
	for {
		news, err := b.News(t.Context(), token, "")
		require.NoError(t, err)
		require.False(t, news.Gone, token)
		for _, e := range news.Events {
			events = append(events, e.Event)
		}
		if token = news.Now; !news.More {
			return events, token
		}
	}
}

func TestEveryChangeIsAnEvent(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		at := b.here(t)
		a := b.assignment(t, ada, studycircle.Easy, "One", "Text.")
		after := a
		after.Title, after.UpdatedAt = "Two", a.UpdatedAt.Add(time.Microsecond)
		first, second, third := handIn(a, bob), handIn(a, bob), handIn(a, bob)
		write := func(f func(ctx context.Context, tx *store.Tx) error) func() error {
			return func() error { return b.Write(t.Context(), studycircle.System(), f) }
		}
		submit := func(s studycircle.Submission) func() error {
			return func() error { return handedIn(t.Context(), b.Store, s) }
		}
		steps := []func() error{
			write(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, a, after) }),
			submit(first),
			write(func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateSubmission(ctx, first.ID, studycircle.SubmissionInput{DocsLink: "https://example.org/2"})
			}),
			write(func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, first.ID) }),
			submit(second),
			func() error {
				return graded(t.Context(), b.Store, second.ID, studycircle.Grade{GraderID: ada.ID, Mark: 5, MarkedAt: now})
			},
			submit(third),
			write(func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, bob.ID, time.Now()) }),
			write(func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) }),
		}
		for _, step := range steps {
			require.NoError(t, step())
		}
		failed := b.Write(t.Context(), studycircle.System(), func(_ context.Context, tx *store.Tx) error {
			tx.Announce(studycircle.Event{Kind: studycircle.AssignmentCreated, ID: "undone", Audience: studycircle.Everybody})
			return errUndo
		})
		require.ErrorIs(t, failed, errUndo)

		mine := studycircle.Audience(bob.ID)
		results := studycircle.Event{Kind: studycircle.AssignmentResults, ID: a.ID, Audience: studycircle.Audience(ada.ID)}
		want := []studycircle.Event{
			{Kind: studycircle.AssignmentCreated, ID: a.ID, Audience: studycircle.Everybody},
			{Kind: studycircle.AssignmentUpdated, ID: a.ID, Audience: studycircle.Everybody},
			{Kind: studycircle.SubmissionPending, ID: first.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: first.ID, Audience: mine},
			results,
			{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(ada.ID)},
			{Kind: studycircle.SubmissionChanged, ID: first.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: first.ID, Audience: mine},
			{Kind: studycircle.SubmissionWithdrawn, ID: first.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: first.ID, Audience: mine},
			results,
			{Kind: studycircle.SubmissionPending, ID: second.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: second.ID, Audience: mine},
			results,
			{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(ada.ID)},
			{Kind: studycircle.SubmissionGraded, ID: second.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: second.ID, Audience: mine},
			results,
			{Kind: studycircle.NotificationsChanged, Audience: mine},
			{Kind: studycircle.SubmissionPending, ID: third.ID, Audience: studycircle.AllUsers},
			{Kind: studycircle.OwnSubmission, ID: third.ID, Audience: mine},
			results,
			{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(ada.ID)},
			{Kind: studycircle.SubmissionWithdrawn, ID: third.ID, Audience: studycircle.AllUsers},
			results,
			{Kind: studycircle.AssignmentDeleted, ID: a.ID, Audience: studycircle.Everybody},
			{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(ada.ID)},
		}
		got, end := b.since(t, at)
		require.Equal(t, want, got)
		got, _ = b.since(t, end)
		require.Empty(t, got)

		// The events between any two cursors are those committed between them.
		news, err := b.News(t.Context(), at, "")
		require.NoError(t, err)
		for i, from := range news.Events {
			between, err := b.News(t.Context(), from.Token, end)
			require.NoError(t, err)
			require.Equal(t, end, between.Now)
			require.Len(t, between.Events, len(want)-i-1)
		}
		half := b.here(t)
		b.assignment(t, ada, studycircle.Easy, "Later", "Text.")
		bounded, err := b.News(t.Context(), at, half)
		require.NoError(t, err)
		require.Len(t, bounded.Events, len(want))
		require.Equal(t, half, bounded.Now)
		got, _ = b.since(t, bounded.Now)
		require.Len(t, got, 1)

		// Reading one event at a time returns the same.
		want = append(want, got...)
		for i, e := range news.Events {
			rest, _ := b.since(t, e.Token)
			require.Equal(t, want[i+1:], rest, "after %d", i)
		}
	})
}

func TestManyEventsAtOnceAreOneReset(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		var many []string
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			var all []studycircle.Assignment
			for range 250 {
				all = append(all, sample(ada, studycircle.Easy, "Many", "Text."))
			}
			_, err := bulk.ImportAssignments(ctx, tx.Tx, all)
			for _, a := range all {
				many = append(many, a.ID)
			}
			return err
		})
		at := b.here(t)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range many {
				if err := tx.DeleteAssignment(ctx, id, now); err != nil {
					return err
				}
			}
			return nil
		})
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			added, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{sample(ada, studycircle.Easy, "Imported", "Text.")})
			require.Equal(t, 1, added)
			return err
		})
		got, _ := b.since(t, at)
		require.Equal(t, []studycircle.Event{{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}}, got)
	})
}

// 32 clients write while others read on from their cursors: each reader gets every change
// exactly once.
func TestEventsAreCompleteUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		at := b.here(t)
		writing, stop := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		heard := make([]map[string]int, 4)
		for i := range heard {
			heard[i] = map[string]int{}
			readers.Go(func() {
				if err := readOn(t.Context(), writing, b, at, rand.New(rand.NewPCG(uint64(i), 1)), heard[i]); err != nil {
					t.Errorf("reader %d: %v", i, err)
				}
			})
		}
		var written sync.Map
		atOnce(func(client int) {
			for range 6 {
				first, second := sample(ada, studycircle.Easy, "One", "Text."), sample(ada, studycircle.Hard, "Two", "Text.")
				third, fourth := studycircle.NewID(now), studycircle.NewID(now)
				// One in a shared transaction, and two in one of their own.
				err := errors.Join(teststore.Publish(t.Context(), b.Store, first), teststore.Publish(t.Context(), b.Store, second),
					b.Write(t.Context(), studycircle.System(), func(_ context.Context, tx *store.Tx) error {
						for _, id := range []string{third, fourth} {
							tx.Announce(studycircle.Event{Kind: studycircle.AssignmentUpdated, ID: id, Audience: studycircle.Everybody})
						}
						return nil
					}))
				if err != nil {
					t.Errorf("client %d: %v", client, err)
				}
				written.Store(first.ID, true)
				written.Store(second.ID, true)
				written.Store(third, true)
				written.Store(fourth, true)
			}
		})
		stop()
		readers.Wait()
		want := map[string]int{}
		written.Range(func(id, _ any) bool { want[id.(string)] = 1; return true })
		for i := range heard {
			for id := range want {
				require.Equal(t, 1, heard[i][id], "reader %d", i)
			}
			require.Len(t, heard[i], len(want))
		}
	})
}

// readOn counts the events it reads, a part of each batch only, until writing has ended
// and none is left.
func readOn(ctx, writing context.Context, b *bundle, at string, random *rand.Rand, heard map[string]int) error {
	for {
		over := writing.Err() != nil
		news, err := b.News(ctx, at, "")
		if err != nil || news.Gone {
			return fmt.Errorf("gone %v: %w", news.Gone, err)
		}
		take := len(news.Events)
		if take > 0 && random.IntN(2) == 0 {
			take = 1 + random.IntN(take)
		}
		for _, e := range news.Events[:take] {
			heard[e.ID]++
			at = e.Token
		}
		if take == len(news.Events) {
			if at = news.Now; over && !news.More {
				return nil
			}
		}
	}
}

// On PostgreSQL a transaction that began earlier may commit later.
func TestEventsOfLateTransactionsArrive(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	ada := b.user(t, "Ada")
	late, early := b.assignment(t, ada, studycircle.Easy, "Late", "Text."), sample(ada, studycircle.Easy, "Early", "Text.")
	at := b.here(t)
	wrote, finish, finished := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		long := engine.WithLongWrite(t.Context(), engine.LongSamples)
		finished <- b.Write(long, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			err := tx.DeleteAssignment(ctx, late.ID, now)
			close(wrote)
			<-finish
			return err
		})
	}()
	<-wrote
	require.NoError(t, teststore.Publish(t.Context(), b.Store, early))
	ids := func(events []studycircle.Event) (ids []string) {
		for _, e := range events {
			ids = append(ids, e.ID)
		}
		return ids
	}
	got, at := b.since(t, at)
	require.Equal(t, []string{early.ID}, ids(got))
	got, at = b.since(t, at)
	require.Empty(t, got)
	close(finish)
	require.NoError(t, <-finished)
	got, _ = b.since(t, at)
	require.Equal(t, []string{late.ID}, ids(got))
}

// Listeners are notified of commits, on PostgreSQL also of other nodes'.
func TestListenersHearOfCommits(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		writer := b
		if !b.sqlite {
			writer = setup(t, b.config)
		}
		ada := writer.user(t, "Ada")
		ctx, stop := context.WithCancel(t.Context())
		heard, ended := make(chan struct{}, 1), make(chan struct{})
		go func() {
			defer close(ended)
			b.OnNews(ctx, func() {
				select {
				case heard <- struct{}{}:
				default:
				}
			})
		}()
		at := b.here(t)
		for i := range 3 {
			made := writer.assignment(t, ada, studycircle.Easy, fmt.Sprint("Number ", i), "Text.")
			for {
				<-heard
				var events []studycircle.Event
				if events, at = b.since(t, at); len(events) > 0 {
					require.Equal(t, made.ID, events[0].ID)
					break
				}
			}
		}
		stop()
		<-ended
	})
}
