package nodetest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

func known(mark int) doc { return doc{"mark": mark, "reason": "I have read it."} }

// looks returns the submissions that an assignment's looks name, with the falls.
func (c *client) looks(t *testing.T, of string) (ids []string, falls map[string]float64) {
	t.Helper()
	falls = map[string]float64{}
	for _, row := range c.get(t, "/api/assignment/"+of+"/looks").is(t, http.StatusOK).json(t)["data"].([]any) {
		id := row.(doc)["_id"].(string)
		ids, falls[id] = append(ids, id), row.(doc)["fall"].(float64)
	}
	return ids, falls
}

// reviewAll has a user review everything of an assignment that the queue gives, with a mark for each submission.
func (c *client) reviewAll(t *testing.T, of string, marks map[string]int) {
	t.Helper()
	for {
		a := c.post(t, "/api/reviews/next", doc{"assignmentId": of})
		if a.status == http.StatusNoContent {
			return
		}
		id := a.is(t, http.StatusOK).text(t, "submissionId")
		c.patch(t, "/api/submissions/"+id, doc{"marks": marks[id]}).is(t, http.StatusOK)
	}
}

// A creator's mark makes a submission known work: it settles the submission at any time, is told and recorded with its
// reason, and teaches the model how the reviewers mark, as an exemplar would.
func TestKnownWorkSettlesAndTeaches(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Eve")
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
		first, second := bob.submit(t, of), cem.submit(t, of)
		at := "/api/submissions/" + first
		require.Equal(t, true, ada.result(t, of, first)["may"].(doc)["known"])
		for _, c := range []*client{bob, cem, eve} {
			c.put(t, at+"/known", known(9)).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			c.get(t, "/api/assignment/"+of+"/looks").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		}
		n.visitor().put(t, at+"/known", known(9)).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		ada.put(t, at+"/known", known(21)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.mark")
		ada.put(t, at+"/known", doc{"mark": 9, "reason": ""}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		ada.put(t, "/api/submissions/none/known", known(9)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		single := ada.publish(t, "marks", 20)
		ada.put(t, "/api/submissions/"+bob.submit(t, single)+"/known", known(9)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		sample := ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(12)).id(t)
		ada.put(t, "/api/submissions/"+sample+"/known", known(9)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		// Eve gives twice what the work is worth; the others say what it is worth.
		ids, _ := ada.looks(t, of)
		require.Empty(t, ids, "no review yet")
		eve.reviewAll(t, of, map[string]int{first: 18, second: 18, sample: 12})
		ids, falls := ada.looks(t, of)
		require.ElementsMatch(t, []string{first, second}, ids, "no exemplar")
		require.InDelta(t, 100, falls[first]+falls[second], 2, "each is half of all there is, and teaches a little")
		ada.put(t, at+"/known", known(9)).modified(t, 1)
		own := bob.own(t, first)
		require.Equal(t, "completed", own["status"])
		require.InDelta(t, 9, own["givenMark"], 0)
		history := bob.get(t, at+"/mark").is(t, http.StatusOK).json(t)["settlements"].([]any)
		require.Len(t, history, 1)
		require.Equal(t, []any{"creator", "known", "I have read it."}, []any{history[0].(doc)["by"], history[0].(doc)["reason"], history[0].(doc)["words"]})
		require.Len(t, bob.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["data"], 1, "the reviews are released")

		ids, _ = ada.looks(t, of)
		require.Equal(t, []string{second}, ids, "known work needs no look")

		for _, c := range n.people(t, "Dot", "Fay") {
			c.reviewAll(t, of, map[string]int{second: 10, sample: 12})
		}
		if cem.own(t, second)["status"] == "pending" { // the reviews differ much
			ada.post(t, "/api/submissions/"+second+"/settle", nil).modified(t, 1)
		}
		explained := cem.get(t, "/api/submissions/"+second+"/mark").is(t, http.StatusOK).json(t)
		for _, r := range explained["reviews"].([]any) {
			if r.(doc)["mark"].(float64) == 18 {
				require.Positive(t, r.(doc)["strictness"], "the known work says that this reviewer is generous")
			} else {
				require.InDelta(t, 0, r.(doc)["strictness"], 0)
			}
		}
		ada.put(t, at+"/known", known(11)).modified(t, 1)
		require.InDelta(t, 11, bob.own(t, first)["givenMark"], 0, "the creator corrects it")
		n.totalsHold(t, of)
		n.clock.advance(24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		n.totalsHold(t, of)
		bob.newSession(t)
		bob.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		for _, c := range n.people(t, "Gus", "Hal") {
			c.reviewAll(t, of, map[string]int{first: 14, sample: 12})
		}
		bob.newSession(t)
		require.Equal(t, "completed", bob.own(t, first)["status"])
		require.NotContains(t, bob.own(t, first), "appeal", "new reviewers settle an appeal against known work, too")
		n.totalsHold(t, of)
	})
}

// totalsHold requires that the scale of an assignment counts the reviewed submissions that are not known, each once.
func (n *node) totalsHold(t *testing.T, of string) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		var counted, there int
		row := tx.DB.QueryRowContext(ctx, "SELECT COALESCE(SUM(submissions), 0) FROM review_totals WHERE assignment_id = '"+of+"'")
		if err := row.Scan(&counted); err != nil {
			return err
		}
		row = tx.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM review_states WHERE known IS NULL AND reviews > 0 AND assignment_id = '"+of+"'")
		err := row.Scan(&there)
		require.Equal(t, there, counted)
		return err
	}))
}

// Organizers see names and so do not review; they mark work as known instead, but never their own.
func TestOrganizersMarkKnownWork(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		owner, oz, bob, cem := n.user(t, "Ada"), n.user(t, "Oz"), n.user(t, "Bob"), n.user(t, "Cem")
		circle := owner.circle(t, "Readers", "grading", "organizers")
		owner.admits(t, circle, "organizer", oz)
		owner.admits(t, circle, "member", bob, cem)
		of := owner.publishIn(t, circle, "Several", n.clock.now().Add(5*24*time.Hour), 3)
		own, others := oz.submit(t, of), bob.submit(t, of)
		oz.post(t, "/api/reviews/next", doc{"assignmentId": of}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
		oz.put(t, "/api/submissions/"+own+"/known", known(9)).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		require.Equal(t, false, oz.result(t, of, own)["may"].(doc)["known"])
		require.Equal(t, true, oz.result(t, of, others)["may"].(doc)["known"])
		cem.put(t, "/api/submissions/"+others+"/known", known(9)).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		oz.put(t, "/api/submissions/"+others+"/known", known(9)).modified(t, 1)
		require.InDelta(t, 9, bob.own(t, others)["givenMark"], 0)
		owner.put(t, "/api/submissions/"+own+"/known", known(8)).modified(t, 1)
	})
}

// While 32 clients mark one submission and review others, each mark is one settlement, the last one counts, and the sums
// of the model hold.
func TestConcurrentKnownWork(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		of := ada.publish(t, "reviewsNeeded", needs, "marks", 20)
		ids := make([]string, 4)
		for i := range ids {
			ids[i] = users[i].submit(t, of)
		}
		together(t, crowd, func(i int) error {
			if i%2 == 0 {
				_, err := ada.do(t.Context(), http.MethodPut, "/api/submissions/"+ids[i/2%2]+"/known", known(i%20), http.StatusOK)
				return err
			}
			id, err := users[i].reserve(t.Context(), of)
			if err != nil || id == "" {
				return err
			}
			_, err = users[i].do(t.Context(), http.MethodPatch, "/api/submissions/"+id, doc{"marks": 10}, http.StatusOK, http.StatusConflict)
			return err
		})
		for i := range 2 {
			history := users[i].get(t, "/api/submissions/"+ids[i]+"/mark").is(t, http.StatusOK).json(t)
			settlements, marked := history["settlements"].([]any), 0
			for _, s := range settlements {
				if s.(doc)["reason"] == "known" {
					marked++
				}
			}
			require.Equal(t, crowd/4, marked)
			require.Equal(t, settlements[len(settlements)-1].(doc)["mark"], users[i].own(t, ids[i])["givenMark"])
		}
		n.totalsHold(t, of)
	})
}

// From five reviews of exemplars and settled submissions on, a reviewer alone learns how they review.
func TestHowYouReview(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		habit := func(c *client) any { return c.get(t, "/api/reviews").is(t, http.StatusOK).json(t)["howYouReview"] }
		sample, worth := ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(12)).id(t), map[string]int{}
		hers := map[string]int{sample: 10}
		for i, c := range n.people(t, "Bob", "Cem", "Dot", "Fay") {
			id := c.submit(t, of)
			worth[id], hers[id] = 4+4*i, 2+4*i
		}
		eve.reviewAll(t, of, hers)
		require.Nil(t, habit(eve), "nothing is settled")
		settled := 0
		for id, mark := range worth {
			require.Nil(t, habit(eve), "%d and the exemplar", settled)
			ada.put(t, "/api/submissions/"+id+"/known", known(mark)).modified(t, 1)
			settled++
		}
		require.Equal(t, doc{"reviews": 5., "strictness": -10., "distance": 0., "follows": "closely"}, habit(eve))
		require.Nil(t, habit(ada))
	})
}
