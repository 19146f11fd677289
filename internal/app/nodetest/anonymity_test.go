package nodetest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/webtest"
)

// marksOf returns what identifies a user: address, name, photo and id.
func marksOf(t *testing.T, c *client) []string {
	t.Helper()
	account, err := c.n.app.Store.AccountByEmail(t.Context(), c.email)
	require.NoError(t, err)
	return []string{c.email, c.name, c.name + ".png", account.ID}
}

// In every state of a submission with several reviews and for every kind of viewer, no answer of the API reveals the
// submitter to a viewer other than the creator, or a reviewer to any viewer. Nor does an id reveal its time. So it is
// with each version of the grade model and without one.
func TestReviewersAndSubmittersStayAnonymous(t *testing.T) {
	for model, markBy := range map[string]string{grademodel.SC1K: "model", grademodel.SC1: "model", grademodel.Median: "median"} {
		t.Run(model, func(t *testing.T) { allStayAnonymous(t, model, markBy) })
	}
}

func allStayAnonymous(t *testing.T, model, markBy string) {
	t.Helper()
	onBothEngines(t, func(t *testing.T, n *node) {
		creator, submitter := n.user(t, "CanaryCreator"), n.user(t, "CanarySubmitter")
		reviewers := n.people(t, "CanaryOne", "CanaryTwo", "CanaryThree", "CanaryFour")
		other := n.user(t, "Other")
		all := append([]*client{creator, submitter, other}, reviewers...)
		for _, c := range all {
			c.patch(t, "/api/auth/profile", doc{"displayName": c.name, "photoURL": "https://example.org/" + c.name + ".png"}).is(t, http.StatusOK)
		}
		secret := map[*client][]string{}
		for _, c := range all {
			secret[c] = marksOf(t, c)
		}
		of := creator.publish(t, "reviewsNeeded", 2, "marks", 20, "markBy", markBy)
		if model == grademodel.SC1 {
			n.beforeSC1K(t, of)
		}
		id := submitter.submit(t, of)
		at := "/api/submissions/" + id
		calendars := map[*client]string{}
		for _, c := range all {
			if c != creator {
				c.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			}
			calendars[c] = strings.TrimPrefix(c.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url"), n.public)
		}
		seen := 0
		walk := func(state string) {
			t.Helper()
			for _, viewer := range append([]*client{n.visitor()}, all...) {
				for _, path := range []string{
					"/api/assignments", "/api/assignment/" + of, "/api/submissions?status=pending", "/api/submissions", "/api/submissions?status=completed",
					"/api/reviews", at + "/reviews", at + "/mark", at + "/receipt", at + "/work", at + "/link", "/api/openapi.json", "/.well-known/studycircle-keys",
					"/api/notifications", "/api/dashboard", "/api/today", "/api/progress?assignments=" + of, "/api/assignment/" + of + "/submissions",
					"/api/assignment/" + of + "/exemplars", "/api/settings", calendars[viewer],
					at + "/own", at + "/question", at + "/corrections", "/api/reviews/lease", "/api/rubrics", "/api/phrases", "/api/assignment/" + of + "/submissions/" + id, "/api/assignment/" + of + "/results", "/api/assignment/" + of + "/looks", "/api/assignment/" + of + "/submissions?sort=name",
					"/api/assignment/" + of + "/owes", "/api/assignment/" + of + "/results.csv", "/api/assignment/" + of + "/results.csv?codes=true",
					"/api/assignment/" + of + "/reviews.csv", "/api/assignment/" + of + "/reviews.csv?codes=true&bom=true",
				} {
					if path == "" { // a visitor has no calendar
						continue
					}
					a := viewer.get(t, path)
					text := string(a.body) + fmt.Sprint(a.header)
					seen++
					for _, hidden := range append([]*client{submitter}, reviewers...) {
						if viewer == hidden || (viewer == creator && hidden == submitter && !strings.Contains(path, "codes=true")) {
							continue
						}
						for _, canary := range secret[hidden] {
							require.NotContains(t, text, canary, "%s: %q asks for %s", state, viewer.name, path)
						}
					}
				}
			}
		}
		review := func(c *client, mark int, corrects bool) {
			t.Helper()
			task := c.task(t, of)
			for _, canary := range secret[submitter] {
				require.NotContains(t, fmt.Sprint(task), canary)
			}
			walk("reserved")
			c.post(t, at+"/question", doc{"text": fmt.Sprint("Question before ", mark)}).is(t, http.StatusCreated)
			walk("asked")
			submitter.post(t, at+"/answer", doc{"text": fmt.Sprint("Answer before ", mark)}).is(t, http.StatusCreated)
			walk("answered")
			c.patch(t, at, doc{"marks": mark, "feedback": "Clear."}).is(t, http.StatusOK)
			if corrects {
				walk("to be corrected")
				c.put(t, "/api/reviews/"+c.given(t)["_id"].(string), doc{"marks": mark, "feedback": "Clearer."}).is(t, http.StatusOK)
				walk("corrected")
			}
		}
		walk("open")
		sample := creator.post(t, "/api/assignment/"+of+"/exemplars", exemplar(12)).is(t, http.StatusCreated).text(t, "insertedId")
		for _, c := range reviewers {
			require.Equal(t, sample, c.task(t, of)["submissionId"])
			c.patch(t, "/api/submissions/"+sample, doc{"marks": 11}).is(t, http.StatusOK)
		}
		walk("exemplars reviewed")
		review(reviewers[0], 15, true)
		walk("one review")
		review(reviewers[1], 14, false)
		require.Equal(t, model, submitter.get(t, at+"/mark").json(t)["model"])
		walk("settled")
		submitter.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		walk("under appeal")
		review(reviewers[2], 14, true)
		review(reviewers[3], 16, false)
		walk("settled again")
		creator.post(t, at+"/reopen", doc{"reason": "Agreed.", "action": "set-mark", "mark": 17}).is(t, http.StatusOK)
		walk("set by the creator")
		creator.put(t, at+"/known", doc{"mark": 16, "reason": "I have read it."}).is(t, http.StatusOK)
		walk("known work")
		reviewers[0].del(t, "/api/auth/account").is(t, http.StatusNoContent)
		all = append([]*client{creator, submitter, other}, reviewers[1:]...)
		walk("a reviewer has left")
		require.Greater(t, seen, 700)
		require.False(t, strings.HasPrefix(id, other.publish(t)[:4]), "a submission's id begins with the time")
	})
}

// The data in pages name no submitter of work under review either.
func TestPagesNameNoSubmitterUnderReview(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.web = webtest.Built(firstHTML(t)...)
		n := w.start(t)
		creator, submitter, other := n.user(t, "Ada"), n.user(t, "CanarySubmitter"), n.user(t, "Other")
		of := creator.publish(t, "reviewsNeeded", 2)
		submitter.submit(t, of)
		cookie := header{"Cookie", "session=" + other.newSession(t)}
		for _, path := range []string{"/pending-assignments", "/assignments", "/assignment/" + of, "/attemded-assignments", "/dashboard"} {
			a := other.call(t, http.MethodGet, path, nil, cookie).is(t, http.StatusOK)
			for _, canary := range marksOf(t, submitter) {
				require.NotContains(t, string(a.body), canary, path)
			}
		}
	})
}

// An unattended submission is listed without a name.
func TestUnattendedSubmissionsStayAnonymous(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of, submitter, other := n.user(t, "Ada").publish(t, "reviewsNeeded", 2), n.user(t, "CanarySubmitter"), n.user(t, "Other")
		submitter.submit(t, of)
		n.clock.advance(20 * 24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		other.newSession(t)
		a := other.get(t, "/api/submissions?status=pending")
		require.Len(t, a.array(t), 1)
		for _, canary := range marksOf(t, submitter) {
			require.NotContains(t, string(a.body), canary)
		}
	})
}

// timed matches an instant, which is more than a day.
var timed = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d`)

// A question, an answer and a correction come to those alone whom they are for, and no answer says when they came: order
// and times reveal no reviewer.
func TestQuestionsAndCorrectionsRevealNoTime(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot"), n.user(t, "Eve")
		fay := n.user(t, "Fay")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		id := bob.submit(t, of)
		cem.task(t, of)
		dot.task(t, of)
		streams := map[*client]*stream{}
		for _, c := range []*client{ada, bob, cem, dot, eve} {
			streams[c] = c.hears(t)
			t.Cleanup(streams[c].close)
		}
		// only runs act, and requires that of these users alone those named hear of it.
		only := func(act func(), told map[*client][]event) {
			t.Helper()
			act()
			last := fay.publish(t)
			for c, heard := range streams {
				for _, e := range told[c] {
					heard.expect(t, e)
				}
				heard.expect(t, event{kind: string(studycircle.AssignmentCreated), subject: last})
			}
		}
		mine := event{kind: string(studycircle.OwnSubmission), subject: id}
		note := event{kind: string(studycircle.NotificationsChanged)}
		only(func() { cem.post(t, questionAt(id), doc{"text": "Why?"}).is(t, http.StatusCreated) }, map[*client][]event{bob: {note, mine}})
		own := string(bob.get(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK).body)
		_, asked, found := strings.Cut(own, `"questions"`)
		require.True(t, found)
		require.NotRegexp(t, timed, asked)
		only(func() { bob.post(t, answerAt(id), doc{"text": "So."}).is(t, http.StatusCreated) }, map[*client][]event{cem: {note, {kind: string(studycircle.QuestionAnswered), subject: id}}})
		cem.patch(t, "/api/submissions/"+id, doc{"marks": 11}).is(t, http.StatusOK)
		review := "/api/reviews/" + cem.given(t)["_id"].(string)
		before := bob.own(t, id)
		only(func() { cem.put(t, review, doc{"marks": 12}).is(t, http.StatusOK) }, nil)
		require.Equal(t, before, bob.own(t, id))
		require.NotRegexp(t, timed, string(cem.get(t, review).is(t, http.StatusOK).body))
		ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
		for _, path := range []string{"/reviews", "/corrections"} {
			require.NotRegexp(t, timed, string(ada.get(t, "/api/submissions/"+id+path).is(t, http.StatusOK).body))
		}
	})
}
