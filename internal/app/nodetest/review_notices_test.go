package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// passes advances the clock by days and runs what is due.
func (n *node) passes(tb testing.TB, days int, people ...*client) {
	tb.Helper()
	n.clock.advance(time.Duration(days) * 24 * time.Hour)
	require.NoError(tb, n.app.Service.PassTime(tb.Context()))
	for _, c := range people {
		c.newSession(tb)
	}
}

// notice returns c's newest notification of a kind, without the fields that always
// differ.
func (c *client) notice(tb testing.TB, kind string) doc {
	tb.Helper()
	list, _ := c.notifications(tb, "")
	for _, told := range list {
		if told["kind"] == kind {
			delete(told, "_id")
			delete(told, "readAt")
			return told
		}
	}
	return nil
}

// A submitter is asked to review when the assignment is due, and 2 and 4 days later,
// unless they have reviewed enough. After 7 days the creator is notified of unattended
// submissions.
func TestSubmittersAreAskedToReview(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		all := []*client{ada, bob, cem, dot}
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", n.clock.now().Add(10*24*time.Hour).Format(time.RFC3339))
		gives := func(c *client, of string, count int) {
			for range count {
				task := c.task(t, of)
				c.patch(t, "/api/submissions/"+task["submissionId"].(string), doc{"marks": 12}).is(t, http.StatusOK)
			}
		}
		for _, mark := range []int{18, 5} {
			ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(mark)).is(t, http.StatusCreated)
		}
		bob.submit(t, of)
		cem.submit(t, of)
		unattended := dot.submit(t, of)
		gives(dot, of, 4)
		// Bob's reviews of exemplars and for another assignment do not count.
		gives(bob, of, 2)
		other := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", n.clock.now().Add(60*24*time.Hour).Format(time.RFC3339))
		for _, c := range []*client{cem, dot} {
			c.submit(t, other)
		}
		gives(bob, other, 2)
		n.passes(t, 9, all...)
		require.Nil(t, bob.notice(t, "review"), "not due yet")
		for i, days := range []int{2, 2, 2, 0} {
			n.passes(t, days, all...)
			for _, c := range []*client{bob, cem} {
				told := c.notice(t, "review")
				require.EqualValues(t, min(i+1, 3), told["count"])
				require.Equal(t, []any{"Essay on tides", "/pending-assignments", nil}, []any{told["title"], told["url"], told["actorName"]})
			}
			require.NoError(t, n.app.Service.PassTime(t.Context()), "once, however often it is looked at")
			require.EqualValues(t, min(i+1, 3), bob.notice(t, "review")["count"])
		}
		for _, c := range []*client{ada, dot} {
			require.Nil(t, c.notice(t, "review"))
		}
		require.Nil(t, ada.notice(t, "unreviewed"))
		n.passes(t, 3, all...)
		told := ada.notice(t, "unreviewed")
		require.Equal(t, []any{1.0, "Essay on tides", "/assignment/" + of + "#result-" + unattended, nil}, []any{told["count"], told["title"], told["url"], told["actorName"]})
		n.passes(t, 3, all...)
		require.EqualValues(t, 3, bob.notice(t, "review")["count"])
		require.Equal(t, "graded", bob.notice(t, "graded")["kind"])
	})
}

// A settlement notifies the submitter, by the day; an appeal notifies the creator at once
// and again if no reviewer comes; a new settlement notifies the submitter.
func TestSettlementsAreNotified(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		reviewers := n.people(t, "Cem", "Dot", "Eve", "Fay")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		review := func(c *client) {
			t.Helper()
			require.Equal(t, id, c.task(t, of)["submissionId"])
			require.Nil(t, bob.notice(t, "graded"))
			c.patch(t, at, doc{"marks": 12}).is(t, http.StatusOK)
		}
		review(reviewers[0])
		review(reviewers[1])
		day := n.clock.now().UTC().Truncate(24 * time.Hour).Format(time.RFC3339)
		told := func(kind, url string, count int) doc {
			return doc{"kind": kind, "count": float64(count), "title": "Essay on tides", "url": url, "actorName": nil, "createdAt": day}
		}
		require.Equal(t, told("graded", "/submission/"+id+"/mark", 1), bob.notice(t, "graded"))

		bob.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		require.Equal(t, "/assignment/"+of+"#result-"+id, ada.notice(t, "appeal")["url"])
		require.Nil(t, bob.notice(t, "appeal"))
		n.passes(t, 6, append(reviewers, ada, bob)...)
		require.EqualValues(t, 2, ada.notice(t, "appeal")["count"], "once more, without reviewers")
		require.Nil(t, bob.notice(t, "settlement"))
		for _, c := range reviewers[2:] {
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": 14}).is(t, http.StatusOK)
		}
		day = n.clock.now().UTC().Truncate(24 * time.Hour).Format(time.RFC3339)
		require.Equal(t, told("settlement", "/submission/"+id+"/mark", 1), bob.notice(t, "settlement"))
		ada.post(t, at+"/reopen", doc{"reason": "Agreed.", "action": "set-mark", "mark": 17}).is(t, http.StatusOK)
		require.Equal(t, told("settlement", "/submission/"+id+"/mark", 2), bob.notice(t, "settlement"))
		for _, c := range reviewers {
			list, _ := c.notifications(t, "")
			require.Empty(t, list, "reviewers are not notified")
		}
		for _, kind := range []string{"graded", "settlement"} {
			require.Nil(t, ada.notice(t, kind))
		}
	})
}

// No email names a user who must stay anonymous, with every kind of email enabled.
func TestEmailsKeepReviewersAnonymous(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		creator, submitter := n.user(t, "CanaryCreator"), n.user(t, "CanarySubmitter")
		reviewers := n.people(t, "CanaryOne", "CanaryTwo", "CanaryThree", "CanaryFour")
		all := append([]*client{creator, submitter}, reviewers...)
		channels := doc{}
		for kind := range creator.get(t, "/api/settings").json(t)["channels"].(doc) {
			channels[kind] = doc{"app": true, "mail": true}
		}
		for _, c := range all {
			c.confirmed(t).put(t, "/api/settings", with(c.get(t, "/api/settings").json(t), "channels", channels)).is(t, http.StatusOK)
		}
		of := creator.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := submitter.submit(t, of)
		review := func(some []*client) {
			for _, c := range some {
				require.Equal(t, id, c.task(t, of)["submissionId"])
				c.patch(t, "/api/submissions/"+id, doc{"marks": 12}).is(t, http.StatusOK)
			}
		}
		review(reviewers[:2])
		submitter.post(t, "/api/submissions/"+id+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		review(reviewers[2:])
		n.clock.advance(time.Hour)
		n.looks(t)
		n.getsLetters(t, submitter.email, 2)
		n.getsLetters(t, creator.email, 2)
		n.mails.mu.Lock()
		defer n.mails.mu.Unlock()
		for _, m := range n.mails.mails {
			text := strings.ReplaceAll(m.text, "=\r\n", "") + fmt.Sprint(m.header)
			for _, hidden := range append([]*client{submitter}, reviewers...) {
				if m.to == hidden.email || (hidden == submitter && m.to == creator.email) {
					continue
				}
				require.NotContains(t, text, hidden.name, "an email to %s", m.to)
				require.NotContains(t, text, hidden.email, "an email to %s", m.to)
			}
		}
	})
}
