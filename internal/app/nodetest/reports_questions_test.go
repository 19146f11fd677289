package nodetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// asks lets a reviewer ask about the class's submission, and its submitter answer.
func (c blindClass) asks(t *testing.T, by *client, question, answer string) {
	t.Helper()
	by.task(t, c.of)
	by.post(t, questionAt(c.id), doc{"text": question}).is(t, http.StatusCreated)
	c.bob.post(t, answerAt(c.id), doc{"text": answer}).is(t, http.StatusCreated)
}

// asked returns a reviewer's question about the class's submission, as the reviewer reads it.
func (c blindClass) asked(t *testing.T, by *client) doc {
	t.Helper()
	return by.get(t, questionAt(c.id)).is(t, http.StatusOK).json(t)["question"].(doc)
}

// A report of a submission shows the answers to its reviewers, and hiding the submission hides them alone. Their readers
// report, also once they have reviewed.
func TestReportsOfAnswers(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		secret := slices.Concat(marksOf(t, c.bob), marksOf(t, c.cem), marksOf(t, c.dot), []string{c.id})
		c.asks(t, c.cem, "Which edition?", "You are an **idiot**")
		c.review(t, c.cem, []int{1, 1}, "Clear")
		for _, other := range []*client{c.ada, c.bob, c.dot, mo} {
			other.post(t, c.at+"/report", doc{"reason": "Rude"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		report := c.cem.post(t, c.at+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		shown := mo.reported(t, "")[0]
		require.Equal(t, []any{doc{"text": "You are an **idiot**", "html": "<p>You are an <strong>idiot</strong></p>\n"}}, shown["answers"])
		require.NotContains(t, shown, "question", "what others wrote is not reported")
		c.unseen(t, n, mo, secret)

		c.dot.task(t, c.of)
		c.dot.post(t, questionAt(c.id), doc{"text": "Why so short?"}).is(t, http.StatusCreated)
		cems, bobs, adas := c.cem.hears(t), c.bob.hears(t), c.ada.hears(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 0)
		cems.expect(t, event{kind: string(studycircle.QuestionAnswered), subject: c.id})
		bobs.expect(t, event{kind: string(studycircle.OwnSubmission), subject: c.id})
		adas.expect(t, event{kind: string(studycircle.AssignmentResults), subject: c.of})
		require.Equal(t, doc{"text": studycircle.HiddenTitle}, c.asked(t, c.cem)["answer"])
		n.holdsNoWords(t)
		require.Contains(t, string(c.bob.get(t, c.at+"/own").body), "idiot", "its author reads it")
		require.Contains(t, string(c.bob.get(t, "/api/auth/export").body), "idiot")
		require.NotContains(t, string(c.cem.get(t, "/api/auth/export").body), "idiot")
		require.Equal(t, "/attemded-assignments", c.bob.told(t, studycircle.NotifyHidden)[0]["url"])
		require.Len(t, c.cem.told(t, studycircle.NotifyDecided), 1)
		require.Equal(t, []string{"hide submission"}, mo.decided(t, ""))
		c.unseen(t, n, mo, secret)

		c.bob.post(t, answerAt(c.id), doc{"text": "It says all."}).is(t, http.StatusCreated)
		require.Equal(t, "It says all.", c.asked(t, c.dot)["answer"].(doc)["text"], "what comes later is not hidden")
		c.review(t, c.dot, []int{1, 1}, "Fine")
		require.NotContains(t, string(c.ada.get(t, c.at+"/reviews").is(t, http.StatusOK).body), "idiot")
		require.Contains(t, string(c.bob.get(t, c.at+"/reviews").is(t, http.StatusOK).body), "idiot")
		mo.post(t, "/api/moderation/restore", doc{"kind": "submission", "id": report}).modified(t, 1)
		require.Equal(t, "You are an **idiot**", c.asked(t, c.cem)["answer"].(doc)["text"])
		require.Equal(t, "It says all.", c.asked(t, c.dot)["answer"].(doc)["text"])
		require.Contains(t, string(c.ada.get(t, c.at+"/reviews").body), "<strong>idiot</strong>")
		require.NotEmpty(t, c.bob.told(t, studycircle.NotifyRestored))
		require.Equal(t, []string{"restore submission", "hide submission"}, mo.decided(t, ""))
	})
}

// A report of a review shows its reviewer's question, and hiding the review hides it.
func TestReportsOfQuestions(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		secret := slices.Concat(marksOf(t, c.bob), marksOf(t, c.cem), marksOf(t, c.dot), []string{c.id})
		c.asks(t, c.cem, "Are you a **fool**?", "I am not.")
		c.asks(t, c.dot, "Which edition?", "The second.")
		c.review(t, c.cem, []int{1, 1}, "Rude words")
		c.review(t, c.dot, []int{1, 1}, "Fine")
		rude := c.received(t, "Rude words")
		report := c.bob.post(t, "/api/reviews/"+rude["_id"].(string)+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		shown := mo.reported(t, "")[0]
		require.Equal(t, doc{"text": "Are you a **fool**?", "html": "<p>Are you a <strong>fool</strong>?</p>\n"}, shown["question"])
		require.NotContains(t, fmt.Sprint(shown), "I am not.")
		c.unseen(t, n, mo, secret)

		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		hidden := c.received(t, studycircle.HiddenTitle)["question"].(doc)
		require.Equal(t, doc{"text": studycircle.HiddenTitle, "answer": rude["question"].(doc)["answer"]}, hidden)
		for _, reader := range []*client{c.ada, c.bob} {
			body := string(reader.get(t, c.at+"/reviews").is(t, http.StatusOK).body)
			require.NotContains(t, body, "fool")
			require.Contains(t, body, "Which edition?", "of the other reviewer")
		}
		require.Equal(t, "<p>Are you a <strong>fool</strong>?</p>\n", c.asked(t, c.cem)["html"], "its author reads it")
		require.Contains(t, string(c.cem.get(t, "/api/auth/export").body), "fool")
		n.restoreReview(t, rude["_id"].(string), report)
		require.Equal(t, rude, c.received(t, "Rude words"))

		// Suspending the author hides it as well.
		again := c.received(t, "Fine")["_id"].(string)
		report = c.bob.post(t, "/api/reviews/"+again+"/report", doc{"reason": "Rude, too"}).is(t, http.StatusCreated).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).modified(t, 1)
		require.NotContains(t, string(c.ada.get(t, c.at+"/reviews").body), "Which edition?")
	})
}

// The answers of a suspended submitter are hidden; the work stays with its reviewers.
func TestSuspendedSubmittersAnswersAreHidden(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		c.asks(t, c.cem, "Which edition?", "You are an idiot")
		report := c.cem.post(t, c.at+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).modified(t, 1)
		require.Equal(t, doc{"text": studycircle.HiddenTitle}, c.asked(t, c.cem)["answer"])
		require.Equal(t, c.id, c.cem.task(t, c.of)["submissionId"])
		decision := mo.get(t, "/api/moderation").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, []any{"suspend", "submission", true}, []any{decision["action"], decision["kind"], decision["restorable"]})
		mo.post(t, "/api/moderation/restore", doc{"kind": "submission", "id": report}).modified(t, 1)
		require.Equal(t, "You are an idiot", c.asked(t, c.cem)["answer"].(doc)["text"])
	})
}

// Organizers hide answers and questions in their circle without learning whose they are.
func TestOrganizersHideAnswersAndQuestions(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, people := n.user(t, "Ada"), n.people(t, "CanarySubmitter", "CanaryOne", "CanaryTwo")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", people...)
		bob, cem, dot := people[0], people[1], people[2]
		c := blindClass{ada: ada, bob: bob, cem: cem, dot: dot, of: ada.publish(t, "circleId", circle, "reviewsNeeded", 2, "marks", 20)}
		c.id = bob.submit(t, c.of)
		c.at = "/api/submissions/" + c.id
		c.asks(t, cem, "Are you a fool?", "You are an idiot")
		work := cem.post(t, c.at+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		for _, reviewer := range []*client{cem, dot} {
			reviewer.task(t, c.of)
			reviewer.patch(t, c.at, doc{"marks": 12, "feedback": "By " + strings.TrimPrefix(reviewer.name, "Canary")}).is(t, http.StatusOK)
		}
		review := bob.post(t, "/api/reviews/"+c.received(t, "By One")["_id"].(string)+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		found := ada.reported(t, circle)
		require.Len(t, found, 2)
		require.Equal(t, "You are an idiot", found[0]["answers"].([]any)[0].(doc)["text"])
		require.Equal(t, "Are you a fool?", found[1]["question"].(doc)["text"])
		require.NotContains(t, fmt.Sprint(found), "Canary")
		require.Empty(t, mo.reported(t, ""))
		for _, report := range []string{work, review} {
			ada.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		}
		body := string(ada.get(t, c.at+"/reviews").is(t, http.StatusOK).body)
		require.NotContains(t, body, "idiot")
		require.NotContains(t, body, "fool")
		ada.post(t, "/api/moderation/restore", doc{"kind": "submission", "id": work}).modified(t, 1)
		require.Contains(t, string(ada.get(t, c.at+"/reviews").body), "idiot")
	})
}

// A submitter answers five reviewers while the answers are hidden and shown at the same moment: no acknowledged answer
// is lost, and none is hidden in the end.
func TestConcurrentHidingOfAnswers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, reviewers := n.user(t, "Ada"), n.user(t, "Bob"), n.people(t, "Cem", "Dot", "Eve", "Fay", "Gus")
		of := ada.publish(t, "reviewsNeeded", 5, "marks", 20)
		id := bob.submit(t, of)
		for _, r := range reviewers {
			r.task(t, of)
			r.post(t, questionAt(id), doc{"text": "Why?"}).is(t, http.StatusCreated)
		}
		var given [crowd]bool
		together(t, crowd, func(i int) error {
			if i%2 == 0 {
				a, err := bob.persist(t.Context(), http.MethodPost, answerAt(id), doc{"text": fmt.Sprint("Answer ", i)})
				if err != nil {
					return err
				}
				given[i] = a.status == http.StatusCreated
				return a.expect(http.StatusCreated, http.StatusConflict)
			}
			action := []studycircle.ModerationAction{studycircle.Hide, studycircle.Restore}[i/2%2]
			_, err := n.decides(t, action, studycircle.OfSubmission, id)
			if studycircle.CodeOf(err) == studycircle.CodeInvalid { // there is no answer yet
				return nil
			}
			return err
		})
		_, err := n.decides(t, studycircle.Restore, studycircle.OfSubmission, id)
		require.NoError(t, err)
		var want, got []string
		for i, done := range given {
			if done {
				want = append(want, fmt.Sprint("Answer ", i))
			}
		}
		for _, r := range reviewers {
			if answer, answered := r.get(t, questionAt(id)).json(t)["question"].(doc)["answer"].(doc); answered {
				got = append(got, answer["text"].(string))
			}
		}
		require.Len(t, want, len(reviewers))
		require.ElementsMatch(t, want, got)
	})
}
