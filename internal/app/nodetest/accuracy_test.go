package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// accuracies returns what the marks of a circle say of each member's accuracy, in the order of joining.
func (c *client) accuracies(t *testing.T, circle string) (out []any) {
	t.Helper()
	for _, row := range c.get(t, "/api/circle/"+circle+"/marks").is(t, http.StatusOK).json(t)["data"].([]any) {
		out = append(out, row.(doc)["accuracy"])
	}
	return out
}

// A circle counts the accuracy of reviews of exemplars that were begun after its reviewers were told. Organizers and the
// reviewer read the same, once the day is over; other members read nothing.
func TestAccuracyIsCreditIfTheCircleCountsIt(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		circle := ada.circle(t, "Readers")
		at := "/api/circle/" + circle
		ada.admits(t, circle, "member", bob, cem, dot)
		friendly := dot.publish(t, "circleId", circle, "reviewsNeeded", 2, "marks", 20)
		easy := dot.post(t, "/api/assignment/"+friendly+"/exemplars", exemplar(18)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
		nextDay := func() {
			t.Helper()
			n.clock.advance(24 * time.Hour)
			for _, c := range []*client{ada, bob, cem, dot} {
				c.newSession(t)
			}
		}
		exemplarOf := func() (of, id string) {
			of = ada.publish(t, "circleId", circle, "reviewsNeeded", 2, "marks", 20)
			return of, ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(18)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
		}
		give := func(c *client, of, id string, mark int) {
			t.Helper()
			task := c.task(t, of)
			require.Equal(t, id, task["submissionId"])
			c.patch(t, "/api/submissions/"+id, doc{"marks": mark}).is(t, http.StatusOK)
		}
		before, early := exemplarOf()
		require.NotContains(t, bob.task(t, before), "countsAccuracy")
		ada.put(t, at, doc{"name": "Readers", "countsAccuracy": true}).modified(t, 1)
		require.Equal(t, true, bob.task(t, before)["countsAccuracy"], "told also of a review under way")
		give(bob, before, early, 3)
		soon, hour := exemplarOf()
		give(cem, soon, hour, 3)
		nextDay()
		later, late := exemplarOf()
		give(bob, later, late, 17)
		give(bob, friendly, easy, 18) // of a member who does not organize the circle
		work := cem.submit(t, later)
		require.Equal(t, []any{nil, nil, nil, nil}, ada.accuracies(t, circle), "today's are left out")
		nextDay()
		give(cem, later, late, 20)
		give(bob, soon, hour, 18)
		require.Equal(t, []any{nil, doc{"reviews": 1.0, "percent": 95.0}, nil, nil}, ada.accuracies(t, circle), "those begun before do not count")
		nextDay()
		want := []any{nil, doc{"reviews": 2.0, "percent": 97.5}, doc{"reviews": 1.0, "percent": 90.0}, nil}
		require.Equal(t, want, ada.accuracies(t, circle))
		for i, c := range []*client{ada, bob, cem, dot} { // each reads what organizers read
			require.Equal(t, want[i], c.get(t, at).is(t, http.StatusOK).json(t)["accuracy"], c.name)
		}
		require.Equal(t, []any{nil, nil, nil, nil}, dot.accuracies(t, circle), "a member reads that of no other")
		dot.put(t, at, doc{"name": "Readers", "countsAccuracy": false}).refused(t, http.StatusForbidden, studycircle.CodeNotOwner)

		task := dot.task(t, later) // the exemplar
		dot.patch(t, "/api/submissions/"+task["submissionId"].(string), doc{"marks": 18}).is(t, http.StatusOK)
		ordinary := dot.task(t, later)
		require.Equal(t, work, ordinary["submissionId"])
		require.Equal(t, task["countsAccuracy"], ordinary["countsAccuracy"], "an exemplar looks like all other work")

		rows := ada.file(t, at+"/marks.csv")
		require.Equal(t, []string{"2", "97.5"}, []string{rows[4]["exemplarsReviewed"], rows[4]["accuracy"]})
		require.NotContains(t, column(ada.file(t, at+"/marks.csv?codes=true"), "accuracy"), "97.5", "it would tell whose code it is")
		require.Empty(t, column(dot.file(t, at+"/marks.csv"), "accuracy")[1])

		files, _ := ada.exported(t, circle, "")
		require.Contains(t, files["circle.jsonl"], `"countsAccuracy":true`)
		ada.put(t, at, doc{"name": "Readers"}).modified(t, 0)
		ada.put(t, at, doc{"name": "Readers", "countsAccuracy": false}).modified(t, 1)
		require.Equal(t, []any{nil, nil, nil, nil}, ada.accuracies(t, circle))
		require.NotContains(t, bob.get(t, at).is(t, http.StatusOK).json(t), "accuracy")
		ada.put(t, at, doc{"name": "Readers", "countsAccuracy": true}).modified(t, 1)
		require.Equal(t, []any{nil, nil, nil, nil}, ada.accuracies(t, circle), "it begins anew")
	})
}
