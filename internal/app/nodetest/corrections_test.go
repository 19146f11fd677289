package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
)

// given returns one of c's reviews as the list has it.
func (c *client) given(tb testing.TB) doc {
	tb.Helper()
	return c.get(tb, "/api/reviews").is(tb, http.StatusOK).json(tb)["data"].([]any)[0].(doc)
}

// reviews lets c review the next submission for an assignment, and returns the review's path.
func (c *client) reviews(tb testing.TB, assignmentID string, mark int, feedback string) string {
	tb.Helper()
	id := c.task(tb, assignmentID)["submissionId"].(string)
	c.patch(tb, "/api/submissions/"+id, doc{"marks": mark, "feedback": feedback}).is(tb, http.StatusOK)
	return "/api/reviews/" + c.given(tb)["_id"].(string)
}

func TestReviewersCorrectTheirReviewUntilItIsSettled(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		review := cem.reviews(t, of, 3, "Too short.")
		require.Equal(t, doc{"correct": true}, cem.given(t)["may"])
		got := cem.get(t, review).is(t, http.StatusOK).json(t)
		require.Equal(t, "Too short.", got["feedback"])
		require.Equal(t, id, got["submissionId"])
		require.Equal(t, "https://docs.google.com/document/d/1", got["docsLink"])

		for _, other := range []*client{ada, bob, dot} {
			other.get(t, review).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			other.put(t, review, doc{"marks": 1}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		cem.put(t, review, doc{"marks": 21}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
		cem.put(t, review, doc{"marks": 20, "levels": []int{0}}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		cem.put(t, "/api/reviews/nothing", doc{"marks": 1}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, doc{"modifiedCount": 0.0}, cem.put(t, review, doc{"marks": 3, "feedback": "Too short."}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 1.0}, cem.put(t, review, doc{"marks": 15, "feedback": "**Clear** after all."}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 1.0}, cem.put(t, review, doc{"marks": 16, "feedback": "**Clear** after all."}).is(t, http.StatusOK).json(t))
		require.InDelta(t, 16, cem.given(t)["mark"], 0)
		ada.get(t, at+"/corrections").refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		dot.reviews(t, of, 16, "Fine.")
		require.InDelta(t, 16, bob.own(t, id)["givenMark"], 0, "settled on the corrected mark")
		require.Equal(t, doc{"correct": false}, cem.given(t)["may"])
		cem.put(t, review, doc{"marks": 1}).refused(t, http.StatusConflict, studycircle.CodeAlreadySettled)
		cem.get(t, review).refused(t, http.StatusConflict, studycircle.CodeAlreadySettled)
		for _, other := range []*client{bob, cem, dot, n.user(t, "Eve")} {
			other.get(t, at+"/corrections").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		earlier := ada.get(t, at+"/corrections").is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, earlier, 2)
		require.Equal(t, "Too short.", earlier[0].(doc)["feedback"])
		require.Equal(t, "<p><strong>Clear</strong> after all.</p>\n", earlier[1].(doc)["html"])
		require.Equal(t, earlier[0].(doc)["label"], earlier[1].(doc)["label"])
		require.NotContains(t, string(bob.get(t, at+"/reviews").is(t, http.StatusOK).body), "Too short.")

		// What a moderator hides of a review, its history hides too.
		of = ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		at = "/api/submissions/" + bob.submit(t, of)
		cem.put(t, cem.reviews(t, of, 4, "Rude."), doc{"marks": 5, "feedback": "Rude again."}).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		require.Len(t, ada.get(t, at+"/corrections").json(t)["data"], 1)
		n.moderate(t, studycircle.Hide, studycircle.OfReview, bob.get(t, at+"/reviews").json(t)["data"].([]any)[0].(doc)["_id"].(string))
		require.Empty(t, ada.get(t, at+"/corrections").is(t, http.StatusOK).json(t)["data"])
	})
}

// Reviews that differ ask for one more; the correction that brings them together settles the submission at once, and
// ends the lease of the reviewer who was to give the further one.
func TestACorrectionMaySettle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot"), n.user(t, "Eve")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		review := cem.reviews(t, of, 2, "")
		dot.reviews(t, of, 19, "")
		require.Equal(t, "pending", bob.own(t, id)["status"])
		require.Equal(t, id, eve.task(t, of)["submissionId"])
		cem.put(t, review, doc{"marks": 3}).is(t, http.StatusOK)
		require.Equal(t, "pending", bob.own(t, id)["status"], "still far apart")
		cem.put(t, review, doc{"marks": 19}).is(t, http.StatusOK)
		own := bob.own(t, id)
		require.Equal(t, "completed", own["status"])
		require.InDelta(t, 19, own["givenMark"], 0)
		require.Equal(t, "enough-reviews", bob.get(t, "/api/submissions/"+id+"/mark").json(t)["settlements"].([]any)[0].(doc)["reason"])
		eve.unreserved(t)
		eve.patch(t, "/api/submissions/"+id, doc{"marks": 3}).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		require.Empty(t, ada.pending(t))
	})
}

// totalsAreExact requires that an assignment's sums of the grade model are those of its one submission's reviews.
func (n *node) totalsAreExact(t *testing.T, assignmentID, submissionID string) {
	t.Helper()
	reviews, err := n.app.Store.Reviews(t.Context(), submissionID)
	require.NoError(t, err)
	of := make([]grademodel.Review, len(reviews))
	for i, r := range reviews {
		of[i] = grademodel.Review{Reviewer: r.Reviewer, Mark: float64(r.Mark)}
	}
	spread := grademodel.SpreadOf(100, of)
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		sums, _, err := tx.ReviewModel(ctx, assignmentID, submissionID)
		require.Equal(t, 1, sums.Submissions)
		require.Equal(t, spread.Free, sums.Free)
		require.InDelta(t, spread.Mean, sums.Means, 1e-8)
		require.InDelta(t, spread.Squares, sums.Squares, 1e-8)
		return err
	}))
}

// 31 clients correct a review while the last review settles the submission. All that are acknowledged count, none
// after the settlement: the mark, the history and the sums of the grade model agree.
func TestConcurrentCorrections(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		for round := range 3 {
			cem, dot := n.user(t, fmt.Sprint("Cem", round)), n.user(t, fmt.Sprint("Dot", round))
			of := ada.publish(t, "reviewsNeeded", 2, "marks", 100)
			id := bob.submit(t, of)
			at := "/api/submissions/" + id
			review := cem.reviews(t, of, 40, "")
			dot.task(t, of)
			corrected := make([]bool, crowd)
			together(t, crowd, func(i int) error {
				if i == crowd/2 {
					_, err := dot.do(t.Context(), http.MethodPatch, at, doc{"marks": 50}, 200)
					return err
				}
				a, err := cem.persist(t.Context(), http.MethodPut, review, doc{"marks": 41 + i})
				if err != nil {
					return err
				}
				corrected[i] = a.status == http.StatusOK
				return a.expect(http.StatusOK, http.StatusConflict)
			})
			if bob.own(t, id)["status"] == "pending" { // they differ too much: one more settles it
				ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
			}
			cem.put(t, review, doc{"marks": 1}).refused(t, http.StatusConflict, studycircle.CodeAlreadySettled)
			said := map[int]int{40: 1}
			for i, done := range corrected {
				if done {
					said[41+i]++
				}
			}
			earlier := ada.get(t, at+"/corrections").is(t, http.StatusOK).json(t)["data"].([]any)
			for i, version := range earlier {
				require.InDelta(t, i+1, version.(doc)["n"], 0)
				said[int(version.(doc)["mark"].(float64))]--
			}
			last := int(cem.given(t)["mark"].(float64))
			said[last]--
			for mark, left := range said {
				require.Zero(t, left, "the mark %d of %d versions and the last, %d", mark, len(earlier), last)
			}
			var counted []int
			for _, r := range bob.get(t, at+"/mark").is(t, http.StatusOK).json(t)["reviews"].([]any) {
				counted = append(counted, int(r.(doc)["mark"].(float64)))
			}
			require.ElementsMatch(t, []int{last, 50}, counted, "the settlement counts what the reviews say")
			n.totalsAreExact(t, of, id)
		}
	})
}
