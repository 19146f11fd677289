package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// blindClass is an assignment with a rubric, one submission and its two reviewers; all
// names but the creator's are canaries.
type blindClass struct {
	ada, bob, cem, dot *client
	of, id, at         string
}

func blind(t *testing.T, n *node) blindClass {
	t.Helper()
	users := n.people(t, "Ada", "CanarySubmitter", "CanaryOne", "CanaryTwo")
	c := blindClass{ada: users[0], bob: users[1], cem: users[2], dot: users[3]}
	level := func(label string, marks int) doc { return doc{"label": label, "marks": marks} }
	c.of = c.ada.publish(t, "marks", 20, "reviewsNeeded", 2, "rubric", doc{"criteria": []any{
		doc{"title": "Argument", "levels": []any{level("None", 0), level("Strong", 12)}},
		doc{"title": "Language", "levels": []any{level("Poor", 0), level("Good", 8)}},
	}})
	c.id = c.bob.post(t, "/api/submissions", with(submission(c.of), "docsLink", "https://docs.example/blind", "note", "Mind page two")).id(t)
	c.at = "/api/submissions/" + c.id
	return c
}

// review has a member of the class review its submission.
func (c blindClass) review(t *testing.T, by *client, levels []int, feedback string) {
	t.Helper()
	by.task(t, c.of)
	by.patch(t, c.at, doc{"levels": levels, "feedback": feedback}).is(t, http.StatusOK)
}

// received returns the review with this feedback, as the submitter sees it.
func (c blindClass) received(t *testing.T, feedback string) doc {
	t.Helper()
	for _, r := range c.bob.get(t, c.at+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any) {
		if r.(doc)["feedback"] == feedback {
			return r.(doc)
		}
	}
	require.Fail(t, "no review says "+feedback)
	return nil
}

// unseen requires that a moderator sees nothing of reviewers or submitters in reports,
// notifications and their own data, and that the log of decisions has neither names nor
// ids of them.
func (c blindClass) unseen(t *testing.T, n *node, mo *client, secret []string) {
	t.Helper()
	var all strings.Builder
	for _, path := range []string{"/api/reports", "/api/moderation", "/api/notifications", "/api/auth/export"} {
		a := mo.get(t, path).is(t, http.StatusOK)
		all.WriteString(string(a.body) + fmt.Sprint(a.header))
	}
	require.NoError(t, n.app.Store.EachModeration(t.Context(), func(m studycircle.Moderation) error {
		fmt.Fprintf(&all, "%+v\n", m)
		return nil
	}))
	for _, s := range secret {
		require.NotContains(t, all.String(), s)
	}
}

func (n *node) decisions(t *testing.T) (log []string) {
	t.Helper()
	require.NoError(t, n.app.Store.EachModeration(t.Context(), func(m studycircle.Moderation) error {
		log = append(log, fmt.Sprint(m.Action, " ", m.Subject.Kind, " ", m.Subject.ID, " ", m.Reason))
		return nil
	}))
	return log
}

func TestReportsOfReviews(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		secret := slices.Concat(marksOf(t, c.bob), marksOf(t, c.cem), marksOf(t, c.dot), []string{c.id})
		c.review(t, c.cem, []int{1, 1}, "A fine essay")
		c.review(t, c.dot, []int{1, 1}, "You are **stupid**")
		rude := c.received(t, "You are **stupid**")
		id := rude["_id"].(string)
		at := "/api/reviews/" + id + "/report"

		n.visitor().post(t, at, doc{"reason": "Rude"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, reason := range []string{"", " ", strings.Repeat("x", 501)} {
			c.bob.post(t, at, doc{"reason": reason}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		}
		for _, other := range []*client{c.ada, c.cem, c.dot, mo} {
			other.post(t, at, doc{"reason": "Rude"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		for _, nothing := range []string{"nothing", c.id, "%00"} {
			c.bob.post(t, "/api/reviews/"+nothing+"/report", doc{"reason": "Rude"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		report := c.bob.post(t, at, doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		timed := studycircle.NewID(n.clock.now())
		require.NotEqual(t, timed[:5], report[:5], "its id does not tell when") // these change every two hours
		require.Equal(t, report, c.bob.post(t, at, doc{"reason": "Very rude"}).is(t, http.StatusOK).text(t, "insertedId"))

		require.Equal(t, doc{
			"_id": report, "kind": "review", "assignmentId": c.of, "assignmentTitle": "Essay on tides", "reason": "Rude",
			"text": "You are **stupid**", "html": "<p>You are <strong>stupid</strong></p>\n",
			"levels":    []any{doc{"criterion": "Argument", "level": "Strong"}, doc{"criterion": "Language", "level": "Good"}},
			"createdAt": studycircle.StartOfDay(studycircle.Day(n.clock.now())).Format(time.RFC3339),
			"count":     1.0, "mayDecide": true, "maySuspend": true,
		}, mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)["data"].([]any)[0])
		list, _ := mo.notifications(t, "")
		require.Equal(t, []any{"report", "/moderation", nil}, []any{list[0]["kind"], list[0]["url"], list[0]["actorName"]})
		c.unseen(t, n, mo, append(secret, id))

		own := func(of *client) string {
			return string(of.get(t, c.at+"/reviews").body) + string(of.get(t, "/api/submissions").body) + string(of.get(t, "/api/assignment/"+c.of+"/submissions").body)
		}
		mark := c.bob.own(t, c.id)["givenMark"]
		adas, bobs := c.ada.hears(t), c.bob.hears(t)
		told := func() {
			t.Helper()
			bobs.expect(t, event{kind: string(studycircle.OwnSubmission), subject: c.id})
			adas.expect(t, event{kind: string(studycircle.AssignmentResults), subject: c.of})
		}
		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK).json(t))
		told()
		require.Equal(t, with(rude, "feedback", studycircle.HiddenTitle, "format", "plain", "html", absent{}), c.received(t, studycircle.HiddenTitle), "mark, levels and letter stay")
		require.Equal(t, mark, c.bob.own(t, c.id)["givenMark"])
		n.holdsNoWords(t)
		hidden := rude["label"].(string) + ": " + studycircle.HiddenTitle
		for _, reader := range []*client{c.bob, c.ada} {
			require.NotContains(t, own(reader), "stupid")
			require.Contains(t, own(reader), hidden)
		}
		// A later settlement does not bring it back.
		c.ada.post(t, c.at+"/reopen", doc{"reason": "Look again.", "action": "set-mark", "mark": 17}).is(t, http.StatusOK)
		require.NotContains(t, own(c.bob), "stupid")
		require.Contains(t, own(c.bob), hidden)

		adas, bobs = c.ada.hears(t), c.bob.hears(t)
		n.restoreReview(t, id, report)
		told()
		require.Contains(t, own(c.bob), rude["label"].(string)+": You are **stupid**")
		c.received(t, "You are **stupid**")
		require.Equal(t, []string{"hide review " + report + " Rude", "restore review " + report + " Rude"}, n.decisions(t))
		c.unseen(t, n, mo, append(secret, id))
	})
}

// restoreReview restores a review's feedback, as the shell does.
func (n *node) restoreReview(t *testing.T, id, reportID string) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		changed, err := tx.Moderate(ctx, studycircle.Moderation{
			Moderator: studycircle.ByShell, Action: studycircle.Restore, Subject: studycircle.Subject{Kind: studycircle.OfReview, ID: id},
			ReportID: reportID, Reason: "Rude", At: n.clock.now().UTC(),
		})
		require.True(t, changed)
		return err
	}))
}

// The author of a review is suspended, and the moderator does not learn who that is.
func TestReviewersAreSuspendedAnonymously(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		secret := slices.Concat(marksOf(t, c.bob), marksOf(t, c.cem), marksOf(t, c.dot), []string{c.id})
		c.review(t, c.cem, []int{1, 1}, "A fine essay")
		c.review(t, c.dot, []int{1, 1}, "You are stupid")
		id := c.received(t, "You are stupid")["_id"].(string)
		gone := c.received(t, "A fine essay")["_id"].(string)
		report := c.bob.post(t, "/api/reviews/"+id+"/report", doc{"reason": "Rude"}).id(t)
		answer := mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK)
		require.Equal(t, doc{"modifiedCount": 1.0}, answer.json(t))
		c.dot.endsWithinFiveSeconds(t)
		n.visitor().post(t, "/api/auth/login", doc{"email": c.dot.email, "password": password}).refused(t, http.StatusForbidden, studycircle.CodeUserDisabled)
		c.cem.get(t, "/api/reviews").is(t, http.StatusOK)
		c.received(t, studycircle.HiddenTitle)
		require.Equal(t, []string{"suspend review " + report + " Rude"}, n.decisions(t))
		c.unseen(t, n, mo, append(secret, id))

		// A deleted reviewer has left a pseudonym, and there is no account to suspend.
		c.cem.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		report = c.bob.post(t, "/api/reviews/"+gone+"/report", doc{"reason": "Not fine"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK)
		require.Empty(t, mo.get(t, "/api/reports").json(t)["data"])
		c.unseen(t, n, mo, append(secret, id, gone))
	})
}

func TestReportsOfSubmissions(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		secret := slices.Concat(marksOf(t, c.bob), marksOf(t, c.cem), marksOf(t, c.dot), []string{c.id})
		at := c.at + "/report"
		c.cem.post(t, at, doc{"reason": "Copied"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		c.cem.task(t, c.of)
		n.visitor().post(t, at, doc{"reason": "Copied"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, other := range []*client{c.ada, c.bob, c.dot, mo} {
			other.post(t, at, doc{"reason": "Copied"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		c.cem.post(t, at, doc{"reason": " "}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		report := c.cem.post(t, at, doc{"reason": "Copied"}).is(t, http.StatusCreated).id(t)
		require.Equal(t, report, c.cem.post(t, at, doc{"reason": "All copied"}).is(t, http.StatusOK).text(t, "insertedId"))
		require.Equal(t, doc{
			"_id": report, "kind": "submission", "assignmentId": c.of, "assignmentTitle": "Essay on tides", "reason": "Copied",
			"docsLink": "https://docs.example/blind", "note": "Mind page two",
			"createdAt": studycircle.StartOfDay(studycircle.Day(n.clock.now())).Format(time.RFC3339),
			"count":     1.0, "mayDecide": true, "maySuspend": true,
		}, mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)["data"].([]any)[0])
		c.unseen(t, n, mo, secret)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.action")
		require.Len(t, mo.get(t, "/api/reports").json(t)["data"], 1)
		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK).json(t))
		c.bob.endsWithinFiveSeconds(t)
		require.Equal(t, []string{"suspend submission " + report + " Copied"}, n.decisions(t))
		require.Equal(t, c.id, c.cem.task(t, c.of)["submissionId"], "it is still theirs to review")
		c.unseen(t, n, mo, secret)

		// An expired lease does not count.
		n.clock.advance(studycircle.LeaseTime + time.Second)
		c.cem.newSession(t)
		c.cem.post(t, at, doc{"reason": "Copied"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// An exemplar is reported like any other work: nothing reveals that it is one.
func TestReportsOfExemplars(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		sample := c.ada.post(t, "/api/assignment/"+c.of+"/exemplars", exemplar(12)).is(t, http.StatusCreated).text(t, "insertedId")
		require.Equal(t, sample, c.cem.task(t, c.of)["submissionId"])
		report := c.cem.post(t, "/api/submissions/"+sample+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated).id(t)
		shown := mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, []any{"submission", c.of, exemplar(12)["docsLink"]}, []any{shown["kind"], shown["assignmentId"], shown["docsLink"]})
		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK)
		c.ada.endsWithinFiveSeconds(t)
	})
}

// After a withdrawal only the report is left, and can be dismissed.
func TestReportsOfRemovedContent(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		c.cem.task(t, c.of)
		report := c.cem.post(t, c.at+"/report", doc{"reason": "Copied"}).id(t)
		c.bob.del(t, c.at+"/own").is(t, http.StatusOK)
		shown := mo.get(t, "/api/reports").json(t)["data"].([]any)[0].(doc)
		require.ElementsMatch(t, []string{"_id", "kind", "reason", "createdAt", "count", "mayDecide", "maySuspend", "gone"}, fields(shown))
		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK)
		require.Empty(t, mo.get(t, "/api/reports").json(t)["data"])
		c.bob.get(t, "/api/submissions").is(t, http.StatusOK)
	})
}

// 32 clients concurrently report what they have leased, each once however often they ask,
// and moderators decide, while others review and one mark is settled again.
func TestConcurrentReportsOfReviews(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		users := gathered(t, n)
		ada := n.user(t, "Ada")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		own, held := make([]string, crowd), make([]string, crowd)
		for i, u := range users {
			own[i] = u.submit(t, of)
		}
		for i, u := range users {
			held[i] = u.task(t, of)["submissionId"].(string)
		}
		var isNew atomic.Int64
		report := func(c *client, at string) error {
			a, err := c.persist(t.Context(), http.MethodPost, at, doc{"reason": "Copied"})
			if err != nil {
				return err
			}
			if a.status == http.StatusCreated {
				isNew.Add(1)
			}
			return a.expect(http.StatusCreated, http.StatusOK)
		}
		together(t, 2*crowd, func(i int) error { return report(users[i/2], "/api/submissions/"+held[i/2]+"/report") })
		require.EqualValues(t, crowd, isNew.Load())
		together(t, crowd, func(i int) error {
			a, err := users[i].persist(t.Context(), http.MethodPatch, "/api/submissions/"+held[i], doc{"marks": 10, "feedback": "Rude words"})
			if err != nil {
				return err
			}
			return a.expect(http.StatusOK)
		})
		// A client that was left with only its own took another's: that one has its mark.
		once := slices.IndexFunc(own, func(id string) bool { return strings.Count(strings.Join(held, " "), id) == 1 })
		submitter, id := users[once], own[once]
		ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
		review := submitter.get(t, "/api/submissions/"+id+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["_id"].(string)
		isNew.Store(0)
		together(t, crowd, func(int) error { return report(submitter, "/api/reviews/"+review+"/report") })
		require.EqualValues(t, 1, isNew.Load())
		open := mo.get(t, "/api/reports?limit=100").json(t)["data"].([]any)
		lines := map[string]bool{} // two clients may have leased, and reported, the same submission
		for _, id := range held {
			lines[id] = true
		}
		require.Len(t, open, len(lines)+1)
		of1 := open[len(lines)].(doc)["_id"].(string)
		together(t, crowd, func(i int) error {
			if i == 0 {
				_, err := ada.do(t.Context(), http.MethodPost, "/api/submissions/"+id+"/reopen", doc{"reason": "Agreed.", "action": "set-mark", "mark": 12}, 200)
				return err
			}
			action := []string{"hide", "suspend"}[i%2]
			_, err := mo.do(t.Context(), http.MethodPost, "/api/reports/"+of1, doc{"action": action}, 200)
			return err
		})
		require.InDelta(t, len(lines), mo.get(t, "/api/reports").json(t)["pagination"].(doc)["total"], 0)
		n.clock.advance(6 * time.Second)
		settled := submitter.own(t, id)
		require.NotContains(t, settled["feedback"], "Rude")
		require.InDelta(t, 12, settled["givenMark"], 0)
	})
}
