package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// exemplar returns an exemplar with a mark.
func exemplar(mark int) doc {
	return doc{"docsLink": link(60), "note": "A good one.", "mark": mark, "reason": "It answers all three questions."}
}

// Exemplars are offered to each reviewer first, once each and like any other work; after
// reviewing one, the reviewer learns its mark and the reason. They are in no list, count
// or figure.
func TestExemplars(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		at := "/api/assignment/" + of + "/exemplars"

		t.Run("who may not", func(t *testing.T) {
			n.visitor().post(t, at, exemplar(18)).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			bob.post(t, at, exemplar(18)).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			bob.get(t, at).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			ada.post(t, "/api/assignment/nothing/exemplars", exemplar(18)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			ada.post(t, at, exemplar(21)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.mark")
			ada.post(t, at, with(exemplar(2), "reason", " ")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
			ada.post(t, at, with(exemplar(2), "docsLink", "nowhere")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.docsLink")
			plain := ada.publish(t)
			ada.post(t, "/api/assignment/"+plain+"/exemplars", exemplar(2)).refused(t, http.StatusConflict, studycircle.CodeNoReviews)
		})

		good := ada.post(t, at, exemplar(18)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
		poor := ada.post(t, at, exemplar(5)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
		third := ada.post(t, at, exemplar(9)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
		ada.post(t, at, exemplar(7)).refused(t, http.StatusConflict, studycircle.CodeTooManyExemplars)
		bob.del(t, at+"/"+third).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		require.Equal(t, doc{"deletedCount": 1.0}, ada.del(t, at+"/"+third).is(t, http.StatusOK).json(t))
		ada.del(t, at+"/"+third).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, doc{"modifiedCount": 1.0}, ada.put(t, at+"/"+poor, doc{"mark": 6, "reason": "It repeats the question."}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, ada.put(t, at+"/"+poor, doc{"mark": 6, "reason": "It repeats the question."}).is(t, http.StatusOK).json(t))
		ada.put(t, at+"/"+poor, doc{"mark": 21, "reason": "Too much."}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.mark")
		require.Len(t, ada.get(t, at).is(t, http.StatusOK).json(t)["data"], 2)

		id := bob.submit(t, of)
		ada.put(t, at+"/"+id, doc{"mark": 6, "reason": "Somebody's work."}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.del(t, at+"/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		elsewhere := "/api/assignment/" + ada.publish(t, "reviewsNeeded", 2, "marks", 20) + "/exemplars/" + poor
		ada.put(t, elsewhere, doc{"mark": 7, "reason": "Another assignment's."}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.del(t, elsewhere).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.idle(t, of)

		first := cem.task(t, of)
		require.Contains(t, []string{good, poor}, first["submissionId"])
		require.Equal(t, first, cem.task(t, of), "the same one again")
		bob.patch(t, "/api/submissions/"+good, doc{"marks": 3}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		ada.patch(t, "/api/submissions/"+good, doc{"marks": 3}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		blind := cem.answersAbout(t, first)
		seen := []any{first["submissionId"]}
		known := map[any]doc{
			good: {"mark": 18.0, "reason": "It answers all three questions."},
			poor: {"mark": 6.0, "reason": "It repeats the question."},
		}
		review := func(c *client, task doc) {
			t.Helper()
			at := "/api/submissions/" + task["submissionId"].(string)
			c.patch(t, at, doc{"marks": 21}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
			require.Equal(t, doc{"modifiedCount": 1.0, "exemplar": known[task["submissionId"]]}, c.patch(t, at, doc{"marks": 10}).is(t, http.StatusOK).json(t))
			c.patch(t, at, doc{"marks": 10}).refused(t, http.StatusConflict, studycircle.CodeAlreadyReviewed)
		}
		review(cem, first)
		second := cem.post(t, "/api/reviews/next", doc{}).is(t, http.StatusOK).json(t)
		seen = append(seen, second["submissionId"])
		require.ElementsMatch(t, []any{good, poor}, seen)
		review(cem, second)
		work := cem.task(t, of)
		require.Equal(t, id, work["submissionId"])
		require.ElementsMatch(t, fields(work), fields(first), "an exemplar looks like all other work")
		require.Equal(t, cem.answersAbout(t, work), blind, "and is answered about like it")
		require.Equal(t, doc{"modifiedCount": 1.0}, cem.patch(t, "/api/submissions/"+id, doc{"marks": 12}).is(t, http.StatusOK).json(t))

		given := dot.task(t, of)["submissionId"].(string)
		dot.del(t, "/api/reviews/lease/"+given).is(t, http.StatusOK)
		require.NotEqual(t, given, dot.task(t, of)["submissionId"], "given back: once each")

		t.Run("nowhere", func(t *testing.T) {
			require.Equal(t, pages(1, 20, 1, 1), cem.get(t, "/api/reviews").json(t)["pagination"], "one review of work")
			require.Equal(t, pages(1, 20, 1, 1), ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["pagination"])
			require.Empty(t, ada.get(t, "/api/submissions").array(t))
			require.InDelta(t, 1, ada.get(t, "/api/dashboard").json(t)["created"].(doc)["submissions"], 0)
			require.Len(t, cem.pending(t), 1)
			for _, c := range []*client{ada, bob, cem} {
				for _, path := range []string{"/reviews", "/mark", "/work"} {
					c.get(t, "/api/submissions/"+good+path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				}
				status, code := http.StatusForbidden, studycircle.CodeNotYourAssignment
				if c == ada {
					status, code = http.StatusNotFound, studycircle.CodeNotFound
				}
				c.post(t, "/api/submissions/"+good+"/settle", nil).refused(t, status, code)
				c.post(t, "/api/submissions/"+good+"/appeal", doc{"reason": "Why?"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				c.post(t, "/api/submissions/"+good+"/reopen", doc{"reason": "Why?", "action": "new-reviewers"}).refused(t, status, code)
			}
		})
		ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
		weights := bob.get(t, "/api/submissions/"+id+"/mark").json(t)["reviews"].([]any)[0].(doc)
		require.NotEqual(t, 0.0, weights["strictness"], "both exemplars say how their reviewer marks")
	})
}

// answersAbout returns the answers that the holder of a task gets about it, except to the
// review.
func (c *client) answersAbout(t *testing.T, task doc) (codes []string) {
	t.Helper()
	at := "/api/submissions/" + task["submissionId"].(string)
	for _, call := range []struct {
		method, path string
		body         doc
	}{
		{http.MethodPost, "/settle", nil},
		{http.MethodPost, "/reopen", doc{"action": "new-reviewers", "reason": "Look again."}},
		{http.MethodPut, "/known", doc{"mark": 3, "reason": "Look again."}},
		{http.MethodPost, "/reopen", doc{"action": "set-mark", "mark": 3, "reason": "Look again."}},
		{http.MethodPost, "/appeal", doc{"reason": "Look again."}},
		{http.MethodPut, "/own", doc{"docsLink": "https://example.org/x"}},
		{http.MethodDelete, "/own", nil},
		{http.MethodGet, "/reviews", nil},
		{http.MethodGet, "/mark", nil},
		{http.MethodGet, "/work", nil},
	} {
		a, err := c.try(t.Context(), call.method, at+call.path, call.body)
		require.NoError(t, err)
		codes = append(codes, fmt.Sprint(call.path, a.status, a.json(t)["code"], a.json(t)["detail"]))
	}
	return codes
}

// Feedback on an exemplar is rendered like any other.
func TestAReviewOfAnExemplarKeepsItsMarkdown(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(18)).is(t, http.StatusCreated)
		bob.submit(t, of)
		task := cem.task(t, of)
		cem.patch(t, "/api/submissions/"+task["submissionId"].(string), doc{"marks": 10, "feedback": "Well *done*."}).is(t, http.StatusOK)
		given, err := n.app.Store.Reviews(t.Context(), task["submissionId"].(string))
		require.NoError(t, err)
		require.Len(t, given, 1)
		require.Contains(t, given[0].HTML, "<em>done</em>")
	})
}

// An exemplar fixes an assignment's review settings, as a submission does.
func TestExemplarsFixReviewSettings(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(18)).is(t, http.StatusCreated)
		ada.put(t, "/api/assignment/"+of, with(assignment(), "marks", 20, "reviewsNeeded", 3)).refused(t, http.StatusConflict, studycircle.CodeAlreadyTaken)
	})
}

// Of concurrent additions of exemplars three succeed. Concurrent reviews of one exemplar
// all succeed, once each, also while another one is removed.
func TestConcurrentExemplars(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		at := "/api/assignment/" + of + "/exemplars"
		together(t, crowd, func(i int) error {
			_, err := ada.do(t.Context(), http.MethodPost, at, exemplar(i%20), http.StatusCreated, http.StatusConflict)
			return err
		})
		all := ada.get(t, at).json(t)["data"].([]any)
		require.Len(t, all, studycircle.MaxExemplars)
		gone := all[0].(doc)["_id"].(string)
		together(t, crowd, func(i int) error {
			if i == 0 {
				_, err := ada.do(t.Context(), http.MethodDelete, at+"/"+gone, nil, http.StatusOK)
				return err
			}
			for range studycircle.MaxExemplars {
				a, err := users[i].persist(t.Context(), http.MethodPost, "/api/reviews/next", doc{"assignmentId": of})
				if err != nil || a.status == http.StatusNoContent {
					return err
				}
				if a.status == http.StatusNotFound { // it was removed meanwhile
					continue
				}
				if err := a.expect(http.StatusOK); err != nil {
					return err
				}
				id, answers := a.json(t)["submissionId"].(string), []int{200, 409}
				if id == gone {
					answers = append(answers, 403, 404) // the lease, or the submission, is gone
				}
				for range 2 {
					if _, err := users[i].do(t.Context(), http.MethodPatch, "/api/submissions/"+id, doc{"marks": i % 20}, answers...); err != nil {
						return err
					}
				}
			}
			return nil
		})
		for _, u := range users[1:] {
			u.idle(t, of)
		}
		require.Len(t, ada.get(t, at).json(t)["data"], 2)
	})
}
