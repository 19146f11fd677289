package nodetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// people adds users with these names.
func (n *node) people(tb testing.TB, names ...string) []*client {
	tb.Helper()
	out := make([]*client, len(names))
	for i, name := range names {
		out[i] = n.user(tb, name)
	}
	return out
}

// task reserves a review of an assignment.
func (c *client) task(tb testing.TB, assignmentID string) doc {
	tb.Helper()
	task := c.post(tb, "/api/reviews/next", doc{"assignmentId": assignmentID}).is(tb, http.StatusOK).json(tb)
	reserved := doc{}
	for _, field := range []string{"submissionId", "assignmentId", "assignmentTitle", "until"} {
		reserved[field] = task[field]
	}
	require.Equal(tb, reserved, c.get(tb, "/api/reviews/lease").is(tb, http.StatusOK).json(tb), "the reservation as it is read")
	return task
}

// idle requires that there is nothing to review, and that nothing is reserved.
func (c *client) idle(tb testing.TB, assignmentID string) {
	tb.Helper()
	c.post(tb, "/api/reviews/next", doc{"assignmentId": assignmentID}).is(tb, http.StatusNoContent)
	c.unreserved(tb)
}

// unseen requires that an assignment is, to a user who asks for its submissions, as one that does not exist, and that
// nothing is reserved.
func (c *client) unseen(tb testing.TB, assignmentID string) {
	tb.Helper()
	c.post(tb, "/api/reviews/next", doc{"assignmentId": assignmentID}).
		refused(tb, http.StatusNotFound, studycircle.CodeNotFound)
	c.unreserved(tb)
}

// unreserved requires that nothing is reserved; the request reserves nothing.
func (c *client) unreserved(tb testing.TB) {
	tb.Helper()
	c.get(tb, "/api/reviews/lease").is(tb, http.StatusNoContent)
}

// asJSON returns v as it is after encoding and decoding.
func asJSON(tb testing.TB, v any) (out any) {
	tb.Helper()
	text, err := json.Marshal(v)
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(text, &out))
	return out
}

func TestSeveralReviewsSettleAMark(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		reviewers := n.people(t, "Cem", "Dot", "Eve", "Fay")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		require.InDelta(t, 3, n.visitor().get(t, "/api/assignment/"+of).json(t)["reviewsNeeded"], 0)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id

		row := doc{"assignmentId": of, "assignmentTitle": "Essay on tides", "marks": 20.0, "status": "pending", "submittedBy": nil, "reviewable": 1.0}
		require.Equal(t, []doc{row}, reviewers[0].pending(t), "one row an assignment")
		for _, c := range []*client{ada, bob} {
			require.Equal(t, []doc{with(row, "reviewable", 0.0)}, c.pending(t), "nothing for its creator and its submitter")
		}
		require.Equal(t, "1", ada.get(t, "/api/submissions?status=pending").header.Get("X-Total-Count"))

		t.Run("who may not", func(t *testing.T) {
			bob.idle(t, of)
			ada.idle(t, of)
			n.visitor().post(t, "/api/reviews/next", doc{}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			bob.patch(t, at, doc{"marks": 20}).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
			ada.patch(t, at, doc{"marks": 20}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
			reviewers[0].patch(t, at, doc{"marks": 20}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
			reviewers[0].post(t, "/api/reviews/next", doc{"assignmentId": "nothing"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})

		for i, mark := range []int{18, 15, 16} {
			c := reviewers[i]
			c.unreserved(t)
			task := c.task(t, of)
			require.Equal(t, id, task["submissionId"])
			require.ElementsMatch(t, []string{
				"submissionId", "assignmentId", "assignmentTitle", "description", "label", "docsLink", "note", "marks", "until",
			}, fields(task))
			require.Equal(t, task, c.task(t, of), "the same one again")
			require.Equal(t, task, c.post(t, "/api/reviews/next", doc{}).json(t), "whatever is asked for")
			bob.put(t, at+"/own", doc{"docsLink": link(50)}).refused(t, http.StatusConflict, studycircle.CodeUnderReview)
			c.patch(t, at, doc{"marks": 21}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
			c.patch(t, at, doc{"feedback": "No mark."}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
			for _, u := range []*client{ada, bob, c} {
				u.get(t, at+"/reviews").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				u.get(t, at+"/mark").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			require.Equal(t, "pending", bob.own(t, id)["status"])
			require.InDelta(t, 0, bob.own(t, id)["reviews"], 0, "the count changes once a day")
			require.Equal(t, doc{"modifiedCount": 1.0}, c.patch(t, at, doc{"marks": mark, "feedback": "By " + c.name}).is(t, http.StatusOK).json(t))
			c.unreserved(t)
			if i < 2 {
				c.patch(t, at, doc{"marks": mark}).refused(t, http.StatusConflict, studycircle.CodeAlreadyReviewed)
				c.idle(t, of)
			}
		}

		own := bob.own(t, id)
		require.Equal(t, "completed", own["status"])
		require.InDelta(t, 16, own["givenMark"], 0)
		for _, part := range []string{"By Cem", "By Dot", "By Eve"} {
			require.Contains(t, own["feedback"], part)
		}
		require.Equal(t, time.Now().UTC().Truncate(24*time.Hour).Format(time.RFC3339), own["markedAt"], "a day")
		require.Empty(t, ada.pending(t))
		reviewers[3].idle(t, of)
		reviewers[3].patch(t, at, doc{"marks": 1}).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)

		for _, u := range []*client{ada, bob} {
			rows := u.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)
			var labels []string
			for _, r := range rows {
				require.ElementsMatch(t, []string{"_id", "label", "mark", "feedback", "format", "html", "day"}, fields(r.(doc)))
				labels = append(labels, r.(doc)["label"].(string))
			}
			require.Equal(t, []string{"A", "B", "C"}, labels)
			mark := u.get(t, at+"/mark").is(t, http.StatusOK).json(t)
			require.Equal(t, "SC1K", mark["model"])
			require.InDelta(t, 16, mark["givenMark"], 0)
			require.InDelta(t, 16.5, mark["estimate"], .5)
			require.Len(t, mark["reviews"], 3)
			require.Len(t, mark["settlements"], 1)
			require.Equal(t, "enough-reviews", mark["settlements"].([]any)[0].(doc)["reason"])
		}
		reviewers[0].get(t, at+"/reviews").refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		first := bob.get(t, at+"/reviews").json(t)["data"].([]any)[0].(doc)["_id"].(string)
		reply := "/api/reviews/" + first + "/reply"
		ada.put(t, reply, doc{"helpful": true}).refused(t, http.StatusForbidden, studycircle.CodeNotYourReview)
		bob.put(t, reply, doc{"helpful": true, "reply": "Thank you."}).is(t, http.StatusOK)
		require.Equal(t, "Thank you.", bob.get(t, at+"/reviews").json(t)["data"].([]any)[0].(doc)["reply"])
		given := reviewers[0].get(t, "/api/reviews").is(t, http.StatusOK).json(t)
		require.Equal(t, pages(1, 20, 1, 1), given["pagination"])
		require.InDelta(t, 16, given["data"].([]any)[0].(doc)["settledMark"], 0)
	})
}

// Diverging reviews request one more.
func TestDivergingReviewsAskForOneMore(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		for i, mark := range []int{2, 19, 11, 10} {
			require.Equal(t, "pending", bob.own(t, id)["status"], "after %d reviews", i)
			c := n.user(t, fmt.Sprint("Reviewer", i))
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, "/api/submissions/"+id, doc{"marks": mark}).is(t, http.StatusOK)
		}
		require.Equal(t, "completed", bob.own(t, id)["status"], "four at most")
	})
}

func TestReviewsByRubric(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		level := func(label string, marks int) doc { return doc{"label": label, "marks": marks} }
		rubric := doc{"criteria": []any{
			doc{"title": "Argument", "levels": []any{level("None", 0), level("Some", 5), level("Strong", 12)}},
			doc{"title": "Language", "levels": []any{level("Poor", 0), level("Good", 8)}},
		}}
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		for name, wrong := range map[string][]any{
			"sum":          {"marks", 21, "rubric", rubric, "reviewsNeeded", 2},
			"one review":   {"marks", 20, "rubric", rubric},
			"no criteria":  {"marks", 20, "rubric", doc{"criteria": []any{}}, "reviewsNeeded", 2},
			"a list":       {"marks", 20, "rubric", []any{}, "reviewsNeeded", 2},
			"null":         {"marks", 20, "rubric", nil, "reviewsNeeded", 2},
			"unknown name": {"marks", 20, "rubric", doc{"criteria": []any{}, "x": 1}, "reviewsNeeded", 2},
		} {
			t.Run(name, func(t *testing.T) {
				ada.post(t, "/api/assignments", with(assignment(), wrong...)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.rubric")
			})
		}
		for _, wrong := range append(notNumbers(), 0, 6) {
			ada.post(t, "/api/assignments", with(assignment(), "reviewsNeeded", wrong)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reviewsNeeded")
		}
		of := ada.publish(t, "marks", 20, "rubric", rubric, "reviewsNeeded", 2)
		require.Equal(t, asJSON(t, rubric), n.visitor().get(t, "/api/assignment/"+of).json(t)["rubric"])
		id := bob.submit(t, of)
		require.Equal(t, asJSON(t, rubric), cem.task(t, of)["rubric"])
		at := "/api/submissions/" + id
		for _, wrong := range []doc{{"levels": []int{2}}, {"levels": []int{3, 0}}, {"levels": []int{0, -1}}, {"levels": []any{"a"}}, {"levels": 5}, {"levels": []int{1, 1}, "marks": 3}} {
			cem.patch(t, at, wrong).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		}
		cem.patch(t, at, doc{"marks": 3}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.levels")
		cem.patch(t, at, doc{"levels": []int{2, 0}}).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		require.InDelta(t, 12, bob.own(t, id)["givenMark"], 0)
		require.Equal(t, []any{2.0, 0.0}, bob.get(t, at+"/reviews").json(t)["data"].([]any)[0].(doc)["levels"])

		same := with(assignment(), "marks", 20)
		ada.put(t, "/api/assignment/"+of, with(same, "title", "Another")).is(t, http.StatusOK)
		for _, change := range [][]any{{"reviewsNeeded", 3}, {"marks", 21}, {"reviewsNeeded", 1}} {
			ada.put(t, "/api/assignment/"+of, with(same, change...)).refused(t, http.StatusConflict, studycircle.CodeAlreadyTaken)
		}
		require.Equal(t, asJSON(t, rubric), n.visitor().get(t, "/api/assignment/"+of).json(t)["rubric"])
	})
}

func TestSettleNow(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		bob.post(t, at+"/settle", nil).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		ada.post(t, at+"/settle", nil).refused(t, http.StatusConflict, studycircle.CodeNoReviews)
		cem.task(t, of)
		cem.patch(t, at, doc{"marks": 11}).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		require.InDelta(t, 11, bob.own(t, id)["givenMark"], 0)
		require.Empty(t, ada.pending(t))
		plain := bob.submit(t, ada.publish(t))
		ada.post(t, "/api/submissions/"+plain+"/settle", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// A returned or lapsed submission is not offered to the same user again; a user may
// return two a day.
func TestGiveBackAndLapse(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, cem, dot := n.user(t, "Ada"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		for i := range 4 {
			n.user(t, fmt.Sprint("Submitter", i)).submit(t, of)
		}
		seen := map[string]bool{}
		for range 2 {
			id := cem.task(t, of)["submissionId"].(string)
			require.False(t, seen[id])
			seen[id] = true
			dot.del(t, "/api/reviews/lease/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			require.Equal(t, doc{"deletedCount": 1.0}, cem.del(t, "/api/reviews/lease/"+id).is(t, http.StatusOK).json(t))
			cem.unreserved(t)
			cem.patch(t, "/api/submissions/"+id, doc{"marks": 3}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		}
		third := cem.task(t, of)["submissionId"].(string)
		require.False(t, seen[third])
		cem.del(t, "/api/reviews/lease/"+third).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		require.Equal(t, third, cem.task(t, of)["submissionId"])

		n.clock.advance(49 * time.Hour)
		cem.newSession(t)
		cem.unreserved(t)
		fourth := cem.task(t, of)["submissionId"].(string)
		require.False(t, seen[fourth])
		require.NotEqual(t, third, fourth)
		cem.patch(t, "/api/submissions/"+third, doc{"marks": 3}).is(t, http.StatusOK)
		cem.patch(t, "/api/submissions/"+third, doc{"marks": 3}).refused(t, http.StatusConflict, studycircle.CodeAlreadyReviewed)
	})
}

// Withdrawing, or deleting the account, ends the reviewing of the submission and frees its
// reviewers, who keep what they wrote.
func TestSubmissionsUnderReviewAreWithdrawn(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		id := bob.submit(t, of)
		cem.task(t, of)
		cem.patch(t, "/api/submissions/"+id, doc{"marks": 11}).is(t, http.StatusOK)
		dot.task(t, of)
		bob.del(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK)
		dot.idle(t, of)
		require.Empty(t, ada.pending(t))
		require.Equal(t, pages(1, 20, 1, 1), cem.get(t, "/api/reviews").json(t)["pagination"])
		dot.patch(t, "/api/submissions/"+id, doc{"marks": 11}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		again := bob.submit(t, of)
		cem.task(t, of)
		cem.patch(t, "/api/submissions/"+again, doc{"marks": 11}).is(t, http.StatusOK)
		dot.task(t, of)
		dot.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		cem.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		for i := range 2 {
			c := n.user(t, fmt.Sprint("Late", i))
			require.Equal(t, again, c.task(t, of)["submissionId"])
			c.patch(t, "/api/submissions/"+again, doc{"marks": 12}).is(t, http.StatusOK)
		}
		require.Equal(t, "completed", bob.own(t, again)["status"])
		last := n.user(t, "Last")
		last.submit(t, of)
		last.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Empty(t, ada.pending(t))
	})
}

// Seven days after the later of submission and due date a submission with a review is
// settled. One without is open, anonymously, to all users but submitter and creator, and
// its first review settles it.
func TestSubmissionsAreSettledInTime(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		one, none := bob.submit(t, of), dot.submit(t, of)
		for {
			id := cem.task(t, of)["submissionId"].(string)
			if id == one {
				break
			}
			cem.del(t, "/api/reviews/lease/"+id).is(t, http.StatusOK)
		}
		cem.patch(t, "/api/submissions/"+one, doc{"marks": 11}).is(t, http.StatusOK)
		passes := func(days int) {
			n.clock.advance(time.Duration(days) * 24 * time.Hour)
			require.NoError(t, n.app.Service.PassTime(t.Context()))
			for _, c := range []*client{ada, bob, cem, dot} {
				c.newSession(t)
			}
		}
		passes(13)
		require.Equal(t, "pending", bob.own(t, one)["status"])
		require.InDelta(t, 1, bob.own(t, one)["reviews"], 0)
		passes(2)
		require.Equal(t, "completed", bob.own(t, one)["status"])
		require.InDelta(t, 11, bob.own(t, one)["givenMark"], 0)
		require.Equal(t, "time", bob.get(t, "/api/submissions/"+one+"/mark").json(t)["settlements"].([]any)[0].(doc)["reason"])

		require.Equal(t, []doc{{
			"_id": none, "assignmentId": of, "assignmentTitle": "Essay on tides", "marks": 20.0, "status": "pending", "submittedBy": nil,
			"docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind.",
		}}, ada.pending(t))
		bob.idle(t, of)
		dot.patch(t, "/api/submissions/"+none, doc{"marks": 20}).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		ada.patch(t, "/api/submissions/"+none, doc{"marks": 20}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		bob.patch(t, "/api/submissions/"+none, doc{"marks": 9}).is(t, http.StatusOK)
		require.InDelta(t, 9, dot.own(t, none)["givenMark"], 0)
		require.Empty(t, ada.pending(t))
		cem.patch(t, "/api/submissions/"+none, doc{"marks": 8}).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)

		late := cem.submit(t, of) // eight days after the due date
		unattended := func() bool {
			rows := ada.pending(t)
			require.Len(t, rows, 1)
			return rows[0]["_id"] == late
		}
		passes(6)
		require.False(t, unattended(), "its week begins when it is handed in")
		passes(2)
		require.True(t, unattended())
		cem.del(t, "/api/submissions/"+late+"/own").is(t, http.StatusOK)
		left := ada.get(t, "/api/submissions?status=pending").is(t, http.StatusOK)
		require.Empty(t, left.array(t))
		require.Equal(t, "0", left.header.Get("X-Total-Count"))
	})
}
