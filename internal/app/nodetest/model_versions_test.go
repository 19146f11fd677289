package nodetest

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/receipt"
	"studycircle/internal/store"
)

// recompute settles a mark once more from its explanation alone.
func recompute(mark doc) grademodel.Settlement {
	number := func(d doc, name string) float64 { x, _ := d[name].(float64); return x }
	in := grademodel.Inputs{
		Model: mark["model"].(string), Total: int(number(mark, "total")),
		Scale: grademodel.Scale{Usual: number(mark, "usual"), Noise: number(mark, "noise"), Kappa: number(mark, "kappa")},
	}
	for _, r := range mark["reviews"].([]any) {
		in.Reviews = append(in.Reviews, grademodel.Input{
			Mark: number(r.(doc), "mark"), Strictness: number(r.(doc), "strictness"), Weight: number(r.(doc), "weight"),
		})
	}
	return in.Settle()
}

// beforeSC1K makes an assignment one of before the upgrade to SC1K.
func (n *node) beforeSC1K(t *testing.T, assignmentID string) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "UPDATE assignments SET grade_model = 'SC1' WHERE id = $1", assignmentID)
		return err
	}))
}

// reviewedBy lets reviewers give a submission's marks, one each.
func reviewedBy(t *testing.T, of string, reviewers []*client, marks ...int) {
	t.Helper()
	for i, mark := range marks {
		id := reviewers[i].task(t, of)["submissionId"].(string)
		reviewers[i].patch(t, "/api/submissions/"+id, doc{"marks": mark}).is(t, http.StatusOK)
	}
}

// An assignment of before an upgrade keeps its version of the grade model, also when its work is reopened; new ones begin
// with the present one. Each mark is made again from its explanation, by its own version.
func TestAssignmentsKeepTheirModel(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		reviewers := n.people(t, "Cem", "Dot", "Eve", "Fay")
		old, now := ada.publish(t, "reviewsNeeded", 2, "marks", 20), ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		n.beforeSC1K(t, old)
		explained := func(id string) doc {
			t.Helper()
			mark := bob.get(t, "/api/submissions/"+id+"/mark").is(t, http.StatusOK).json(t)
			again := recompute(mark)
			require.InDelta(t, mark["estimate"], again.Estimate, 1e-9)
			require.InDelta(t, mark["givenMark"], again.Mark, 0)
			_, err := receipt.Verify(bob.get(t, "/api/submissions/"+id+"/receipt").is(t, http.StatusOK).body, publicKeys(t, n))
			require.NoError(t, err)
			return mark
		}
		for of, model := range map[string]string{old: "SC1", now: "SC1K"} {
			id := bob.submit(t, of)
			reviewedBy(t, of, reviewers, 12, 14)
			require.Equal(t, model, explained(id)["model"])
			same := with(assignment(), "marks", 20, "title", "Renamed")
			ada.put(t, "/api/assignment/"+of, same).is(t, http.StatusOK)
			ada.post(t, "/api/submissions/"+id+"/reopen", doc{"reason": "Once more.", "action": "new-reviewers"}).is(t, http.StatusOK)
			reviewedBy(t, of, reviewers[2:], 13, 15)
			mark := explained(id)
			require.Equal(t, model, mark["model"])
			for _, st := range mark["settlements"].([]any) {
				require.Equal(t, model, st.(doc)["model"])
			}
		}
	})
}

func TestMarkByAverageOrMedian(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		reviewers := n.people(t, "Cem", "Dot", "Eve")
		for _, c := range []struct {
			markBy, model string
			estimate      float64
			mark          int
		}{{"average", "mean", 11, 11}, {"median", "median", 10, 10}} {
			of := ada.publish(t, "reviewsNeeded", 3, "marks", 20, "markBy", c.markBy)
			require.Equal(t, c.markBy, bob.get(t, "/api/assignment/"+of).json(t)["markBy"])
			id := bob.submit(t, of)
			reviewedBy(t, of, reviewers, 10, 10, 13)
			mark := bob.get(t, "/api/submissions/"+id+"/mark").is(t, http.StatusOK).json(t)
			require.Equal(t, []any{c.model, c.estimate, float64(c.mark)}, []any{mark["model"], mark["estimate"], mark["givenMark"]})
			for _, field := range []string{"interval", "open", "usual", "usualMark", "noise", "kappa"} {
				require.NotContains(t, mark, field)
			}
			require.InDelta(t, c.mark, recompute(mark).Mark, 0)
			r, err := receipt.Verify(bob.get(t, "/api/submissions/"+id+"/receipt").is(t, http.StatusOK).body, publicKeys(t, n))
			require.NoError(t, err)
			require.Equal(t, []any{c.model, int64(c.mark)}, []any{r.Model, r.Mark})
		}
	})
}

func TestMarkByIsFixedByTheFirstSubmission(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		ada.post(t, "/api/assignments", with(assignment(), "markBy", "median")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		ada.post(t, "/api/assignments", with(assignment(), "reviewsNeeded", 2, "markBy", "mode")).is(t, http.StatusUnprocessableEntity)
		require.NotContains(t, ada.get(t, "/api/assignment/"+ada.publish(t)).json(t), "markBy", "one review has nothing to combine")

		of := ada.publish(t, "reviewsNeeded", 2, "markBy", "average")
		at := "/api/assignment/" + of
		markBy := func() any { return ada.get(t, at).json(t)["markBy"] }
		ada.put(t, at, with(assignment(), "title", "Renamed")).is(t, http.StatusOK)
		require.Equal(t, "average", markBy(), "absent, it stays")
		ada.put(t, at, with(assignment(), "reviewsNeeded", 1)).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "reviewsNeeded", 2)).is(t, http.StatusOK)
		require.Equal(t, "model", markBy(), "a single grade forgets it")
		ada.put(t, at, with(assignment(), "markBy", "median")).is(t, http.StatusOK)
		bob.submit(t, of)
		ada.put(t, at, with(assignment(), "markBy", "model")).refused(t, http.StatusConflict, studycircle.CodeAlreadyTaken)
		ada.put(t, at, with(assignment(), "markBy", "median")).is(t, http.StatusOK)
		require.Equal(t, "median", markBy())
	})
}

// While 32 clients change it and one hands in, no change is made after the submission.
func TestConcurrentChangesOfMarkBy(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "reviewsNeeded", 2)
		at := "/api/assignment/" + of
		var handedIn atomic.Bool
		var wait sync.WaitGroup
		for i := range 32 {
			wait.Go(func() {
				late := handedIn.Load()
				answer := ada.put(t, at, with(assignment(), "markBy", []string{"average", "median", "model"}[i%3]))
				if late && answer.status == http.StatusOK {
					require.Zero(t, answer.json(t)["modifiedCount"])
				}
			})
			if i == 8 {
				wait.Go(func() {
					bob.submit(t, of)
					handedIn.Store(true)
				})
			}
		}
		wait.Wait()
		fixed := ada.get(t, at).json(t)["markBy"]
		for _, markBy := range []string{"average", "median", "model"} {
			answer := ada.put(t, at, with(assignment(), "markBy", markBy))
			if markBy == fixed {
				answer.is(t, http.StatusOK)
			} else {
				answer.refused(t, http.StatusConflict, studycircle.CodeAlreadyTaken)
			}
		}
	})
}
