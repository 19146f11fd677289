package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// questionAt and answerAt are the paths of a question about a submission and of its answer.
func questionAt(id string) string { return "/api/submissions/" + id + "/question" }
func answerAt(id string) string   { return "/api/submissions/" + id + "/answer" }

func TestAReviewerAsksOneQuestion(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot"), n.user(t, "Eve")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		id := bob.submit(t, of)
		ask := doc{"text": "Which **edition** do you quote?"}
		cem.post(t, questionAt(id), ask).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		cem.get(t, questionAt(id)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, answerAt(id), ask).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		until := cem.task(t, of)["until"].(string)
		require.Equal(t, doc{"may": doc{"ask": true}}, cem.get(t, questionAt(id)).is(t, http.StatusOK).json(t))
		for _, wrong := range []any{"", " ", 5, nil, repeated("x", 5001)} {
			cem.post(t, questionAt(id), doc{"text": wrong}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		}
		bob.post(t, questionAt(id), ask).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		heard := bob.hears(t)
		defer heard.close()
		require.Equal(t, id, cem.post(t, questionAt(id), ask).is(t, http.StatusCreated).text(t, "insertedId"))
		heard.expect(t, event{kind: string(studycircle.NotificationsChanged)}, event{kind: string(studycircle.OwnSubmission), subject: id})
		cem.post(t, questionAt(id), ask).refused(t, http.StatusConflict, studycircle.CodeAlreadyAsked)
		before, err := time.Parse(time.RFC3339, until)
		require.NoError(t, err)
		after, err := time.Parse(time.RFC3339, cem.task(t, of)["until"].(string))
		require.NoError(t, err)
		require.Equal(t, 24*time.Hour, after.Sub(before))

		told := bob.notice(t, "question")
		require.Nil(t, told["actorName"])
		require.Equal(t, "/attemded-assignments", told["url"])
		require.Equal(t, true, bob.own(t, id)["may"].(doc)["answer"])
		asked := bob.get(t, "/api/submissions/"+id+"/own").json(t)["questions"].([]any)[0].(doc)
		require.Equal(t, "<p>Which <strong>edition</strong> do you quote?</p>\n", asked["html"])

		// Another reviewer sees nothing of it, and has a question of their own.
		require.Equal(t, id, dot.task(t, of)["submissionId"])
		require.Equal(t, doc{"may": doc{"ask": true}}, dot.get(t, questionAt(id)).is(t, http.StatusOK).json(t))
		dot.post(t, questionAt(id), doc{"text": "Why so short?"}).is(t, http.StatusCreated)
		for _, other := range []*client{ada, cem, dot, eve} {
			other.post(t, answerAt(id), ask).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
		}
		cems := cem.hears(t)
		defer cems.close()
		bob.post(t, answerAt(id), doc{"text": "The second.", "questionId": "other"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, answerAt(id), doc{"text": "The second."}).is(t, http.StatusCreated)
		cems.expect(t, event{kind: string(studycircle.NotificationsChanged)}, event{kind: string(studycircle.QuestionAnswered), subject: id})
		bob.post(t, answerAt(id), doc{"text": "The third.", "questionId": asked["_id"]}).refused(t, http.StatusConflict, studycircle.CodeAlreadyAnswered)
		got := cem.get(t, questionAt(id)).is(t, http.StatusOK).json(t)
		require.Equal(t, "The second.", got["question"].(doc)["answer"].(doc)["text"])
		require.Equal(t, doc{"ask": false}, got["may"])
		require.Equal(t, "/pending-assignments", cem.notice(t, "answer")["url"])
		require.Nil(t, dot.notice(t, "answer"))

		// A reviewer who has reviewed meanwhile is told where to correct the review.
		dot.patch(t, "/api/submissions/"+id, doc{"marks": 10}).is(t, http.StatusOK)
		dot.post(t, questionAt(id), ask).refused(t, http.StatusConflict, studycircle.CodeAlreadyReviewed)
		bob.post(t, answerAt(id), doc{"text": "A draft."}).is(t, http.StatusCreated)
		require.Equal(t, "/reviews", dot.notice(t, "answer")["url"])
		require.Equal(t, false, bob.own(t, id)["may"].(doc)["answer"])
		bob.post(t, answerAt(id), ask).refused(t, http.StatusConflict, studycircle.CodeAlreadyAnswered)

		cem.patch(t, "/api/submissions/"+id, doc{"marks": 11}).is(t, http.StatusOK)
		ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
		bob.post(t, answerAt(id), ask).refused(t, http.StatusConflict, studycircle.CodeAlreadySettled)
		eve.post(t, questionAt(id), ask).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		for _, reader := range []*client{ada, bob} {
			texts := map[float64]any{}
			for _, r := range reader.get(t, "/api/submissions/"+id+"/reviews").json(t)["data"].([]any) {
				texts[r.(doc)["mark"].(float64)] = r.(doc)["question"].(doc)["answer"].(doc)["text"]
			}
			require.Equal(t, map[float64]any{11: "The second.", 10: "A draft."}, texts, "each with its review")
		}
	})
}

// A question goes with a submission that is given back or withdrawn; after a lapsed lease, and under an appeal, it can
// still be answered.
func TestQuestionsEndWithTheirLeases(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		ask := func(c *client) {
			t.Helper()
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.post(t, questionAt(id), doc{"text": "Why?"}).is(t, http.StatusCreated)
		}
		ask(cem)
		cem.del(t, "/api/reviews/lease/"+id).is(t, http.StatusOK)
		cem.get(t, questionAt(id)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, false, bob.own(t, id)["may"].(doc)["answer"])
		bob.post(t, answerAt(id), doc{"text": "So."}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		ask(dot)
		n.clock.advance(71 * time.Hour) // a question adds 24 hours to the 48
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		dot.newSession(t)
		require.Equal(t, id, dot.get(t, "/api/reviews/lease").is(t, http.StatusOK).json(t)["submissionId"])
		n.clock.advance(2 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		dot.newSession(t)
		dot.unreserved(t)
		bob.newSession(t)
		bob.post(t, answerAt(id), doc{"text": "So."}).is(t, http.StatusCreated)
		require.Equal(t, "So.", dot.get(t, questionAt(id)).is(t, http.StatusOK).json(t)["question"].(doc)["answer"].(doc)["text"])
		require.NotNil(t, dot.notice(t, "answer"))
		dot.patch(t, "/api/submissions/"+id, doc{"marks": 12}).is(t, http.StatusOK)

		ada.newSession(t)
		ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
		bob.post(t, "/api/submissions/"+id+"/appeal", doc{"reason": "Please."}).is(t, http.StatusCreated)
		eve := n.user(t, "Eve")
		ask(eve)
		require.Equal(t, true, bob.own(t, id)["may"].(doc)["answer"])
		bob.post(t, answerAt(id), doc{"text": "Again."}).is(t, http.StatusCreated)
		require.NotContains(t, string(bob.get(t, "/api/submissions/"+id+"/reviews").body), "Again.", "its review is not released")

		later := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		second := bob.submit(t, later)
		fay := n.user(t, "Fay")
		require.Equal(t, second, fay.task(t, later)["submissionId"])
		fay.post(t, questionAt(second), doc{"text": "Why?"}).is(t, http.StatusCreated)
		bob.del(t, "/api/submissions/"+second+"/own").is(t, http.StatusOK)
		fay.get(t, questionAt(second)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// To its reviewers sample work takes a question as any other; no answer comes.
func TestSampleWorkTakesQuestions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, cem := n.user(t, "Ada"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		sample := ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(12)).is(t, http.StatusCreated).text(t, "insertedId")
		n.user(t, "Bob").submit(t, of)
		require.Equal(t, sample, cem.task(t, of)["submissionId"])
		require.Equal(t, doc{"may": doc{"ask": true}}, cem.get(t, questionAt(sample)).is(t, http.StatusOK).json(t))
		cem.post(t, questionAt(sample), doc{"text": "Why?"}).is(t, http.StatusCreated)
		cem.post(t, questionAt(sample), doc{"text": "Why?"}).refused(t, http.StatusConflict, studycircle.CodeAlreadyAsked)
		for _, c := range []*client{ada, cem} {
			c.post(t, answerAt(sample), doc{"text": "So."}).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
		}
		require.Nil(t, ada.notice(t, "question"))
		cem.patch(t, "/api/submissions/"+sample, doc{"marks": 11}).is(t, http.StatusOK)
	})
}

// 32 clients ask the same question, and 32 answer: one of each counts, and the lease is prolonged once. Others ask,
// answer, give back, review and withdraw at the same moment without an error.
func TestConcurrentQuestions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 5, "marks", 20)
		id := bob.submit(t, of)
		before, err := time.Parse(time.RFC3339, cem.task(t, of)["until"].(string))
		require.NoError(t, err)
		require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: crowd - 1}, atOnce(t, func(i int) (*answer, error) {
			return cem.try(t.Context(), http.MethodPost, questionAt(id), doc{"text": fmt.Sprint("Why ", i, "?")})
		}))
		after, err := time.Parse(time.RFC3339, cem.task(t, of)["until"].(string))
		require.NoError(t, err)
		require.Equal(t, 24*time.Hour, after.Sub(before))
		require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: crowd - 1}, atOnce(t, func(i int) (*answer, error) {
			return bob.try(t.Context(), http.MethodPost, answerAt(id), doc{"text": fmt.Sprint("So ", i, ".")})
		}))

		users := gathered(t, n)
		work := ada.publish(t, "reviewsNeeded", 4, "marks", 20)
		own, leased := make([]string, crowd), make([]string, crowd)
		for i, u := range users {
			own[i] = u.submit(t, work)
		}
		for i, u := range users {
			leased[i] = u.task(t, work)["submissionId"].(string)
		}
		together(t, crowd, func(i int) error {
			u := users[i]
			if _, err := u.do(t.Context(), http.MethodPost, questionAt(leased[i]), doc{"text": "Why?"}, 201, 404); err != nil {
				return err
			}
			if _, err := u.do(t.Context(), http.MethodPost, answerAt(own[i]), doc{"text": "So."}, 201, 404); err != nil {
				return err
			}
			var err error
			switch i % 4 {
			case 0:
				_, err = u.do(t.Context(), http.MethodDelete, "/api/reviews/lease/"+leased[i], nil, 200, 404)
			case 1:
				_, err = u.do(t.Context(), http.MethodDelete, "/api/submissions/"+own[i]+"/own", nil, 200)
			default:
				_, err = u.do(t.Context(), http.MethodPatch, "/api/submissions/"+leased[i], doc{"marks": 9}, 200, 404)
			}
			return err
		})
		for i, u := range users {
			if i%4 != 1 && u.own(t, own[i])["may"].(doc)["answer"] == true {
				u.post(t, answerAt(own[i]), doc{"text": "So."}).is(t, http.StatusCreated)
			}
		}
	})
}
