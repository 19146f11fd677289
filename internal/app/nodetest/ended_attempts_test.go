package nodetest

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Work that is withdrawn after a review stays in its submitter's history, and the review with its reviewer: the text
// and the credit. One rule, which the refusal of a change says.
func TestWithdrawnWorkKeepsItsReviews(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		_, class, _, of := classOf(t, n, []string{"Bob", "Cem", "Dot", "Eve"})
		bob, cem := class[0], class[1]
		id := bob.submit(t, of)
		cem.submit(t, of)
		require.Equal(t, id, cem.task(t, of)["submissionId"])
		cem.patch(t, "/api/submissions/"+id, doc{"marks": 3, "feedback": "A harsh word."}).is(t, http.StatusOK)
		before := cem.get(t, "/api/reviews").json(t)["data"].([]any)[0].(doc)
		a := bob.put(t, "/api/submissions/"+id+"/own", doc{"docsLink": link(71), "note": ""})
		a.refused(t, http.StatusConflict, studycircle.CodeUnderReview)
		require.Contains(t, a.text(t, "detail"), "what reviewers wrote until then stays with it")
		bob.del(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK)
		bob.del(t, "/api/submissions/"+id+"/own").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.get(t, "/api/submissions/"+id+"/own").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cem.patch(t, "/api/submissions/"+id, doc{"marks": 4}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		list := cem.get(t, "/api/reviews").json(t)
		require.Equal(t, pages(1, 20, 1, 1), list["pagination"])
		after := list["data"].([]any)[0].(doc)
		for _, field := range []string{"_id", "submissionLabel", "assignmentTitle", "mark", "feedback"} {
			require.Equal(t, before[field], after[field], field)
		}
		requireNothingOwed(t, cem, of, 1)
		own := bob.get(t, "/api/submissions").array(t)
		require.Len(t, own, 1)
		require.Equal(t, "withdrawn", own[0]["status"])
		require.Equal(t, of, own[0]["assignmentId"])
		require.NotEmpty(t, own[0]["endedAt"])
		require.NotContains(t, own[0], "feedback")
		require.Empty(t, bob.get(t, "/api/submissions?status=pending&submittedBy="+bob.email).array(t))
		ada := n.user(t, "Zoe")
		_ = ada
		again := bob.submit(t, of)
		require.InDelta(t, 1, cem.duty(t, of)["reviewsLeft"], 0, "the new attempt is another work")
		owner := &client{n: n, email: "ada@example.org", name: "Ada"}
		owner.newSession(t)
		detail := owner.get(t, "/api/assignment/"+of+"/submissions/"+again).is(t, http.StatusOK).json(t)
		earlier := detail["earlier"].([]any)[0].(doc)
		require.Equal(t, "withdrawn", earlier["status"])
		require.InDelta(t, 1, earlier["reviews"], 0, "the creator sees that there was a review")
		require.InDelta(t, 2, owner.get(t, "/api/assignment/"+of+"/results").json(t)["total"], 0)
		// The account is deleted: its work that has a review goes, and the review stays.
		class[2].submit(t, of)
		require.True(t, cem.reviewsNext(t, of))
		require.True(t, cem.reviewsNext(t, of))
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		class[2].del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Equal(t, pages(1, 20, 3, 1), cem.get(t, "/api/reviews").json(t)["pagination"])
		require.InDelta(t, 3, cem.duty(t, of)["reviewsGiven"], 0)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		n.passTime(t, 24*time.Hour, owner)
		require.InDelta(t, 1, owner.get(t, "/api/assignment/"+of+"/results").json(t)["total"], 0)
	})
}

// A creator or a grader sends work back for a reason before there is a mark: the attempt stays in the history, and the
// submitter hears of it and hands in again.
func TestSendBack(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t)
		id := bob.submit(t, of)
		back := func(c *client, id, why string) *answer {
			return c.post(t, "/api/submissions/"+id+"/send-back", doc{"reason": why})
		}
		n.visitor().post(t, "/api/submissions/"+id+"/send-back", doc{"reason": "x"}).is(t, http.StatusUnauthorized)
		back(bob, id, "Mine").refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		back(ada, id, "  ").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		back(ada, id, strings.Repeat("x", 501)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		back(ada, "06h1zzzz", "x").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		back(ada, id, "The link shows an empty page.").is(t, http.StatusOK)
		back(ada, id, "Twice").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cem.patch(t, "/api/submissions/"+id, doc{"marks": 4}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		own := bob.get(t, "/api/submissions").array(t)
		require.Equal(t, "sent-back", own[0]["status"])
		require.Equal(t, "The link shows an empty page.", own[0]["endReason"])
		require.Equal(t, []string{"returned"}, bob.kinds(t, "Essay on tides"))
		require.Equal(t, "open", bob.get(t, "/api/progress?assignments="+of).json(t)["data"].([]any)[0].(doc)["state"])
		require.Empty(t, cem.pending(t))

		second := bob.submit(t, of)
		require.Equal(t, true, ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)[0].(doc)["may"].(doc)["sendBack"])
		back(cem, second, "A grader says so.").is(t, http.StatusOK)
		third := bob.submit(t, of)
		detail := ada.get(t, "/api/assignment/"+of+"/submissions/"+third).json(t)
		require.Len(t, detail["earlier"], 2)
		require.Equal(t, "A grader says so.", detail["earlier"].([]any)[1].(doc)["reason"])
		cem.grade(t, third, 4)
		back(ada, third, "Too late").refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		require.Nil(t, ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)[0].(doc)["may"].(doc)["sendBack"])

		// Several reviews: the creator alone, and reviews stay with their reviewers.
		several := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "title", "Several")
		work := bob.submit(t, several)
		cem.task(t, several)
		back(cem, work, "No").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		back(dot, work, "No").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		cem.patch(t, "/api/submissions/"+work, doc{"marks": 3, "feedback": "Read."}).is(t, http.StatusOK)
		dot.task(t, several)
		back(ada, work, "A chapter is missing.").is(t, http.StatusOK)
		dot.unreserved(t)
		dot.idle(t, several)
		require.Equal(t, pages(1, 20, 1, 1), cem.get(t, "/api/reviews").json(t)["pagination"])
		require.Empty(t, ada.pending(t))
		next := bob.submit(t, several)
		require.Equal(t, next, cem.task(t, several)["submissionId"])
		untouched := dot.submit(t, several)
		back(ada, untouched, "Not reviewed yet.").is(t, http.StatusOK)
		require.Equal(t, "sent-back", dot.get(t, "/api/submissions").array(t)[0]["status"])
		n.passTime(t, 30*24*time.Hour, ada, bob, cem, dot)
		require.Equal(t, "sent-back", dot.get(t, "/api/submissions").array(t)[0]["status"])
	})
}

// 32 requests at once, on both nodes, send work back, grade it, withdraw it and hand in: each ends it once.
func TestConcurrentSendBack(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		for _, reviews := range []int{1, 2} {
			of := ada.publish(t, "reviewsNeeded", reviews, "marks", 20)
			id := bob.submit(t, of)
			var ended atomic.Int64
			atOnce(t, func(i int) (*answer, error) {
				at := []*node{n, other}[i%2]
				switch i % 4 {
				case 0, 1:
					a, err := ada.at(at).try(t.Context(), http.MethodPost, "/api/submissions/"+id+"/send-back", doc{"reason": "Again."})
					if err == nil && a.status == http.StatusOK {
						ended.Add(1)
					}
					return a, err
				case 2:
					a, err := bob.at(at).try(t.Context(), http.MethodDelete, "/api/submissions/"+id+"/own", nil)
					if err == nil && a.status == http.StatusOK {
						ended.Add(1)
					}
					return a, err
				default:
					return bob.at(at).try(t.Context(), http.MethodPost, "/api/submissions", submission(of))
				}
			})
			require.EqualValues(t, 1, ended.Load())
			pending := 0
			for _, s := range bob.get(t, "/api/submissions").array(t) {
				if s["assignmentId"] == of && s["status"] == "pending" {
					pending++
				}
			}
			require.LessOrEqual(t, pending, 1)
			require.InDelta(t, float64(pending), ada.get(t, "/api/assignment/"+of+"/results").json(t)["total"], 0)
		}
	})
}

// Reported work that does not open is given back at once, without a limit, and its owner hears of it.
func TestReportedWorkIsGivenBack(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, cem := n.user(t, "Ada"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		owners := map[string]*client{}
		for _, name := range []string{"Bob", "Dot", "Eve", "Fay", "Gil"} {
			c := n.user(t, name)
			owners[c.submit(t, of)] = c
		}
		for range 5 {
			id := cem.task(t, of)["submissionId"].(string)
			cem.post(t, "/api/submissions/"+id+"/report", doc{"reason": "The link is broken."}).is(t, http.StatusCreated)
			cem.del(t, "/api/reviews/lease/"+id).is(t, http.StatusOK)
			require.Equal(t, []string{"unopened"}, owners[id].kinds(t, "Essay on tides"))
		}
		cem.idle(t, of)
	})
}

// Work that the server can open counts: reporting it is no way to choose what to review.
func TestReportedWorkThatOpensCounts(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, _ *looker) {
		ada, cem := n.user(t, "Ada"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		owners := map[string]*client{}
		for _, name := range []string{"Bob", "Dot", "Eve", "Fay"} {
			c := n.user(t, name)
			id := c.submit(t, of)
			c.link(t, id, studycircle.LinkReachable)
			owners[id] = c
		}
		for i := range 3 {
			id := cem.task(t, of)["submissionId"].(string)
			cem.post(t, "/api/submissions/"+id+"/report", doc{"reason": "I know this one."}).is(t, http.StatusCreated)
			back := cem.del(t, "/api/reviews/lease/"+id)
			if i == 2 {
				back.refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
			} else {
				back.is(t, http.StatusOK)
			}
			require.Empty(t, owners[id].kinds(t, "Essay on tides"))
		}
	})
}
