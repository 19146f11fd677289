package nodetest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// states returns c's state for each assignment, by id.
func (c *client) states(t *testing.T, ids ...string) map[string]doc {
	t.Helper()
	out := map[string]doc{}
	for _, p := range c.get(t, "/api/progress?assignments="+strings.Join(ids, ",")).is(t, http.StatusOK).json(t)["data"].([]any) {
		out[p.(doc)["assignmentId"].(string)] = p.(doc)
	}
	return out
}

// The life of a submission in its submitter's progress, the lists by state, the creator's
// results and both dashboards.
func TestProgressFollowsASubmission(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		one, two := ada.publish(t, "title", "One", "marks", 10, "level", "easy"), ada.publish(t, "title", "Two", "level", "hard")
		progress := func(state string, more ...any) doc {
			return with(doc{"assignmentId": one, "state": state, "attempts": 0., "remind": false}, more...)
		}
		require.Equal(t, progress("mine"), ada.states(t, one)[one])
		require.Equal(t, progress("open"), bob.states(t, one)[one])

		first := bob.submit(t, one)
		require.Equal(t, progress("pending", "submissionId", first, "attempts", 1.), bob.states(t, one)[one])
		require.Equal(t, []string{"Two"}, bob.listed(t, "?state=open"))
		require.Equal(t, []string{"One"}, bob.listed(t, "?state=pending"))
		require.Equal(t, []string{"Two", "One"}, ada.listed(t, "?state=mine"))
		require.Equal(t, []string{"Two"}, ada.listed(t, "?state=mine&level=hard"))

		cem.grade(t, first, 7)
		require.Equal(t, progress("graded", "submissionId", first, "attempts", 1., "givenMark", 7., "marks", 10.), bob.states(t, one)[one])
		require.Equal(t, []string{"One"}, bob.listed(t, "?state=graded"))

		second := bob.submit(t, one)
		require.Equal(t, progress("pending", "submissionId", second, "attempts", 2., "givenMark", 7., "marks", 10.), bob.states(t, one)[one],
			"the state is the latest attempt's, the mark the best one's")
		require.Empty(t, bob.listed(t, "?state=graded"))
		cem.grade(t, second, 3)
		require.Equal(t, progress("graded", "submissionId", second, "attempts", 2., "givenMark", 7., "marks", 10.), bob.states(t, one)[one])
		third := bob.submit(t, one)
		bob.del(t, "/api/submissions/"+third+"/own").is(t, http.StatusOK)
		require.Equal(t, "graded", bob.states(t, one)[one]["state"], "as before the withdrawal")
		require.Equal(t, second, bob.states(t, one)[one]["submissionId"])

		results := ada.get(t, "/api/assignment/"+one+"/submissions").is(t, http.StatusOK).json(t)
		require.Equal(t, pages(1, 20, 2, 1), results["pagination"])
		newest := results["data"].([]any)[0].(doc)
		require.Equal(t, second, newest["_id"])
		require.Equal(t, doc{
			"_id": second, "submittedBy": bob.email, "submitterName": "Bob", "status": "completed", "submittedAt": newest["submittedAt"],
			"late": false, "marks": 10., "givenMark": 3., "markedAt": newest["markedAt"], "format": "markdown", "html": "<p>Well done.</p>\n",
			"may": doc{"grade": false, "known": false, "reopen": true, "setMark": true, "settle": false, "waits": false},
		}, with(newest, "feedback", absent{}))

		taken := bob.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["taken"].(doc)
		require.Len(t, taken["marks"], 2)
		require.Equal(t, doc{
			"total": 2., "pending": 0., "graded": 2., "averagePercent": 50., "bestPercent": 70.,
			"byLevel": doc{"easy": doc{"graded": 2., "averagePercent": 50.}, "medium": doc{"graded": 0.}, "hard": doc{"graded": 0.}},
		}, with(taken, "marks", absent{}))
		require.Equal(t, doc{"total": 2., "submissions": 2., "pending": 0., "graded": 2., "averagePercent": 50.},
			ada.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["created"])
		require.Equal(t, doc{"total": 2., "averagePercent": 50., "medianWaitHours": 0.}, cem.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["given"])

		bob.put(t, "/api/assignment/"+two+"/reminder", doc{"remind": true}).modified(t, 1)
		bob.put(t, "/api/assignment/"+two+"/reminder", doc{"remind": true}).modified(t, 0)
		require.Equal(t, true, bob.states(t, two)[two]["remind"])
		due := bob.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["due"].([]any)
		require.Len(t, due, 1)
		require.Equal(t, doc{"assignmentId": two, "title": "Two", "dueDate": due[0].(doc)["dueDate"], "state": "open", "remind": true}, due[0])
		bob.put(t, "/api/assignment/"+two+"/reminder", doc{"remind": false}).modified(t, 1)
		bob.put(t, "/api/assignment/"+two+"/reminder", doc{"remind": false}).modified(t, 0)
		ada.put(t, "/api/assignment/"+two+"/reminder", doc{"remind": true}).refused(t, http.StatusForbidden, studycircle.CodeOwnAssignment)
	})
}

func (c *client) listed(t *testing.T, query string) []string {
	t.Helper()
	titles := []string{}
	for _, a := range c.get(t, "/api/assignments"+query).is(t, http.StatusOK).json(t)["data"].([]any) {
		titles = append(titles, a.(doc)["title"].(string))
	}
	return titles
}

func (a *answer) modified(t *testing.T, n int) {
	t.Helper()
	require.InDelta(t, n, a.is(t, http.StatusOK).json(t)["modifiedCount"], 0)
}
