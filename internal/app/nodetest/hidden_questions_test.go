package nodetest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// The texts of a hidden assignment appear nowhere in what its submitters and reviewers wrote about it: questions, reviews
// to correct, self-assessments, notices and files. Questions and answers stay their authors' own.
func TestWorkOnHiddenAssignmentsShowsNoTexts(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, of := hiddenClass(t, n)
		bob, cem, dot := n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		bob.put(t, at+"/self-assessment", doc{"levels": []int{1}}).is(t, http.StatusOK)
		for _, reviewer := range []*client{cem, dot} {
			reviewer.task(t, of)
			reviewer.post(t, questionAt(id), doc{"text": "Asked by " + reviewer.name}).is(t, http.StatusCreated)
		}
		bob.post(t, answerAt(id), doc{"text": "Answered"}).is(t, http.StatusCreated)
		cem.patch(t, at, doc{"levels": []int{1}, "feedback": "Clear"}).is(t, http.StatusOK)
		review := "/api/reviews/" + cem.given(t)["_id"].(string)
		paths := []string{
			at + "/own", at + "/question", at + "/reviews", at + "/corrections", at + "/mark", review, "/api/reviews", "/api/submissions", "/api/rubrics", "/api/phrases",
			"/api/today", "/api/progress?assignments=" + of, "/api/assignment/" + of + "/owes", "/api/assignment/" + of + "/results.csv",
			"/api/assignment/" + of + "/reviews.csv", "/api/assignment/" + of + "/submissions/" + id,
		}
		sings := func(c *client) bool {
			if c != ada { // who is told what of hers is hidden
				return c.sings(t, append(paths, "/api/notifications")...)
			}
			return c.sings(t, paths...)
		}
		for _, c := range []*client{ada, bob, cem, dot} {
			require.True(t, sings(c), c.name)
		}

		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		for _, c := range []*client{ada, bob, cem, dot} {
			require.False(t, sings(c), c.name)
		}
		for _, path := range []string{"/owes", "/results.csv", "/reviews.csv?codes=true"} {
			ada.get(t, "/api/assignment/"+of+path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		require.Equal(t, "Asked by Cem", cem.get(t, questionAt(id)).is(t, http.StatusOK).json(t)["question"].(doc)["text"])
		dot.post(t, questionAt(id), doc{"text": "Why?"}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)

		// Who answers, corrects and judges meanwhile gets and causes no such text.
		bob.post(t, answerAt(id), doc{"text": "Meanwhile"}).is(t, http.StatusCreated)
		cem.put(t, review, doc{"levels": []int{0}, "feedback": "Better"}).is(t, http.StatusOK)
		bob.put(t, at+"/self-assessment", doc{"levels": []int{0}}).is(t, http.StatusOK)
		for _, c := range []*client{ada, bob, cem, dot} {
			require.False(t, sings(c), c.name)
		}
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		require.True(t, sings(cem))
		require.Contains(t, strings.ToLower(string(cem.get(t, review).body)), "canary")
	})
}
