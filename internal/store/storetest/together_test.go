package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// submit submits as package service does, and returns the submission's id.
func (b *bundle) submit(ctx context.Context, assignmentID string, by studycircle.User, u limit.Use) (string, error) {
	id := studycircle.NewID(now)
	return id, submit(ctx, b.Store, anyone, assignmentID, u, func(_ studycircle.OwnCircle, a studycircle.Assignment) (studycircle.Submission, error) {
		s := handIn(a, by)
		s.ID = id
		return s, studycircle.MaySubmit(by.ID, studycircle.OwnCircle{}, a)
	})
}

// grade grades as package service does.
func (b *bundle) grade(ctx context.Context, submissionID string, by studycircle.User, mark int64, u limit.Use) error {
	return grade(ctx, b.Store, anyone, submissionID, u, func(_ studycircle.OwnCircle, s studycircle.Submission) (studycircle.Grade, error) {
		return studycircle.Grade{GraderID: by.ID, Mark: mark, Feedback: fmt.Sprint("Mark ", mark), MarkedAt: now}, studycircle.MayGrade(by.ID, studycircle.OwnCircle{}, s)
	})
}

// people adds a user for each client, and one whose account is deleted.
func (b *bundle) people(t *testing.T) (people []studycircle.User, gone studycircle.User) {
	t.Helper()
	for i := range clients {
		people = append(people, b.user(t, fmt.Sprint("Person", i)))
	}
	gone = b.user(t, "Gone")
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, gone.ID, time.Now()) })
	return people, gone
}

// answered requires the expected answer of each client, and exactly one success of those
// that compete.
type answered struct {
	mu   sync.Mutex
	told []string
	won  map[string]int
}

func (a *answered) is(what string, want studycircle.Code, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if studycircle.CodeOf(err) != want {
		a.told = append(a.told, fmt.Sprintf("%s: %v", what, err))
	}
}

func (a *answered) oneWins(what string, loser studycircle.Code, err error) {
	a.mu.Lock()
	if a.won == nil {
		a.won = map[string]int{}
	}
	a.won[what] += 0
	if err == nil {
		a.won[what]++
	}
	a.mu.Unlock()
	if err != nil {
		a.is(what, loser, err)
	}
}

func (a *answered) check(t *testing.T) {
	t.Helper()
	require.Empty(t, a.told)
	for what, n := range a.won {
		require.Equal(t, 1, n, what)
	}
}

// heard requires exactly these events since a cursor, each for all users, for the
// submitter and for the assignment's creator, and a notification of it.
func (b *bundle) heard(t *testing.T, at string, kind studycircle.EventKind, submitters map[string]string) {
	t.Helper()
	var want, got []string
	for id, submitter := range submitters {
		want = append(want, fmt.Sprint(kind, id, studycircle.AllUsers), fmt.Sprint(studycircle.OwnSubmission, id, submitter))
		of := b.ids(t, "SELECT a.id || a.creator_id FROM submissions s JOIN assignments a ON a.id = s.assignment_id WHERE s.id = $1", id)
		want = append(want, string(studycircle.AssignmentResults)+of[0])
	}
	events, _ := b.since(t, at)
	notices := 0
	for _, e := range events {
		if e.Kind == studycircle.NotificationsChanged {
			notices++
			continue
		}
		got = append(got, fmt.Sprint(e.Kind, e.ID, e.Audience))
	}
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(t, want, got)
	require.Equal(t, len(submitters), notices)
}

// Concurrent submissions, some invalid, some duplicates: each client gets its own answer,
// and lists and events contain all accepted ones.
func TestConcurrentSubmissions(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, gone := b.people(t)
		twin := b.user(t, "Twin")
		var shared []studycircle.Assignment
		for range 10 {
			shared = append(shared, b.assignment(t, people[0], studycircle.Easy, "Shared", "By all."))
		}
		at := b.here(t)
		var told answered
		var taken sync.Map
		atOnce(func(i int) {
			for round, a := range shared {
				who := fmt.Sprint("client ", i, " round ", round)
				submit := func(ctx context.Context, assignmentID string, by studycircle.User) error {
					id, err := b.submit(ctx, assignmentID, by, limit.Use{})
					if err == nil {
						taken.Store(id, by.ID)
					}
					return err
				}
				switch i % 8 {
				case 0:
					told.is(who, studycircle.CodeOwnAssignment, submit(t.Context(), a.ID, people[0]))
				case 1:
					told.is(who, studycircle.CodeNotFound, submit(t.Context(), studycircle.NewID(now), people[i]))
				case 2:
					if err := submit(t.Context(), a.ID, gone); !errors.Is(err, studycircle.ErrAccountGone) {
						told.is(who, "gone", err)
					}
				case 3:
					ended, end := context.WithCancel(t.Context())
					end()
					if err := submit(ended, a.ID, people[i]); !errors.Is(err, context.Canceled) {
						told.is(who, "cancelled", err)
					}
				case 4, 5:
					told.oneWins(fmt.Sprint("twins of round ", round), studycircle.CodeAlreadyPending, submit(t.Context(), a.ID, twin))
				default:
					told.is(who, "", submit(t.Context(), a.ID, people[i]))
				}
			}
		})
		told.check(t)
		submitters := map[string]string{}
		taken.Range(func(id, by any) bool {
			submitters[id.(string)] = by.(string)
			return true
		})
		require.Len(t, submitters, 10*(clients/4+1))
		b.heard(t, at, studycircle.SubmissionPending, submitters)
		require.ElementsMatch(t, keysOf(submitters), b.ids(t, "SELECT id FROM submissions"))
		b.exact(t, append(people, twin))
	})
}

func keysOf(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// Each change of a batch has its own events.
func TestWritesOfABatchAreAnnouncedOneByOne(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, _ := b.people(t)
		creator := b.user(t, "Creator")
		var shared []studycircle.Assignment
		for range 6 {
			shared = append(shared, b.assignment(t, creator, studycircle.Easy, "Shared", "By all."))
		}
		at := b.here(t)
		var told answered
		var taken sync.Map
		atOnce(func(i int) {
			var all sync.WaitGroup
			for _, a := range shared {
				all.Go(func() {
					id, err := b.submit(t.Context(), a.ID, people[i], limit.Use{})
					told.is(people[i].DisplayName, "", err)
					taken.Store(id, people[i].ID)
				})
			}
			all.Wait()
		})
		told.check(t)
		submitters := map[string]string{}
		taken.Range(func(id, by any) bool {
			submitters[id.(string)] = by.(string)
			return true
		})
		require.Len(t, submitters, len(shared)*clients)
		b.heard(t, at, studycircle.SubmissionPending, submitters)
	})
}

// Concurrent grades, four for each submission: the first one wins, and its mark is
// stored.
func TestConcurrentGrades(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, gone := b.people(t)
		bob := b.user(t, "Bob")
		for round := range 10 {
			a := b.assignment(t, people[0], studycircle.Easy, "Shared", "By all.")
			var work []string
			for _, by := range append(slices.Clone(people), bob) {
				id, err := b.submit(t.Context(), a.ID, by, limit.Use{})
				if by.ID == people[0].ID {
					require.Equal(t, studycircle.CodeOwnAssignment, studycircle.CodeOf(err))
					continue
				}
				require.NoError(t, err)
				work = append(work, id)
			}
			at := b.here(t)
			var told answered
			var marks sync.Map
			atOnce(func(i int) {
				who := fmt.Sprint("client ", i, " round ", round)
				one := work[i/4]
				told.is(who, studycircle.CodeNotFound, b.grade(t.Context(), studycircle.NewID(now), people[i], 1, limit.Use{}))
				told.is(who, studycircle.CodeOwnSubmission, b.grade(t.Context(), work[len(work)-1], bob, 1, limit.Use{}))
				if err := b.grade(t.Context(), work[len(work)-1], gone, 1, limit.Use{}); !errors.Is(err, studycircle.ErrAccountGone) {
					told.is(who, "gone", err)
				}
				err := b.grade(t.Context(), one, people[0], int64(i), limit.Use{})
				told.oneWins(fmt.Sprint(one, " round ", round), studycircle.CodeAlreadyGraded, err)
				if err == nil {
					marks.Store(one, int64(i))
				}
			})
			told.check(t)
			submitters := map[string]string{}
			marks.Range(func(id, mark any) bool {
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					s, err := tx.Submission(ctx, id.(string))
					if err == nil {
						submitters[s.ID] = s.Submitter.UserID
						require.Equal(t, &studycircle.Grade{GraderID: people[0].ID, Mark: mark.(int64), Feedback: fmt.Sprint("Mark ", mark), MarkedAt: now}, s.Grade)
						require.Equal(t, studycircle.Completed, s.Status)
					}
					return err
				})
				return true
			})
			require.Len(t, submitters, clients/4)
			b.heard(t, at, studycircle.SubmissionGraded, submitters)
		}
		b.exact(t, append(people, bob))
	})
}

// A write of a batch that the database refuses, or that panics, does not affect the
// others.
func TestWritesOfABatchFailAlone(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, _ := b.people(t)
		a := b.assignment(t, b.user(t, "Creator"), studycircle.Easy, "Shared", "By all.")
		var told answered
		atOnce(func(i int) {
			who := fmt.Sprint("client ", i)
			err := func() (err error) {
				// On PostgreSQL the transaction, and so the panic, is the caller's.
				defer func() {
					if p := recover(); p != nil {
						err = fmt.Errorf("panic: %v", p)
					}
				}()
				return submit(t.Context(), b.Store, anyone, a.ID, limit.Use{}, func(_ studycircle.OwnCircle, a studycircle.Assignment) (studycircle.Submission, error) {
					s := handIn(a, people[i])
					switch i % 8 {
					case 1:
						s.ID = "one id for all"
					case 2:
						panic("on purpose")
					}
					return s, nil
				})
			}()
			switch i % 8 {
			case 1:
				told.oneWins("one id", studycircle.CodeAlreadyPending, err)
			case 2:
				told.is(who, studycircle.CodeInternal, err)
			default:
				told.is(who, "", err)
			}
		})
		told.check(t)
		require.Len(t, b.ids(t, "SELECT id FROM submissions"), clients/8*6+1)
		b.exact(t, people)
	})
}
