package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// States and figures against plain queries, for submissions that are settled, and settled
// again, with several reviews or after a grade.
func TestProgressIsExactWithReviews(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(t *testing.T, b *bundle) {
				h := newHistory(t, b, seed+300)
				h.personal = true
				for range 6 {
					for range 20 {
						h.step()
						h.reviewStep()
					}
					for _, u := range append(h.people[:3:3], h.creator) {
						want := h.plainDashboard(u.ID)
						got, err := b.Dashboard(t.Context(), studycircle.ViewerOf(u.ID), now)
						require.NoError(t, err)
						want.Waiting, got.Waiting, want.Duties, got.Duties = nil, nil, nil, nil // TestWaitingForReviews
						require.Equal(t, want, got)
						require.Equal(t, h.plainProgress(u.ID), h.progress(u.ID))
					}
				}
				h.requireRepairs(0)
			})
		})
	}
}

// reviewStep submits for review, or settles a submission or a grade.
func (h *history) reviewStep() {
	h.t.Helper()
	if len(h.live) == 0 {
		return
	}
	if h.random.IntN(2) == 0 {
		a, by := h.live[h.random.IntN(len(h.live))], h.people[h.random.IntN(len(h.people))]
		s := handIn(a, by)
		s.ID, s.Reviews = studycircle.NewBlindID(), 2
		err := h.b.Write(h.t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.SubmitForReview(ctx, s, a, studycircle.Reviewing{
				SubmissionID: s.ID, AssignmentID: a.ID, SubmitterID: by.ID, Phase: studycircle.ReviewOpen, Needed: 2, Wanted: 2,
				SettleAt: now.Add(studycircle.SettleAfter),
			})
		})
		if err != nil {
			require.Equal(h.t, studycircle.CodeAlreadyPending, studycircle.CodeOf(err), err)
		}
		return
	}
	ids := h.b.ids(h.t, "SELECT id FROM submissions WHERE assignment_id IS NOT NULL AND (reviews_needed > 0 OR status = 'completed') ORDER BY seq")
	if len(ids) == 0 {
		return
	}
	h.settleAnew(ids[h.random.IntN(len(ids))])
}

// settleAnew settles a submission, which may have a grade, with any mark.
func (h *history) settleAnew(id string) {
	h.t.Helper()
	h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LoadReviewCase(ctx, id, "")
		if err != nil {
			return err
		}
		mark := h.random.Int64N(c.Submission.Marks + 1)
		if c.Submission.Grade != nil && h.random.IntN(3) == 0 {
			mark = c.Submission.Grade.Mark
		}
		h.made++
		c.SetMark(studycircle.ReopenInput{Mark: &mark}, now.AddDate(0, 0, h.made))
		return tx.SaveReviewCase(ctx, c, nil)
	})
}

// An assignment with work for the viewer has one row in the dashboard, which names
// neither the work nor its time; there is none if all of it is their own or was offered
// to them before.
func TestWaitingForReviews(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cem, reader := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cem"), b.user(t, "Reader")
		a, plain := b.assignment(t, ada, studycircle.Easy, "Reviewed", "By several."), b.assignment(t, ada, studycircle.Easy, "Graded", "By one.")
		first := b.forReview(t, a, bob)
		require.NoError(t, handedIn(t.Context(), b.Store, handIn(plain, bob)))
		row := studycircle.Submission{AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks, Status: studycircle.Pending}
		waiting := func(u studycircle.User) (titles []string) {
			t.Helper()
			d, err := b.Dashboard(t.Context(), studycircle.ViewerOf(u.ID), now)
			require.NoError(t, err)
			for _, w := range d.Waiting {
				if w.AssignmentID == a.ID {
					require.Equal(t, row, w)
				}
				titles = append(titles, w.AssignmentTitle)
			}
			return titles
		}
		require.Equal(t, []string{"Reviewed", "Graded"}, waiting(reader))
		require.Equal(t, []string{"Graded"}, waiting(ada), "who asks for it does not review it")
		require.Empty(t, waiting(bob), "their own")
		b.forReview(t, a, cem)
		require.Equal(t, []string{"Reviewed", "Graded"}, waiting(reader), "one row")
		require.Equal(t, []string{"Reviewed"}, waiting(bob))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			taken, err := tx.TakeLease(ctx, cem.ID, studycircle.Offer{SubmissionID: first}, now.Add(studycircle.LeaseTime))
			require.True(t, taken)
			return err
		})
		require.Equal(t, []string{"Reviewed", "Graded"}, waiting(cem), "reserved")
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.EndLease(ctx, cem.ID, first, studycircle.TurnReturned)
			return err
		})
		require.Equal(t, []string{"Graded"}, waiting(cem), "given back")
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.LoadReviewCase(ctx, first, "")
			require.NoError(t, err)
			require.NoError(t, c.PassTime(c.Reviewing.SettleAt, nil))
			return tx.SaveReviewCase(ctx, c, nil)
		})
		require.Equal(t, []string{"Reviewed", "Graded"}, waiting(cem), "no reviewer came")
		require.Equal(t, []string{"Reviewed", "Graded"}, waiting(reader), "one row, though one is open and one unattended")
		for range studycircle.MaxWaiting {
			require.NoError(t, handedIn(t.Context(), b.Store, handIn(b.assignment(t, ada, studycircle.Easy, "Graded", "By one."), bob)))
		}
		require.Equal(t, []string{"Reviewed", "Graded", "Graded", "Graded", "Graded"}, waiting(reader), "not more")
	})
}

// The dashboard lists what a user may review in the hall, and then circle by circle: what is offered before what is
// unattended. It lists nothing of circles that are archived or in which only organizers grade, and none to organizers.
func TestWaitingForReviewsInCircles(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, reader := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Reader")
		offer := func(circleID, title string) string {
			b.group(t, circleID, ada, bob, reader)
			return b.forReview(t, b.assignmentIn(t, circleID, ada, studycircle.Easy, title, "By several."), bob)
		}
		unattended := func(circleID, title string) {
			id := offer(circleID, title)
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				c, err := tx.LoadReviewCase(ctx, id, "")
				require.NoError(t, err)
				require.NoError(t, c.PassTime(c.Reviewing.SettleAt, nil))
				return tx.SaveReviewCase(ctx, c, nil)
			})
		}
		unattended("c-unattended", "Unattended in a circle")
		offer("d-late", "Offered in D")
		offer("b-early", "Offered in B")
		offer("e-archived", "Archived")
		offer("f-strict", "Graded by organizers")
		offer("g-led", "Led by the reader")
		b.exec(t, "UPDATE circles SET archived_at = 1 WHERE id = 'e-archived'")
		b.exec(t, "UPDATE circles SET grading = 'organizers' WHERE id = 'f-strict'")
		b.exec(t, "UPDATE circle_members SET role = 'organizer' WHERE circle_id = 'g-led' AND user_id = '"+reader.ID+"'")
		waiting := func() (titles []string) {
			d, err := b.Dashboard(t.Context(), studycircle.ViewerOf(reader.ID), now)
			require.NoError(t, err)
			for _, w := range d.Waiting {
				titles = append(titles, w.AssignmentTitle)
			}
			return titles
		}
		require.Equal(t, []string{"Offered in B", "Offered in D", "Unattended in a circle"}, waiting())
		b.forReview(t, b.assignment(t, ada, studycircle.Easy, "Offered in the hall", "By several."), bob)
		require.Equal(t, []string{"Offered in the hall", "Offered in B", "Offered in D", "Unattended in a circle"}, waiting())
		for range studycircle.MaxWaiting {
			b.forReview(t, b.assignment(t, ada, studycircle.Easy, "Offered in the hall", "By several."), bob)
		}
		require.Equal(t, slices.Repeat([]string{"Offered in the hall"}, studycircle.MaxWaiting), waiting())
	})
}

// An assignment is due soon if it is due after now and within 14 days, to the microsecond; rows and total agree on
// every page.
func TestDueSoonBegins(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		var want []string
		for _, due := range []time.Duration{
			-time.Microsecond, 0, time.Microsecond, time.Hour, studycircle.DueSoon, studycircle.DueSoon + time.Microsecond,
		} {
			a := sample(ada, studycircle.Easy, due.String(), "Read.")
			a.Due = studycircle.DueDateAt(now.Add(due).UnixMicro(), 0)
			require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
			if due > 0 && due <= studycircle.DueSoon {
				want = append(want, a.ID)
			}
		}
		for _, at := range []time.Duration{0, time.Microsecond} { // and once it is due
			comparePages(t, want, func(p studycircle.Page) ([]studycircle.Assignment, int64, error) {
				return b.AssignmentsDueSoon(t.Context(), anyone, studycircle.Hall, "", now.Add(at), p)
			}, func(a studycircle.Assignment) string { return a.ID })
			want = append(want[1:], b.ids(t, "SELECT id FROM assignments WHERE due_at = $1", now.Add(studycircle.DueSoon+time.Microsecond).UnixMicro())...)
		}
	})
}
