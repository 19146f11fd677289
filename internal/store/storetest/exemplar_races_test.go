package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
)

// An exemplar is removed while others reserve and review it: each transaction ends, and nothing of the exemplar stays.
func TestExemplarsAreRemovedWhileTheyAreReviewed(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		people := make([]studycircle.User, 8)
		for i := range people {
			people[i] = b.user(t, fmt.Sprint("Reviewer", i))
		}
		a := b.assignment(t, ada, studycircle.Easy, "Shared", "For all.")
		for round := range 30 {
			id := fmt.Sprint("exemplar", round)
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertExemplar(ctx, studycircle.Exemplar{ID: id, AssignmentID: a.ID, Total: 20, DocsLink: "https://example.org/1"}, a.Title, now)
			})
			var all sync.WaitGroup
			write := func(f func(ctx context.Context, tx *store.Tx) error) error {
				err := b.Write(t.Context(), studycircle.System(), f)
				if studycircle.CodeOf(err) == studycircle.CodeNotFound { // the exemplar is gone
					return nil
				}
				return err
			}
			errs := make([]error, len(people)+1)
			for i, u := range people {
				all.Go(func() {
					errs[i] = write(func(ctx context.Context, tx *store.Tx) error { return tx.LeaseExemplar(ctx, u.ID, id, now) })
					if errs[i] != nil {
						return
					}
					errs[i] = write(func(ctx context.Context, tx *store.Tx) error {
						given := studycircle.Review{ID: id + u.ID, SubmissionID: id, Reviewer: u.ID, Mark: 7, GivenAt: now}
						return tx.InsertExemplarReview(ctx, given, studycircle.Exemplar{AssignmentID: a.ID}, grademodel.Part{P: 1})
					})
				})
			}
			all.Go(func() {
				errs[len(people)] = write(func(ctx context.Context, tx *store.Tx) error {
					if err := tx.LockAssignment(ctx, a.ID); err != nil {
						return err
					}
					return tx.DeleteExemplar(ctx, id)
				})
			})
			all.Wait()
			for _, err := range errs {
				require.NoError(t, err)
			}
			require.Empty(t, b.ids(t, "SELECT id FROM submissions WHERE id = '"+id+"'"))
			require.Empty(t, b.ids(t, "SELECT id FROM review_turns WHERE id = '"+id+"'"))
		}
	})
}
