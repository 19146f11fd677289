package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/teststore"
)

const clients = 32

// atOnce runs f for all clients concurrently and waits for them.
func atOnce(f func(client int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range clients {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			f(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// Every write of the store with 32 concurrent clients, then pages against plain queries.
func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Creator")
		shared := b.assignment(t, creator, studycircle.Easy, "Shared", "By everybody.")
		people := make([]studycircle.User, clients)
		for i := range people {
			people[i] = b.user(t, fmt.Sprint("Person", i))
		}
		var failures sync.Map
		atOnce(func(i int) {
			for round := range 6 {
				if err := workOnce(t.Context(), b, creator, shared, people[i], round); err != nil {
					failures.Store(fmt.Sprint(i, "/", round), err)
				}
			}
		})
		failures.Range(func(at, err any) bool {
			t.Errorf("client %v: %v", at, err)
			return true
		})
		b.exact(t, people)
	})
}

// workOnce creates an assignment, changes its level and sometimes deletes it; submits to
// a shared one, changes the submission, and has it graded or withdraws it.
func workOnce(ctx context.Context, b *bundle, creator studycircle.User, shared studycircle.Assignment, me studycircle.User, round int) error {
	a := sample(me, studycircle.Levels[round%3], fmt.Sprint("Of ", me.DisplayName, " ", round), "Text.")
	after := a
	after.Level, after.UpdatedAt = studycircle.Levels[(round+1)%3], a.UpdatedAt.Add(time.Microsecond)
	s := handIn(shared, me)
	write := func(f func(ctx context.Context, tx *store.Tx) error) func() error {
		return func() error { return b.Write(ctx, studycircle.System(), f) }
	}
	steps := []func() error{
		func() error { return teststore.Publish(ctx, b.Store, a) },
		write(func(ctx context.Context, tx *store.Tx) error {
			stored, err := tx.Assignment(ctx, a.ID)
			if err != nil {
				return err
			}
			return tx.UpdateAssignment(ctx, stored, after)
		}),
		write(func(ctx context.Context, tx *store.Tx) error {
			if round%2 == 0 {
				return nil
			}
			return tx.DeleteAssignment(ctx, a.ID, now)
		}),
		func() error { return handedIn(ctx, b.Store, s) },
		write(func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateSubmission(ctx, s.ID, studycircle.SubmissionInput{DocsLink: "https://example.org/2"})
		}),
		func() error {
			if round%3 == 2 {
				return b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, s.ID) })
			}
			return graded(ctx, b.Store, s.ID, studycircle.Grade{GraderID: creator.ID, Mark: 5, MarkedAt: now})
		},
		write(func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateProfile(ctx, me.ID, studycircle.Profile{DisplayName: fmt.Sprint(me.DisplayName, " ", round)})
		}),
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

func TestOneOfManyConcurrentWritesWins(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator, submitter := b.user(t, "Creator"), b.user(t, "Submitter")
		a := b.assignment(t, creator, studycircle.Easy, "Once", "Only once.")
		for range 10 {
			var ids sync.Map
			requireOneWinner(t, studycircle.CodeAlreadyPending, func(int) error {
				s := handIn(a, submitter)
				err := handedIn(t.Context(), b.Store, s)
				if err == nil {
					ids.Store("winner", s.ID)
				}
				return err
			})
			id, _ := ids.Load("winner")
			requireOneWinner(t, studycircle.CodeAlreadyGraded, func(i int) error {
				return graded(t.Context(), b.Store, id.(string), studycircle.Grade{GraderID: creator.ID, Mark: int64(i), MarkedAt: now})
			})
		}
		requireOneWinner(t, studycircle.CodeEmailInUse, func(int) error {
			u := studycircle.User{ID: studycircle.NewID(now), Email: "same@example.org", DisplayName: "Same", CreatedAt: now}
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertAccount(ctx, studycircle.Account{User: u})
			})
		})
		requireOneWinner(t, studycircle.CodeNotFound, func(int) error {
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
		})
	})
}

// Each of a pair has graded the other's work, so that deleting both accounts updates the
// same rows.
func TestConcurrentDeletionsOfAccountsThatGradedEachOther(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Creator")
		people := make([]studycircle.User, clients)
		for i := range people {
			people[i] = b.user(t, fmt.Sprint("Person", i))
		}
		for range 8 {
			a := b.assignment(t, creator, studycircle.Easy, "Shared", "By everybody.")
			marked := make([]error, clients)
			atOnce(func(i int) {
				s := handIn(a, people[i])
				if marked[i] = handedIn(t.Context(), b.Store, s); marked[i] == nil {
					marked[i] = graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: people[i^1].ID, Mark: 5, MarkedAt: now})
				}
			})
			require.NoError(t, errors.Join(marked...))
		}
		left := make([]error, clients)
		atOnce(func(i int) {
			left[i] = b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, people[i].ID, time.Now()) })
		})
		require.NoError(t, errors.Join(left...))
		require.Len(t, b.ids(t, "SELECT id FROM submissions WHERE submitter_id IS NULL AND grader_id IS NULL"), 8*clients)
	})
}

func requireOneWinner(t *testing.T, loserCode studycircle.Code, f func(client int) error) {
	t.Helper()
	var won atomic.Int64
	var unexpected sync.Map
	atOnce(func(i int) {
		switch err := f(i); {
		case err == nil:
			won.Add(1)
		case studycircle.CodeOf(err) != loserCode:
			unexpected.Store(i, err)
		}
	})
	unexpected.Range(func(i, err any) bool {
		t.Errorf("client %v: %v", i, err)
		return true
	})
	require.EqualValues(t, 1, won.Load())
}

// A failure, panic or cancelled request of one client does not affect the others, whose
// writes may share its commit.
func TestFailedWritesDoNotAffectOthers(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Creator")
		errMine := errors.New("mine")
		var wrong sync.Map
		atOnce(func(i int) {
			for range 10 {
				ctx, cancel := context.WithCancel(t.Context())
				a := sample(creator, studycircle.Easy, "Kept", "Text.")
				if i%4 == 1 {
					cancel()
				}
				if i%4 != 0 {
					a.Title = "Lost"
				}
				err := b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					if _, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{a}); err != nil {
						return err
					}
					if i%4 == 2 {
						return errMine
					}
					if i%4 == 3 {
						return tx.WithdrawSubmission(ctx, "nothing")
					}
					return nil
				})
				cancel()
				if (err == nil) != (i%4 == 0) || (i%4 == 2 && !errors.Is(err, errMine)) {
					wrong.Store(i, err)
				}
			}
		})
		wrong.Range(func(i, err any) bool {
			t.Errorf("client %v: %v", i, err)
			return true
		})
		rows, total, err := b.Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 100})
		require.NoError(t, err)
		require.EqualValues(t, clients/4*10, total)
		for _, a := range rows {
			require.Equal(t, "Kept", a.Title)
		}
	})
}

// A panic in a write ends its transaction and releases its locks.
func TestPanicEndsTheTransaction(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		u := b.user(t, "Ada")
		var recovered any
		err := func() error {
			defer func() { recovered = recover() }()
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				if err := tx.UpdateProfile(ctx, u.ID, studycircle.Profile{DisplayName: "Lost"}); err != nil {
					return err
				}
				panic("on purpose")
			})
		}()
		require.True(t, err != nil || recovered != nil)
		if !b.sqlite {
			// Background work has transactions of its own, which end. One that the panic
			// left open would stay.
			require.Eventually(t, func() bool {
				var open int
				err := b.plain.QueryRowContext(t.Context(),
					"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'").Scan(&open)
				return err == nil && open == 0
			}, 10*time.Second, 10*time.Millisecond)
		}
		account, err := b.AccountByEmail(t.Context(), u.Email)
		require.NoError(t, err)
		require.Equal(t, u.DisplayName, account.DisplayName)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateProfile(ctx, u.ID, studycircle.Profile{DisplayName: "Kept"})
		})
	})
}
