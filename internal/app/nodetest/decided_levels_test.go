package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// levelsAndMark returns the levels of a mark that its creator set, and the mark, as its page shows them.
func (c *client) levelsAndMark(t *testing.T, id string) (levels, mark any) {
	t.Helper()
	shown := c.get(t, "/api/submissions/"+id+"/mark").is(t, http.StatusOK).json(t)
	require.Equal(t, shown["levels"] != nil, shown["rubric"] != nil)
	return shown["levels"], shown["givenMark"]
}

// A creator who changes a mark by the rubric says by which levels. The submitter reads them beside the mark.
func TestMarkIsSetByLevels(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Bob", "Cem", "Dot")
		ada, bob := people[0], people[1]
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		for _, c := range people[2:] {
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"levels": []int{0, 1}}).is(t, http.StatusOK)
		}
		levels, _ := bob.levelsAndMark(t, id)
		require.Nil(t, levels, "the model made the mark")

		set := doc{"reason": "Page two is good.", "action": "set-mark", "mark": 20}
		for _, wrong := range [][]int{{}, {1}, {1, 9}, {1, -1}, {0, 1}} {
			ada.post(t, at+"/reopen", with(set, "levels", wrong)).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		}
		ada.post(t, at+"/reopen", doc{"reason": "Others.", "action": "new-reviewers", "levels": []int{2, 1}}).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		plain := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		other := bob.submit(t, plain)
		for _, c := range people[2:] {
			c.task(t, plain)
			c.patch(t, "/api/submissions/"+other, doc{"marks": 3}).is(t, http.StatusOK)
		}
		ada.post(t, "/api/submissions/"+other+"/reopen", with(set, "levels", []int{2, 1})).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")

		ada.post(t, at+"/reopen", with(set, "levels", []int{2, 1})).is(t, http.StatusOK)
		for _, c := range people[:2] {
			levels, mark := c.levelsAndMark(t, id)
			require.Equal(t, []any{2.0, 1.0}, levels)
			require.InDelta(t, 20, mark, 0)
		}
		ada.put(t, at+"/known", doc{"reason": "Known.", "mark": 10, "levels": []int{0, 0}}).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		ada.put(t, at+"/known", doc{"reason": "Known.", "mark": 0, "levels": []int{0, 0}}).is(t, http.StatusOK)
		levels, _ = bob.levelsAndMark(t, id)
		require.Equal(t, []any{0.0, 0.0}, levels)
		ada.post(t, at+"/reopen", set).is(t, http.StatusOK)
		levels, _ = bob.levelsAndMark(t, id)
		require.Nil(t, levels, "the mark was set alone")
	})
}

// Whichever of many decisions is the last, its levels make the mark.
func TestConcurrentDecisionsKeepLevelsWithTheirMark(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Bob", "Cem", "Dot")
		ada, bob := people[0], people[1]
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		id := bob.submit(t, of)
		for _, c := range people[2:] {
			c.task(t, of)
			c.patch(t, "/api/submissions/"+id, doc{"levels": []int{0, 1}}).is(t, http.StatusOK)
		}
		sum := func(argument, language int) int { return []int{0, 5, 12}[argument] + []int{0, 8}[language] }
		together(t, crowd, func(i int) error {
			levels := []int{i % 3, i / 3 % 2}
			a, err := ada.persist(t.Context(), http.MethodPost, "/api/submissions/"+id+"/reopen", doc{
				"reason": "Again.", "action": "set-mark", "mark": sum(levels[0], levels[1]), "levels": levels,
			})
			if err == nil && a.status != http.StatusOK {
				err = fmt.Errorf("status %d", a.status)
			}
			return err
		})
		levels, mark := bob.levelsAndMark(t, id)
		require.Len(t, levels, 2)
		chosen := levels.([]any)
		require.InDelta(t, sum(int(chosen[0].(float64)), int(chosen[1].(float64))), mark, 0)
		require.InDelta(t, mark, bob.own(t, id)["givenMark"], 0)
		require.Len(t, bob.get(t, "/api/submissions/"+id+"/mark").json(t)["settlements"], 1+crowd)
	})
}

// Where fewer than two members can still review a submission, its creator learns how many; so does no one in the hall.
func TestCreatorLearnsThatReviewersAreMissing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve", "Fay")
		ada, bob := people[0], people[1]
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", people[1:4]...)
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "circleId", circle)
		hall := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id, everywhere := bob.submit(t, of), bob.submit(t, hall)
		row := func() doc {
			return ada.get(t, "/api/assignment/"+of+"/submissions").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		}
		one := func(of, id string) any {
			return ada.get(t, "/api/assignment/"+of+"/submissions/"+id).is(t, http.StatusOK).json(t)["freeReviewers"]
		}
		require.Nil(t, one(of, id), "it has no mark to reopen")
		for _, c := range people[2:4] {
			c.reviewsWith(t, of, 9)
			c.reviewsWith(t, hall, 9)
		}
		require.InDelta(t, 0, one(of, id), 0)
		require.Nil(t, one(hall, everywhere))
		require.NotContains(t, row(), "freeReviewers", "it does not wait")
		bob.post(t, "/api/submissions/"+id+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		require.InDelta(t, 0, row()["freeReviewers"], 0)
		ada.admits(t, circle, "member", people[4])
		require.InDelta(t, 1, row()["freeReviewers"], 0)
		require.InDelta(t, 1, one(of, id), 0)
		ada.admits(t, circle, "member", people[5])
		require.NotContains(t, row(), "freeReviewers")
		require.Nil(t, one(of, id))
	})
}
