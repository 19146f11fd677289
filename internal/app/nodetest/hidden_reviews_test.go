package nodetest

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// hiddenClass returns an assignment by ada whose texts are canaries.
func hiddenClass(t *testing.T, n *node) (ada *client, of string) {
	t.Helper()
	level := func(label string, marks int) doc { return doc{"label": label, "marks": marks} }
	ada = n.user(t, "Ada")
	of = ada.publish(t, "title", "Canary in a title", "description", "A canary sings", "reviewsNeeded", 2, "marks", 20, "rubric", doc{"criteria": []any{
		doc{"title": "Canary in a criterion", "levels": []any{level("No canary", 0), level("A canary", 20)}},
	}})
	return ada, of
}

// sings reports whether c finds canaries of the hidden assignment where submissions to review are shown.
func (c *client) sings(t *testing.T, paths ...string) bool {
	t.Helper()
	all := string(c.post(t, "/api/reviews/next", doc{}).body)
	for _, path := range append(paths, "/api/submissions?status=pending", "/api/dashboard", "/api/reviews/lease") {
		all += string(c.get(t, path).body)
	}
	return strings.Contains(strings.ToLower(all), "canary")
}

// reviewable returns the number of submissions in an assignment's row of the pending list; 0 without a row.
func (c *client) reviewable(t *testing.T, of string) float64 {
	t.Helper()
	for _, row := range c.pending(t) {
		if n, stands := row["reviewable"].(float64); stands && row["assignmentId"] == of {
			return n
		}
	}
	return 0
}

// Submissions of a hidden assignment are not offered for review and their leases end;
// when it is shown again, all are offered in their former order.
func TestHiddenAssignmentsAreNotOfferedForReview(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, of := hiddenClass(t, n)
		eve, fay, cem, dot := n.user(t, "Eve"), n.user(t, "Fay"), n.user(t, "Cem"), n.user(t, "Dot")
		first := eve.submit(t, of)
		require.Equal(t, first, cem.task(t, of)["submissionId"])
		second := fay.submit(t, of)
		require.True(t, cem.sings(t))
		require.InDelta(t, 2, dot.reviewable(t, of), 0)

		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		for _, u := range []*client{ada, eve, fay, cem, dot} {
			u.post(t, "/api/reviews/next", doc{}).is(t, http.StatusNoContent)
			u.unseen(t, of)
			require.False(t, u.sings(t))
			require.Empty(t, u.pending(t))
			require.Empty(t, u.get(t, "/api/dashboard").json(t)["waiting"])
		}
		require.Equal(t, "0", dot.get(t, "/api/submissions?status=pending").header.Get("X-Total-Count"))
		cem.patch(t, "/api/submissions/"+first, doc{"levels": []int{1}}).refused(t, http.StatusForbidden, studycircle.CodeNotLeased)
		cem.del(t, "/api/reviews/lease/"+first).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		fay.del(t, "/api/submissions/"+second+"/own").is(t, http.StatusOK)

		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		require.InDelta(t, 1, dot.reviewable(t, of), 0, "not the one withdrawn meanwhile")
		require.Equal(t, first, dot.task(t, of)["submissionId"])
		require.True(t, dot.sings(t))
		cem.idle(t, of)
		cem.patch(t, "/api/submissions/"+first, doc{"levels": []int{1}}).is(t, http.StatusOK) // a slot is still free
		dot.patch(t, "/api/submissions/"+first, doc{"levels": []int{1}}).is(t, http.StatusOK)
		require.Equal(t, "completed", eve.own(t, first)["status"])
	})
}

// A submission under appeal when its assignment is hidden, or appealed meanwhile, is open
// to review when the assignment is shown again; its rubric is not shown meanwhile.
func TestAppealsWaitWhileAssignmentIsHidden(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, of := hiddenClass(t, n)
		eve, fay, reviewers := n.user(t, "Eve"), n.user(t, "Fay"), n.people(t, "Cem", "Dot", "Gus", "Hal")
		work := map[*client]string{}
		for _, u := range []*client{eve, fay} {
			work[u] = u.submit(t, of)
			for _, r := range reviewers[:2] {
				r.task(t, of)
				r.patch(t, "/api/submissions/"+work[u], doc{"levels": []int{1}}).is(t, http.StatusOK)
			}
		}
		appeal := func(u *client) {
			u.post(t, "/api/submissions/"+work[u]+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		}
		appeal(eve)
		require.InDelta(t, 1, reviewers[2].reviewable(t, of), 0)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		appeal(fay)
		for _, r := range reviewers {
			r.unseen(t, of)
		}
		require.Empty(t, ada.pending(t))
		at := "/api/submissions/" + work[eve]
		require.False(t, eve.sings(t, at+"/reviews", at+"/mark"))
		require.Contains(t, string(eve.get(t, at+"/reviews").body), `"title":"`+studycircle.HiddenTitle+`"`)
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		require.InDelta(t, 2, reviewers[2].reviewable(t, of), 0)
		require.InDelta(t, 0, reviewers[0].reviewable(t, of), 0, "who has reviewed both")
		for range work {
			for _, r := range reviewers[2:] {
				id := r.task(t, of)["submissionId"].(string)
				r.patch(t, "/api/submissions/"+id, doc{"levels": []int{1}}).is(t, http.StatusOK)
			}
		}
		require.Empty(t, ada.pending(t))
	})
}

// Deadlines pass while an assignment is hidden: a submission with reviews is settled; one
// without is open to any user, who reviews it by a rubric without texts. Exemplars are
// not offered.
func TestReviewDeadlinesPassWhileAssignmentIsHidden(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, of := hiddenClass(t, n)
		eve, fay, cem := n.user(t, "Eve"), n.user(t, "Fay"), n.user(t, "Cem")
		reviewed := eve.submit(t, of)
		cem.task(t, of)
		cem.patch(t, "/api/submissions/"+reviewed, doc{"levels": []int{1}}).is(t, http.StatusOK)
		alone := fay.submit(t, of)
		ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(12)).is(t, http.StatusCreated)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		cem.unseen(t, of)
		n.clock.advance(20 * 24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		for _, u := range []*client{ada, eve, fay, cem} {
			u.newSession(t)
			u.unseen(t, of)
		}
		require.Equal(t, "completed", eve.own(t, reviewed)["status"])
		require.False(t, cem.sings(t))
		require.Equal(t, alone, cem.pending(t)[0]["_id"])
		cem.patch(t, "/api/submissions/"+alone, doc{"levels": []int{1}}).is(t, http.StatusOK)
		require.Equal(t, "completed", fay.own(t, alone)["status"])
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		require.Empty(t, ada.pending(t))
	})
}

// A user who is due a review request while the assignment is hidden gets it when the
// assignment is shown again.
func TestReviewRequestsWaitWhileAssignmentIsHidden(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "dueDate", n.clock.now().Add(10*24*time.Hour).Format(time.RFC3339))
		bob.submit(t, of)
		cem.submit(t, of)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		n.passes(t, 11, ada, bob, cem)
		require.Nil(t, bob.notice(t, "review"))
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		n.passes(t, 2, ada, bob, cem)
		for _, c := range []*client{bob, cem} {
			require.EqualValues(t, 1, c.notice(t, "review")["count"])
		}
		require.Nil(t, ada.notice(t, "review"))
	})
}

// Clients concurrently submit, reserve, review, return, appeal and withdraw while the
// assignment is hidden and shown: no deadlock occurs, and counts agree with the rows.
func TestConcurrentReviewsWhileAssignmentIsHidden(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		ada := n.user(t, "Ada")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		late := users[crowd/2:]
		for _, u := range users[:crowd/2] {
			u.submit(t, of)
		}
		moderate := func(ctx context.Context, action studycircle.ModerationAction) error {
			return n.app.Store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Moderate(ctx, studycircle.Moderation{
					Moderator: studycircle.ByShell, Action: action, Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: of}, Reason: "Not here", At: n.clock.now().UTC(),
				})
				return err
			})
		}
		// Any answer but a 5xx is fine: another client was faster.
		ask := func(c *client, method, path string, body any) error {
			a, err := c.persist(t.Context(), method, path, body)
			if err == nil && a.status >= http.StatusInternalServerError {
				err = a.expect(http.StatusOK)
			}
			return err
		}
		together(t, crowd, func(i int) error {
			if i == 0 {
				for range 3 {
					if err := moderate(t.Context(), studycircle.Hide); err != nil {
						return err
					}
					if err := moderate(t.Context(), studycircle.Restore); err != nil {
						return err
					}
				}
				return nil
			}
			u := users[i]
			if i >= len(users)-len(late) {
				if err := ask(u, http.MethodPost, "/api/submissions", submission(of)); err != nil {
					return err
				}
			}
			for range 3 {
				id, err := u.reserve(t.Context(), of)
				if err != nil {
					return err
				}
				if id == "" {
					continue
				}
				if i%5 == 0 {
					err = ask(u, http.MethodDelete, "/api/reviews/lease/"+id, nil)
				} else {
					err = ask(u, http.MethodPatch, "/api/submissions/"+id, doc{"marks": 10 + i%3})
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		open := 0
		for _, u := range users {
			for _, s := range u.get(t, "/api/submissions").array(t) {
				if s["status"] == "pending" {
					open++
				}
			}
		}
		zoe := n.user(t, "Zoe")
		require.InDelta(t, open, zoe.reviewable(t, of), 0)
		require.NoError(t, moderate(t.Context(), studycircle.Hide))
		require.Empty(t, ada.pending(t))
		require.NoError(t, moderate(t.Context(), studycircle.Restore))
		require.InDelta(t, open, zoe.reviewable(t, of), 0)
	})
}
