package nodetest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// twoCriteria is a rubric of 20 marks.
func twoCriteria() doc {
	level := func(label string, marks int) doc { return doc{"label": label, "marks": marks} }
	return doc{"criteria": []any{
		doc{"title": "Argument", "levels": []any{level("None", 0), level("Some", 5), level("Strong", 12)}},
		doc{"title": "Language", "levels": []any{level("Poor", 0), level("Good", 8)}},
	}}
}

func TestSubmittersJudgeTheirOwnWork(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		judge := func(levels ...int) doc { return doc{"levels": levels} }
		require.Equal(t, true, bob.own(t, id)["may"].(doc)["assess"])
		for _, other := range []*client{ada, cem} {
			other.put(t, at+"/self-assessment", judge(0, 0)).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
		}
		for _, wrong := range []any{[]int{}, []int{1}, []int{1, 2}, []int{1, 1, 1}, []int{-1, 0}} {
			bob.put(t, at+"/self-assessment", doc{"levels": wrong}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		}
		bob.put(t, at+"/self-assessment", doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		bob.put(t, at+"/self-assessment", judge(1, 1)).is(t, http.StatusOK)
		task := cem.task(t, of)
		require.NotContains(t, task, "selfAssessment")
		bob.put(t, at+"/self-assessment", judge(2, 1)).is(t, http.StatusOK)
		require.Equal(t, doc{"levels": []any{2.0, 1.0}, "mark": 20.0}, bob.get(t, at+"/own").json(t)["selfAssessment"])
		cem.patch(t, at, judge(0, 1)).is(t, http.StatusOK)
		dot.task(t, of)
		dot.patch(t, at, judge(0, 1)).is(t, http.StatusOK)

		own := bob.own(t, id)
		require.InDelta(t, 8, own["givenMark"], 0, "it counts for nothing")
		require.Equal(t, false, own["may"].(doc)["assess"])
		bob.put(t, at+"/self-assessment", judge(0, 0)).refused(t, http.StatusConflict, studycircle.CodeAlreadySettled)
		for _, reader := range []*client{ada, bob} {
			require.Equal(t, doc{"levels": []any{2.0, 1.0}, "mark": 20.0}, reader.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["selfAssessment"])
		}
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.NotContains(t, ada.get(t, at+"/reviews").is(t, http.StatusOK).json(t), "selfAssessment")

		plain := dot.submit(t, ada.publish(t, "reviewsNeeded", 2))
		require.Equal(t, false, dot.own(t, plain)["may"].(doc)["assess"])
		dot.put(t, "/api/submissions/"+plain+"/self-assessment", judge(0)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		single := dot.submit(t, ada.publish(t))
		dot.put(t, "/api/submissions/"+single+"/self-assessment", judge(0)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
	})
}

// 31 clients judge their work in different ways while its last review settles it: what is shown is one of the
// acknowledged judgements.
func TestConcurrentSelfAssessments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		cem.task(t, of)
		cem.patch(t, at, doc{"levels": []int{1, 1}}).is(t, http.StatusOK)
		dot.task(t, of)
		bob.put(t, at+"/self-assessment", doc{"levels": []int{0, 0}}).is(t, http.StatusOK)
		acknowledged := [3]bool{true, false, false}
		var saved [crowd]bool
		together(t, crowd, func(i int) error {
			if i == crowd/2 {
				_, err := dot.do(t.Context(), http.MethodPatch, at, doc{"levels": []int{1, 1}}, 200)
				return err
			}
			a, err := bob.persist(t.Context(), http.MethodPut, at+"/self-assessment", doc{"levels": []int{i % 3, 0}})
			if err != nil {
				return err
			}
			saved[i] = a.status == http.StatusOK
			return a.expect(http.StatusOK, http.StatusConflict)
		})
		for i, done := range saved {
			acknowledged[i%3] = acknowledged[i%3] || done
		}
		shown := ada.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["selfAssessment"].(doc)["levels"].([]any)
		require.True(t, acknowledged[int(shown[0].(float64))])
		require.Equal(t, "completed", bob.own(t, id)["status"])
	})
}
