package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// 32 users hand in for one assignment while its creator adds exemplars: reviewers know each work by a label of its own.
func TestConcurrentWorksHaveLabelsOfTheirOwn(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		a := b.assignment(t, b.user(t, "Ada"), studycircle.Easy, "Shared", "For all.")
		const works, exemplars = 32, 4
		ids, errs := make([]string, works), make([]error, works+exemplars)
		people := make([]studycircle.User, works)
		for i := range people {
			people[i] = b.user(t, fmt.Sprint("Submitter", i))
		}
		var all sync.WaitGroup
		for i, by := range people {
			s := handIn(a, by)
			s.ID, s.Reviews = studycircle.NewBlindID(), 3
			ids[i] = s.ID
			all.Go(func() {
				errs[i] = b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					if err := tx.ShareAssignment(ctx, a.ID); err != nil {
						return err
					}
					return tx.SubmitForReview(ctx, s, a, studycircle.Reviewing{
						SubmissionID: s.ID, AssignmentID: a.ID, SubmitterID: by.ID, Phase: studycircle.ReviewOpen,
						Needed: 3, Wanted: 3, SettleAt: now.Add(studycircle.SettleAfter),
					})
				})
			})
		}
		for i := range exemplars {
			all.Go(func() {
				errs[works+i] = b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					if err := tx.LockAssignment(ctx, a.ID); err != nil {
						return err
					}
					return tx.InsertExemplar(ctx, studycircle.Exemplar{
						ID: studycircle.NewBlindID(), AssignmentID: a.ID, Total: 20, DocsLink: "https://example.org/1",
					}, a.Title, now)
				})
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		labels := map[string]bool{}
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range ids {
				c, err := tx.LoadReviewCase(ctx, id, "")
				if err != nil {
					return err
				}
				labels[c.Reviewing.Label] = true
			}
			return nil
		})
		samples, err := b.Exemplars(t.Context(), studycircle.System(), a.ID)
		require.NoError(t, err)
		for _, e := range samples {
			labels[e.Label] = true
		}
		require.Len(t, labels, works+exemplars)
	})
}
