package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/teststore"
)

// Numbered pages against plain queries, after random histories that cross block borders.
func TestPagesAreExactAfterAnyHistory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(t *testing.T, b *bundle) {
				h := newHistory(t, b, seed)
				for range 12 {
					for range 25 {
						h.step()
					}
					h.compare()
				}
			})
		})
	}
}

// A block with a row at every position, and one that lost a row.
func TestPagesOfFullBlocks(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		h := newHistory(t, b, 0)
		var work []studycircle.Submission
		for range 600 {
			a := sample(h.creator, studycircle.Easy, "Whole", "blocks")
			h.live, work = append(h.live, a), append(work, handIn(a, h.people[0]))
		}
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			if _, err := bulk.ImportAssignments(ctx, tx.Tx, h.live); err != nil {
				return err
			}
			_, err := bulk.ImportSubmissions(ctx, tx.Tx, work)
			return err
		})
		h.compare()
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, h.live[299].ID, now) })
		h.compare()
	})
}

// history makes random changes and remembers only what it needs for more.
type history struct {
	t       *testing.T
	b       *bundle
	random  *rand.Rand
	creator studycircle.User
	people  []studycircle.User
	live    []studycircle.Assignment
	hidden  []studycircle.Assignment
	pending []studycircle.Submission
	made    int
	// personal adds the steps of personalStep.
	personal bool
}

func newHistory(t *testing.T, b *bundle, seed uint64) *history {
	t.Helper()
	h := &history{t: t, b: b, random: rand.New(rand.NewPCG(seed, 7)), creator: b.user(t, "Creator")}
	for i := range 4 {
		h.people = append(h.people, b.user(t, fmt.Sprint("Person", i)))
	}
	return h
}

func take[T any](r *rand.Rand, from *[]T) T {
	i := r.IntN(len(*from))
	v := (*from)[i]
	*from = append((*from)[:i:i], (*from)[i+1:]...)
	return v
}

func (h *history) step() {
	h.t.Helper()
	switch n := h.random.IntN(100); {
	case n < 40 || len(h.live) == 0:
		if h.personal && len(h.live) > 0 && n < 20 {
			h.personalStep()
			return
		}
		h.create()
	case n < 50:
		a := take(h.random, &h.live)
		h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
	case n < 60:
		h.changeLevel()
	case n < 80:
		s := handIn(h.live[h.random.IntN(len(h.live))], h.people[h.random.IntN(len(h.people))])
		err := handedIn(h.t.Context(), h.b.Store, s)
		if err == nil {
			h.pending = append(h.pending, s)
		} else {
			require.Equal(h.t, studycircle.CodeAlreadyPending, studycircle.CodeOf(err), err)
		}
	case n < 90 && len(h.pending) > 0:
		s := take(h.random, &h.pending)
		require.NoError(h.t, graded(h.t.Context(), h.b.Store, s.ID, h.grade()))
	case n < 94 && len(h.pending) > 0:
		s := take(h.random, &h.pending)
		h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, s.ID) })
	case n < 96:
		h.replacePerson()
	case n < 98:
		h.b.skipSeqs(h.t, []string{"assignments", "submissions"}[h.random.IntN(2)], 1+h.random.Int64N(90_000))
	default:
		h.b.fold(h.t)
	}
}

func (h *history) create() {
	level := studycircle.Levels[h.random.IntN(3)]
	h.made++
	creator := h.creator
	if h.personal {
		creator = append(h.people, h.creator)[h.random.IntN(len(h.people)+1)]
	}
	a := sample(creator, level, fmt.Sprint("Work ", h.made), "Do it.")
	if h.random.IntN(10) == 0 {
		err := h.b.Write(h.t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{a})
			return errors.Join(errUndo, err)
		})
		require.ErrorIs(h.t, err, errUndo)
		return
	}
	require.NoError(h.t, teststore.Publish(h.t.Context(), h.b.Store, a))
	h.live = append(h.live, h.b.stored(h.t, a))
}

// grade returns a random grade.
func (h *history) grade() studycircle.Grade {
	if !h.personal {
		return studycircle.Grade{GraderID: h.creator.ID, Mark: 3, MarkedAt: now}
	}
	return studycircle.Grade{GraderID: append(h.people, h.creator)[h.random.IntN(len(h.people)+1)].ID, Mark: h.random.Int64N(51), MarkedAt: h.later()}
}

var errUndo = studycircle.Errorf(studycircle.CodeInvalid, "undone on purpose")

func (h *history) changeLevel() {
	i := h.random.IntN(len(h.live))
	before := h.live[i]
	after := before
	after.Level = studycircle.Levels[h.random.IntN(3)]
	after.UpdatedAt = before.UpdatedAt.Add(time.Microsecond)
	h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, before, after) })
	h.live[i] = after
}

// replacePerson deletes an account and adds a new one.
func (h *history) replacePerson() {
	i := h.random.IntN(len(h.people))
	gone := h.people[i]
	h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, gone.ID, time.Now()) })
	_, left, err := h.b.OwnSubmissions(h.t.Context(), studycircle.ViewerOf(gone.ID), "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(h.t, err)
	require.Zero(h.t, left)
	kept := h.pending[:0]
	for _, s := range h.pending {
		if s.Submitter.UserID != gone.ID {
			kept = append(kept, s)
		}
	}
	h.pending = kept
	h.made++
	h.people[i] = h.b.user(h.t, fmt.Sprint("Person", h.made, "x"))
}

// compare compares every list with a plain query.
func (h *history) compare() {
	h.t.Helper()
	t, ctx := h.t, h.t.Context()
	for _, level := range append([]studycircle.Level{""}, studycircle.Levels...) {
		want := h.b.ids(t, "SELECT id FROM assignments WHERE deleted_at IS NULL AND (level = $1 OR $1 = '') ORDER BY seq DESC", string(level))
		comparePages(t, want, func(p studycircle.Page) ([]studycircle.Assignment, int64, error) {
			return h.b.Assignments(ctx, anyone, studycircle.Hall, level, p)
		}, func(a studycircle.Assignment) string { return a.ID })
		slices.Reverse(want)
		comparePages(t, want, func(p studycircle.Page) ([]studycircle.Assignment, int64, error) {
			return h.b.OldestAssignments(ctx, anyone, studycircle.Hall, level, p)
		}, func(a studycircle.Assignment) string { return a.ID })
	}
	want := h.b.ids(t, "SELECT id FROM submissions WHERE status = 'pending' ORDER BY seq")
	comparePages(t, want, func(p studycircle.Page) ([]studycircle.PendingSubmission, int64, error) {
		return h.b.PendingSubmissions(ctx, anyone, studycircle.Hall, now, p)
	}, func(s studycircle.PendingSubmission) string { return s.ID })
	for _, u := range h.people {
		for _, status := range []studycircle.Status{"", studycircle.Pending, studycircle.Completed} {
			want := h.b.ids(t, "SELECT id FROM submissions WHERE submitter_id = $1 AND (status = $2 OR $2 = '') ORDER BY seq DESC", u.ID, string(status))
			comparePages(t, want, func(p studycircle.Page) ([]studycircle.Submission, int64, error) {
				return h.b.OwnSubmissions(ctx, studycircle.ViewerOf(u.ID), status, p)
			}, submissionID)
		}
	}
}

func submissionID(s studycircle.Submission) string { return s.ID }

func comparePages[T any](t *testing.T, want []string, list func(studycircle.Page) ([]T, int64, error), id func(T) string) {
	t.Helper()
	const limit = 7
	got := []string{}
	for number := int64(1); ; number++ {
		rows, total, err := list(studycircle.Page{Number: number, Limit: limit})
		require.NoError(t, err)
		require.EqualValues(t, len(want), total)
		if len(rows) == 0 {
			break
		}
		for _, r := range rows {
			got = append(got, id(r))
		}
	}
	require.Equal(t, want, got)
}

func TestPagesPastTheEnd(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		rows, total, err := b.Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.Empty(t, rows)
		require.Zero(t, total)
		b.assignment(t, b.user(t, "Ada"), studycircle.Hard, "One", "Only one.")
		for _, number := range []int64{2, 1 << 40, 1<<63 - 1} {
			rows, total, err = b.Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: number, Limit: 100})
			require.NoError(t, err)
			require.Empty(t, rows)
			require.EqualValues(t, 1, total)
		}
	})
}

// exact requires that all counts and pages agree with the rows.
func (b *bundle) exact(t *testing.T, people []studycircle.User) {
	t.Helper()
	h := &history{t: t, b: b, people: people}
	h.compare()
	b.fold(t)
	h.compare()
}

// Pages are found across long stretches of deleted rows.
func TestPagesPassDeletedRows(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		for _, name := range []string{"a", "b", "c"} {
			var all []studycircle.Assignment
			for _, id := range numbered100(name) {
				a := sample(studycircle.User{}, studycircle.Easy, "Title", "Text.")
				a.ID = id
				all = append(all, a)
			}
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				_, err := bulk.ImportAssignments(ctx, tx.Tx, all)
				return err
			})
		}
		for _, id := range append(numbered100("b"), numbered100("a")[97:]...) {
			b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, id, now) })
		}
		var want []string
		for i := range 197 {
			name, at := "c", 99-i
			if i >= 100 {
				name, at = "a", 196-i
			}
			want = append(want, fmt.Sprint(name, at))
		}
		for _, limit := range []int64{1, 3, 7, 100} {
			var got []string
			for number := int64(1); ; number++ {
				found, total, err := b.Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: number, Limit: limit})
				require.NoError(t, err)
				require.EqualValues(t, 197, total)
				for _, a := range found {
					got = append(got, a.ID)
				}
				if len(found) == 0 {
					break
				}
			}
			require.Equal(t, want, got)
		}
	})
}

func numbered100(name string) (ids []string) {
	for i := range 100 {
		ids = append(ids, fmt.Sprint(name, i))
	}
	return ids
}
