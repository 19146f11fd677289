package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func useOf(name string, most int, by studycircle.User) limit.Use {
	return limit.Use{Window: limit.Window{Name: name, Max: most, Per: time.Hour, Message: "That was a lot. Please try again in %s."}, Subject: by.ID, At: now}
}

// uses returns how many uses are counted; none without a row.
func (b *bundle) uses(t *testing.T, u limit.Use) (n int, row bool) {
	t.Helper()
	stamps := b.ids(t, "SELECT stamps FROM rate_limits WHERE name = $1", u.Name+":"+u.Subject)
	return len(strings.Fields(strings.Join(stamps, " "))), len(stamps) > 0
}

// Of concurrent writes on two nodes exactly as many succeed as a limit allows; writes
// refused by the limit or otherwise are not counted.
func TestLimitsHoldWithinABatch(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		nodes := []*bundle{b, b.another(t)}
		creator, eager, twin, other := b.user(t, "Creator"), b.user(t, "Eager"), b.user(t, "Twin"), b.user(t, "Other")
		var work []studycircle.Assignment
		for range clients {
			work = append(work, b.assignment(t, creator, studycircle.Easy, "Shared", "By all."))
		}
		const most = 5
		submitting, again, refused := useOf("submit", most, eager), useOf("submit", most, twin), useOf("submit", most, creator)
		grading, late := useOf("grade", most, other), useOf("grade", most, eager)
		var told answered
		var through atomic.Int64
		var handedIn sync.Map
		atOnce(func(i int) {
			who, node := fmt.Sprint("client ", i), nodes[i%2]
			id, err := node.submit(t.Context(), work[i].ID, eager, submitting)
			if err == nil {
				through.Add(1)
				handedIn.Store(id, true)
			} else {
				told.is(who, studycircle.CodeRateLimited, err)
			}
			id, err = node.submit(t.Context(), work[i%3].ID, twin, again)
			told.oneWins(fmt.Sprint("twins of ", i%3), studycircle.CodeAlreadyPending, err)
			if err == nil {
				handedIn.Store(id, true)
			}
			_, err = node.submit(t.Context(), work[i].ID, creator, refused)
			told.is(who, studycircle.CodeOwnAssignment, err)
		})
		told.check(t)
		require.EqualValues(t, most, through.Load())
		counted := func(u limit.Use, want int) {
			t.Helper()
			n, row := b.uses(t, u)
			require.Equal(t, want, n)
			require.Equal(t, want > 0, row, "a refused write stores nothing")
		}
		counted(submitting, most)
		counted(again, 3)
		counted(refused, 0)

		var ids []string
		handedIn.Range(func(id, _ any) bool {
			ids = append(ids, id.(string))
			return true
		})
		require.Len(t, ids, most+3)
		through.Store(0)
		var graded sync.Map
		atOnce(func(i int) {
			who, node, id := fmt.Sprint("client ", i), nodes[i%2], ids[i%len(ids)]
			switch err := node.grade(t.Context(), id, other, 1, grading); studycircle.CodeOf(err) {
			case "":
				through.Add(1)
				graded.Store(id, true)
			case studycircle.CodeAlreadyGraded:
			default:
				told.is(who, studycircle.CodeRateLimited, err)
			}
			told.is(who, studycircle.CodeNotFound, node.grade(t.Context(), studycircle.NewID(now), eager, 1, late))
		})
		told.check(t)
		require.EqualValues(t, most, through.Load())
		counted(grading, most)
		counted(late, 0)
		b.exact(t, []studycircle.User{eager, twin})
		// PostgreSQL stores in a row who locked it last.
		lockers := func() []string {
			if b.sqlite {
				return nil
			}
			return b.ids(t, "SELECT CAST(xmax AS TEXT) FROM rate_limits UNION ALL SELECT CAST(xmax AS TEXT) FROM users ORDER BY 1")
		}
		before := lockers()
		_, err := b.submit(t.Context(), work[0].ID, eager, submitting)
		require.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(err))
		require.Equal(t, before, lockers(), "nor locks anything")
	})
}

// The same users submit and grade on two nodes concurrently. testpg reports deadlocks; no
// use is lost or counted twice.
func TestTwoNodesWriteBatches(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		nodes := []*bundle{b, b.another(t)}
		creator := b.user(t, "Creator")
		var people []studycircle.User
		for i := range 8 {
			people = append(people, b.user(t, fmt.Sprint("Person", i)))
		}
		var told answered
		for round := range 12 {
			a := b.assignment(t, creator, studycircle.Easy, fmt.Sprint("Round ", round), "By all.")
			var work sync.Map
			atOnce(func(i int) {
				by := people[(i+i/8)%8]
				id, err := nodes[i%2].submit(t.Context(), a.ID, by, useOf("submit", 100, by))
				told.oneWins(fmt.Sprint(by.DisplayName, " round ", round), studycircle.CodeAlreadyPending, err)
				if err == nil {
					work.Store((i+i/8)%8, id)
				}
			})
			told.check(t)
			atOnce(func(i int) {
				of, by := (i+i/8)%8, people[(i+i/8+1)%8]
				id, _ := work.Load(of)
				err := nodes[i/2%2].grade(t.Context(), id.(string), by, 1, useOf("grade", 100, by))
				told.oneWins(fmt.Sprint("grade of ", of, " round ", round), studycircle.CodeAlreadyGraded, err)
			})
			told.check(t)
			// One grader on both nodes, of submissions that both have.
			again := b.assignment(t, people[0], studycircle.Easy, fmt.Sprint("Again ", round), "By all.")
			var ids []string
			for _, by := range people[1:] {
				id, err := b.submit(t.Context(), again.ID, by, limit.Use{})
				require.NoError(t, err)
				ids = append(ids, id)
			}
			atOnce(func(i int) {
				err := nodes[i%2].grade(t.Context(), ids[i%len(ids)], creator, 1, useOf("grade", 100, creator))
				told.oneWins(ids[i%len(ids)], studycircle.CodeAlreadyGraded, err)
			})
			told.check(t)
			n, _ := b.uses(t, useOf("grade", 100, creator))
			require.Equal(t, (round+1)*len(ids), n)
			for _, u := range people {
				for _, window := range []string{"submit", "grade"} {
					n, _ := b.uses(t, useOf(window, 100, u))
					require.Equal(t, round+1, n, window)
				}
			}
		}
		b.exact(t, people)
	})
}

// A client whose rows are locked for long, such as by an import, delays no other, and
// succeeds afterwards.
func TestBatchesDoNotWaitForLockedRows(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	people, _ := b.people(t)
	creator := b.user(t, "Creator")
	a := b.assignment(t, creator, studycircle.Easy, "Shared", "By all.")
	locked, err := b.submit(t.Context(), a.ID, people[1], limit.Use{})
	require.NoError(t, err)
	hold, err := b.plain.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	for _, statement := range []string{
		"UPDATE users SET submission_count = submission_count WHERE id = '" + people[0].ID + "'",
		"UPDATE submissions SET note = note WHERE id = '" + locked + "'",
	} {
		_, err := hold.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	waiting := make(chan error, 2)
	go func() {
		_, err := b.submit(t.Context(), a.ID, people[0], useOf("submit", 5, people[0]))
		waiting <- err
	}()
	go func() { waiting <- b.grade(t.Context(), locked, people[0], 1, useOf("grade", 5, people[0])) }()
	// They were passed over when they wait alone.
	require.Eventually(t, func() bool {
		var n int
		err := b.plain.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
		return err == nil && n == 2
	}, 30*time.Second, 2*time.Millisecond)
	var told answered
	atOnce(func(i int) {
		if i < 2 {
			return
		}
		who := fmt.Sprint("client ", i)
		id, err := b.submit(t.Context(), a.ID, people[i], useOf("submit", 5, people[i]))
		told.is(who, "", err)
		told.is(who, "", b.grade(t.Context(), id, creator, 1, useOf("grade", 100, creator)))
	})
	told.check(t)
	assert.Empty(t, waiting)
	require.NoError(t, hold.Rollback())
	require.NoError(t, <-waiting)
	require.NoError(t, <-waiting)
	b.exact(t, people)
}

// Decisions see the whole row, as elsewhere.
func TestDecisionsSeeTheWholeRow(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Hard, "Whole", "With everything.")
		want, err := b.Assignment(t.Context(), anyone, a.ID)
		require.NoError(t, err)
		work := handIn(a, bob)
		work.Note, work.Late = "A note.", true
		require.NoError(t, submit(t.Context(), b.Store, anyone, a.ID, limit.Use{}, func(_ studycircle.OwnCircle, got studycircle.Assignment) (studycircle.Submission, error) {
			assert.Equal(t, want, got)
			return work, nil
		}))
		work.Submitter = studycircle.Person{UserID: bob.ID, Email: bob.Email, DisplayName: bob.DisplayName}
		given := studycircle.Grade{GraderID: ada.ID, Mark: 7, Feedback: "Good.", MarkedAt: now}
		require.NoError(t, grade(t.Context(), b.Store, anyone, work.ID, limit.Use{}, func(_ studycircle.OwnCircle, got studycircle.Submission) (studycircle.Grade, error) {
			assert.Equal(t, work, got)
			return given, nil
		}))
		work.Status, work.Grade = studycircle.Completed, &given
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			got, err := tx.Submission(ctx, work.ID)
			assert.Equal(t, work, got)
			return err
		})
		errEnough := studycircle.Errorf(studycircle.CodeInvalid, "seen")
		require.ErrorIs(t, grade(t.Context(), b.Store, anyone, work.ID, limit.Use{}, func(_ studycircle.OwnCircle, got studycircle.Submission) (studycircle.Grade, error) {
			assert.Equal(t, work, got)
			return given, errEnough
		}), errEnough)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
		_, err = b.submit(t.Context(), a.ID, bob, limit.Use{})
		require.ErrorIs(t, err, studycircle.ErrNotFound)
	})
}

// A submission is changed, graded or withdrawn beside a grade: the first one wins, and the other decides on its result.
func TestSubmissionsChangedBesideAGrade(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Shared", "By all.")
		for _, c := range []struct {
			point string
			// change is made of the pending submission id. after is the answer to a change after the grade, and graded that
			// to a grade after the change.
			change        func(ctx context.Context, id string) error
			after, graded studycircle.Code
		}{
			{"changing a submission", func(ctx context.Context, id string) error {
				return b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					return tx.UpdateSubmission(ctx, id, studycircle.SubmissionInput{DocsLink: "https://example.org/new", Note: "A new note."})
				})
			}, studycircle.CodeAlreadyGraded, ""},
			{"grading", func(ctx context.Context, id string) error { return b.grade(ctx, id, ada, 9, limit.Use{}) }, studycircle.CodeAlreadyGraded, studycircle.CodeAlreadyGraded},
			{"withdrawing a submission", func(ctx context.Context, id string) error {
				return b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, id) })
			}, studycircle.CodeAlreadyGraded, studycircle.CodeNotFound},
		} {
			var id string
			var err error
			change := func(ctx context.Context) error { return c.change(ctx, id) }
			give := func(ctx context.Context) error { return b.grade(ctx, id, ada, 3, limit.Use{}) }
			for _, order := range []string{"grade first", "change first"} {
				what := order + ", " + c.point
				id, err = b.submit(t.Context(), a.ID, bob, limit.Use{})
				require.NoError(t, err)
				var changed, graded error
				if order == "grade first" {
					graded, changed = teststore.Beside(t, b.config, "grading", give, change)
					require.NoError(t, graded, what)
					require.Equal(t, c.after, studycircle.CodeOf(changed), "%s: %v", what, changed)
				} else {
					changed, graded = teststore.Beside(t, b.config, c.point, change, give)
					require.NoError(t, changed, what)
					require.Equal(t, c.graded, studycircle.CodeOf(graded), "%s: %v", what, graded)
				}
				if graded != nil && c.point == "withdrawing a submission" {
					continue
				}
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					s, err := tx.Submission(ctx, id)
					if err == nil {
						require.Equal(t, order == "change first" && c.point == "grading", s.Grade.Mark == 9, what)
						require.Equal(t, order == "change first" && c.point == "changing a submission", s.Note == "A new note.", what)
					}
					return err
				})
			}
		}
		b.exact(t, []studycircle.User{ada, bob})
	})
}
