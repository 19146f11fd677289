package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// An appeal against a grade turns the grade into a review and asks for two more. The mark
// stands until they arrive. A submission is appealed once, within 14 days.
func TestAppeal(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "marks", 20)
		id := bob.submit(t, of)
		at, why := "/api/submissions/"+id, doc{"reason": "Nobody read page two."}
		bob.post(t, at+"/appeal", why).refused(t, http.StatusConflict, studycircle.CodeNotGraded)
		cem.grade(t, id, 4)
		for _, u := range []*client{ada, cem} {
			u.post(t, at+"/appeal", why).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		bob.post(t, at+"/appeal", doc{"reason": " "}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		ada.get(t, at+"/work").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, at+"/appeal", why).is(t, http.StatusCreated)
		bob.post(t, at+"/appeal", why).refused(t, http.StatusConflict, studycircle.CodeAlreadyAppealed)
		own := bob.own(t, id)
		require.Equal(t, []any{"completed", 4.0, "open"}, []any{own["status"], own["givenMark"], own["appeal"]})
		bob.get(t, at+"/mark").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, "https://docs.google.com/document/d/1", ada.get(t, at+"/work").is(t, http.StatusOK).json(t)["docsLink"])
		cem.get(t, at+"/work").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cem.idle(t, of)
		for i := range 2 {
			c := n.user(t, fmt.Sprint("New", i))
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": 16}).is(t, http.StatusOK)
		}
		own = bob.own(t, id)
		require.NotContains(t, own, "appeal")
		require.Greater(t, own["givenMark"], 8.0)
		history := bob.get(t, at+"/mark").is(t, http.StatusOK).json(t)["settlements"].([]any)
		require.Len(t, history, 2)
		require.Equal(t, "grade", history[0].(doc)["reason"])
		require.Equal(t, "appeal", history[1].(doc)["reason"])
		require.Len(t, bob.get(t, at+"/reviews").json(t)["data"], 3)
		require.Empty(t, ada.pending(t))

		late := bob.submit(t, of)
		cem.grade(t, late, 4)
		n.clock.advance(15 * 24 * time.Hour)
		bob.newSession(t)
		bob.post(t, "/api/submissions/"+late+"/appeal", why).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
	})
}

// Reading the work does not wait for writes.
func TestAppealedWorkIsReadWithoutALock(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		id := bob.submit(t, ada.publish(t, "marks", 20))
		cem.grade(t, id, 4)
		bob.post(t, "/api/submissions/"+id+"/appeal", doc{"reason": "Nobody read page two."}).is(t, http.StatusCreated)
		locked, end := make(chan struct{}), make(chan struct{})
		var writer sync.WaitGroup
		writer.Go(func() {
			assert.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.LoadReviewCase(ctx, id, "")
				close(locked)
				<-end
				return err
			}))
		})
		<-locked
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		got, err := ada.try(ctx, http.MethodGet, "/api/submissions/"+id+"/work", nil)
		close(end)
		writer.Wait()
		require.NoError(t, err)
		require.Equal(t, "https://docs.google.com/document/d/1", got.is(t, http.StatusOK).json(t)["docsLink"])
	})
}

// An appeal without reviewers is for the creator to decide, and ends in any case.
func TestAppealEnds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "marks", 20)
		id := bob.submit(t, of)
		cem.grade(t, id, 4)
		bob.post(t, "/api/submissions/"+id+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		for _, c := range []struct {
			days int
			open any
		}{{6, "open"}, {13, "open"}, {2, nil}} {
			n.clock.advance(time.Duration(c.days) * 24 * time.Hour)
			require.NoError(t, n.app.Service.PassTime(t.Context()))
			bob.newSession(t)
			require.Equal(t, c.open, bob.own(t, id)["appeal"], "after %d days more", c.days)
		}
		require.InDelta(t, 4, bob.own(t, id)["givenMark"], 0)
	})
}

// The creator who is asked to decide an appeal may ask for two other reviewers. The submission is in the queue once,
// and leaves it after the second review.
func TestUndecidedAppealIsReopened(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve", "Fay")
		ada, bob := people[0], people[1]
		of := ada.publish(t, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		people[2].grade(t, id, 4)
		bob.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		review := func(c *client, mark int) {
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": mark}).is(t, http.StatusOK)
		}
		review(people[3], 10)
		n.passes(t, 6, people...)
		ada.post(t, at+"/reopen", doc{"reason": "Once more.", "action": "new-reviewers"}).is(t, http.StatusOK)
		require.InDelta(t, 1, people[4].reviewable(t, of), 0)
		review(people[4], 10)
		require.Equal(t, true, bob.own(t, id)["reopened"], "one more is asked for")
		review(people[5], 10)
		require.NotContains(t, bob.own(t, id), "reopened")
		require.Empty(t, ada.pending(t))
		ada.idle(t, of)
	})
}

// A mark that a user decides about names that user, also where the reviews that each submission needs had come and one
// more was asked for; a mark that comes by reviews names none.
func TestATimelineNamesWhoDecided(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		settled := func(c *client, path string) (said [][2]any) {
			t.Helper()
			for _, step := range c.get(t, path).is(t, http.StatusOK).json(t)["timeline"].([]any) {
				if one := step.(doc); one["kind"] == string(studycircle.StepSettled) {
					said = append(said, [2]any{one["reason"], one["decider"]})
				}
			}
			return said
		}
		for i, c := range []*client{cem, dot} { // as far apart as can be: one more is asked for
			c.task(t, of)
			c.patch(t, at, doc{"marks": i * 20}).is(t, http.StatusOK)
		}
		require.Equal(t, "pending", bob.own(t, id)["status"])
		require.InDelta(t, 1, ada.post(t, "/api/assignment/"+of+"/settle", nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		ada.post(t, at+"/reopen", doc{"reason": "So it is.", "action": "set-mark", "mark": 12}).is(t, http.StatusOK)
		want := [][2]any{{"enough-reviews", "Ada"}, {"set-mark", "Ada"}}
		require.Equal(t, want, settled(bob, at+"/mark"))
		require.Equal(t, want, settled(ada, "/api/assignment/"+of+"/submissions/"+id))

		done := bob.submit(t, ada.publish(t, "marks", 20))
		cem.grade(t, done, 4)
		require.Equal(t, [][2]any{{"grade", nil}}, settled(bob, "/api/submissions/"+done+"/own"))
	})
}

func TestReopen(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		set := doc{"reason": "The plan was missing.", "action": "set-mark", "mark": 12}
		ada.post(t, at+"/reopen", set).refused(t, http.StatusConflict, studycircle.CodeNotGraded)
		cem.task(t, of)
		cem.patch(t, at, doc{"marks": 5}).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		bob.post(t, at+"/reopen", set).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		for field, wrong := range map[string]doc{
			"body.mark": with(set, "mark", 21), "body.reason": with(set, "reason", ""), "body.action": with(set, "action", "delete"),
		} {
			ada.post(t, at+"/reopen", wrong).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, field)
		}
		ada.post(t, at+"/reopen", with(set, "mark", absent{})).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.mark")
		ada.post(t, at+"/reopen", set).is(t, http.StatusOK)
		require.InDelta(t, 12, bob.own(t, id)["givenMark"], 0)

		ada.post(t, at+"/reopen", doc{"reason": "Once more.", "action": "new-reviewers"}).is(t, http.StatusOK)
		require.Equal(t, true, bob.own(t, id)["reopened"])
		for i := range 2 {
			c := n.user(t, fmt.Sprint("New", i))
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": 15}).is(t, http.StatusOK)
		}
		var reasons []any
		for _, st := range bob.get(t, at+"/mark").is(t, http.StatusOK).json(t)["settlements"].([]any) {
			reasons = append(reasons, st.(doc)["reason"])
		}
		require.Equal(t, []any{"early", "set-mark", "reopened"}, reasons)
		require.NotContains(t, bob.own(t, id), "reopened")
	})
}

// Deleting a reviewer's account changes no mark, neither a settled one nor one that is
// settled later: the record stays under a pseudonym.
func TestDeletedReviewersChangeNoMark(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		class := func(leaves bool) (before, after, later doc) {
			user := func(name string) *client { return n.user(t, fmt.Sprint(name, leaves)) }
			ada, bob, strict, kind := user("Ada"), user("Bob"), user("Strict"), user("Kind")
			of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
			for i := range 2 { // their records in the grade model
				id := user(fmt.Sprint("Submitter", i)).submit(t, of)
				for j, c := range []*client{strict, kind} {
					require.Equal(t, id, c.task(t, of)["submissionId"])
					c.patch(t, "/api/submissions/"+id, doc{"marks": 6 + 9*j}).is(t, http.StatusOK)
				}
				ada.post(t, "/api/submissions/"+id+"/settle", nil).is(t, http.StatusOK)
			}
			settled := bob.submit(t, of)
			for j, c := range []*client{strict, kind} {
				require.Equal(t, settled, c.task(t, of)["submissionId"])
				c.patch(t, "/api/submissions/"+settled, doc{"marks": 9 + 4*j}).is(t, http.StatusOK)
			}
			ada.post(t, "/api/submissions/"+settled+"/settle", nil).is(t, http.StatusOK)
			mark := func(c *client, id string) doc {
				m := c.get(t, "/api/submissions/"+id+"/mark").is(t, http.StatusOK).json(t)
				delete(m, "submissionId")
				byMark := doc{}
				for _, r := range m["reviews"].([]any) { // labels are random
					r := r.(doc)
					delete(r, "label")
					byMark[fmt.Sprint(r["mark"])] = r
				}
				m["reviews"] = byMark
				for _, step := range m["timeline"].([]any) { // each class has a creator of its own
					delete(step.(doc), "decider")
				}
				return m
			}
			before = mark(bob, settled)
			last := user("Last")
			open := last.submit(t, of)
			for _, c := range []*client{strict, kind} {
				require.Equal(t, open, c.task(t, of)["submissionId"])
			}
			strict.patch(t, "/api/submissions/"+open, doc{"marks": 7}).is(t, http.StatusOK)
			if leaves {
				strict.del(t, "/api/auth/account").is(t, http.StatusNoContent)
			}
			after = mark(bob, settled)
			kind.patch(t, "/api/submissions/"+open, doc{"marks": 15}).is(t, http.StatusOK)
			ada.post(t, "/api/submissions/"+open+"/settle", nil).is(t, http.StatusOK)
			return before, after, mark(last, open)
		}
		before, after, later := class(true)
		_, stayed, laterStayed := class(false)
		require.Equal(t, before, after)
		require.Equal(t, stayed, after)
		require.Equal(t, laterStayed, later)
		require.NotEqual(t, 0.0, later["reviews"].(doc)["7"].(doc)["strictness"], "the record counts")
	})
}

// While new reviewers are asked, the creator sets the mark or waits: the earlier reviews alone settle nothing, and
// every appeal runs its course and ends.
func TestCreatorDecidesWhileReviewsAreOpen(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		review := func(name string) {
			t.Helper()
			c := n.user(t, name)
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": 15, "feedback": "So says " + name}).is(t, http.StatusOK)
		}
		// released requires the number of reviews that submitter and creator see, and that they see nothing of later
		// ones.
		released := func(count int, unseen string) {
			t.Helper()
			for _, c := range []*client{bob, ada} {
				require.Len(t, c.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["data"], count)
				require.Len(t, c.get(t, at+"/mark").is(t, http.StatusOK).json(t)["reviews"], count)
				for _, path := range []string{at + "/reviews", at + "/mark", "/api/submissions", "/api/assignment/" + of + "/submissions", "/api/auth/export"} {
					require.NotContains(t, string(c.get(t, path).body), unseen, path)
				}
			}
		}
		pass := func(d time.Duration) {
			t.Helper()
			n.clock.advance(d)
			require.NoError(t, n.app.Service.PassTime(t.Context()))
			ada.newSession(t)
			bob.newSession(t)
		}
		more := doc{"reason": "Once more.", "action": "new-reviewers"}
		review("Cem")
		review("Dot")

		ada.post(t, at+"/reopen", more).is(t, http.StatusOK)
		ada.post(t, at+"/settle", nil).refused(t, http.StatusConflict, studycircle.CodeNoReviews)
		ada.post(t, at+"/reopen", more).refused(t, http.StatusConflict, studycircle.CodeUnderReview)
		bob.post(t, at+"/appeal", doc{"reason": "Why?"}).refused(t, http.StatusConflict, studycircle.CodeNotGraded)
		review("Eve")
		released(2, "So says Eve")
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		ada.post(t, at+"/reopen", more).is(t, http.StatusOK) // once it is settled
		pass(studycircle.SettleAfter + time.Second)
		require.NotContains(t, bob.own(t, id), "reopened", "it ends without reviewers")

		bob.post(t, at+"/appeal", doc{"reason": "Why?"}).is(t, http.StatusCreated)
		review("Fay")
		ada.post(t, at+"/settle", nil).refused(t, http.StatusConflict, studycircle.CodeNoReviews)
		ada.post(t, at+"/reopen", more).refused(t, http.StatusConflict, studycircle.CodeUnderReview)
		require.Equal(t, "open", bob.own(t, id)["appeal"])
		released(3, "So says Fay")
		pass(studycircle.AppealPatience + time.Second) // and she is asked to decide
		ada.post(t, at+"/settle", nil).is(t, http.StatusOK)
		require.NotContains(t, bob.own(t, id), "appeal")
		var reasons []any
		for _, st := range bob.get(t, at+"/mark").is(t, http.StatusOK).json(t)["settlements"].([]any) {
			reasons = append(reasons, st.(doc)["reason"])
		}
		require.Equal(t, []any{"enough-reviews", "early", "time", "early"}, reasons)
	})
}

// Where fewer than two members are free to look at it, the creator is asked to decide an appeal at once, and the
// submitter is told so. With two, they are asked first.
func TestAnAppealInASmallClassGoesToItsCreator(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		class := n.people(t, "Bob", "Cem", "Dan", "Eve")
		bob := class[0]
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", class...)
		of := ada.publishIn(t, circle, "Tides", n.clock.now().Add(5*24*time.Hour), 3)
		settled := func() string {
			id := bob.submit(t, of)
			for _, c := range class[1:] {
				require.Equal(t, id, c.task(t, of)["submissionId"])
				c.patch(t, "/api/submissions/"+id, doc{"marks": 8}).is(t, http.StatusOK)
			}
			return id
		}
		why := doc{"reason": "Page two was overlooked."}

		small := settled()
		require.Equal(t, true, bob.post(t, "/api/submissions/"+small+"/appeal", why).is(t, http.StatusCreated).json(t)["creatorDecides"])
		found := ada.result(t, of, small)
		require.Equal(t, true, found["may"].(doc)["waits"])
		want := []string{"past handed-in", "past settled", "past appeal", "past asked", "now decision", "next model"}
		require.Equal(t, want, kinds(found["timeline"]))
		require.Equal(t, "open", bob.own(t, small)["appeal"])
		require.Contains(t, ada.kinds(t, "Tides"), "appeal")
		ada.post(t, "/api/submissions/"+small+"/reopen", doc{"action": "set-mark", "mark": 9, "reason": "Page two is right."}).is(t, http.StatusOK)
		require.InDelta(t, 9, bob.own(t, small)["givenMark"], 0)

		large := settled()
		ada.admits(t, circle, "member", n.people(t, "Fay", "Gus")...)
		require.NotContains(t, bob.post(t, "/api/submissions/"+large+"/appeal", why).is(t, http.StatusCreated).json(t), "creatorDecides")
		require.Equal(t, false, ada.result(t, of, large)["may"].(doc)["waits"])
	})
}
