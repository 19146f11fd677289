package nodetest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A parameter that is given twice is refused: two readers could each take another one.
func TestParametersGivenTwice(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Physics")
		for path, at := range map[string]string{
			"/api/assignments?page=1&page=2": "page", "/api/assignments?search=a&limit=5&search=a": "search",
			"/api/submissions?status=pending&status=": "status",
		} {
			ada.get(t, path).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query."+at)
		}
		roster := "/api/circle/" + circle + "/roster?dryRun=true&dryRun=false"
		ada.post(t, roster, raw("email\nbob@example.org\n"), csvFile).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.dryRun")
		ada.get(t, "/api/assignments?unknown=1&unknown=2").is(t, http.StatusOK)
	})
}

// The answers to outsiders, moderators among them, are the same for an id of a circle as for an unknown one.
func TestAnswersTellNoIDsOfCircles(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Eve")
		circle := ada.circle(t, "Physics")
		ada.admits(t, circle, "member", bob, cem)
		of := ada.publish(t, "circleId", circle, "reviewsNeeded", 2)
		hidden := bob.publish(t, "circleId", circle)
		gone := ada.publish(t, "circleId", circle)
		work := bob.submit(t, of)
		said := bob.write(t, of, "In the circle")
		cem.post(t, "/api/assignment/"+hidden+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		report := ada.reported(t, circle)[0]["_id"].(string)
		ada.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		ada.del(t, "/api/assignment/"+gone).is(t, http.StatusOK)
		const unknown = "06h1vd8xv0000000000000000"

		for _, c := range []*client{mo, eve} {
			for kind, ids := range map[string][]string{
				"assignment": {of, hidden, gone}, "comment": {said}, "submission": {work}, "review": {work},
			} {
				want := c.post(t, "/api/moderation/restore", doc{"kind": kind, "id": unknown})
				for _, id := range ids {
					got := c.post(t, "/api/moderation/restore", doc{"kind": kind, "id": id})
					require.Equal(t, want.comparable(), got.comparable(), "%s restores %s %s", c.email, kind, id)
				}
			}
			want := c.post(t, "/api/reviews/next", doc{"assignmentId": unknown})
			for i, id := range []string{of, hidden, gone, work, circle} {
				got := c.post(t, "/api/reviews/next", doc{"assignmentId": id})
				require.Equal(t, want.comparable(), got.comparable(), "%s asks for %s, the %d.", c.email, id, i)
			}
		}
	})
}

// A user who holds a submission gets it by the id of any assignment that they see, and learns by no other id whether an
// assignment exists. A deleted one is seen as long as the pending list has it, and its submissions are still reviewed.
func TestNextReviewTellsNoIDs(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Eve")
		circle := eve.circle(t, "Physics")
		foreign := eve.publish(t, "circleId", circle, "reviewsNeeded", 2)
		seen, hidden := ada.publish(t), ada.publish(t, "reviewsNeeded", 2)
		gone, empty := ada.publish(t, "reviewsNeeded", 2), ada.publish(t, "reviewsNeeded", 2)
		bob.submit(t, hidden)
		work := bob.submit(t, gone)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, hidden)
		ada.del(t, "/api/assignment/"+gone).is(t, http.StatusOK)
		ada.del(t, "/api/assignment/"+empty).is(t, http.StatusOK)

		unseen := []string{foreign, hidden, empty, circle, work, "06h1vd8xv0000000000000000", "nothing"}
		next := func(id string) *answer { return cem.post(t, "/api/reviews/next", doc{"assignmentId": id}) }
		none := next(unseen[0]).refused(t, http.StatusNotFound, studycircle.CodeNotFound).comparable()
		for range 2 {
			for _, id := range unseen {
				require.Equal(t, none, next(id).comparable(), id)
			}
			require.Equal(t, work, cem.task(t, gone)["submissionId"])
		}
		require.Equal(t, work, cem.task(t, gone)["submissionId"])
		require.Equal(t, work, next(seen).is(t, http.StatusOK).json(t)["submissionId"])
		cem.patch(t, "/api/submissions/"+work, doc{"marks": 7}).is(t, http.StatusOK)
		cem.idle(t, gone)
		cem.idle(t, seen)
		bob.idle(t, gone)
		eve.task(t, gone)
		eve.patch(t, "/api/submissions/"+work, doc{"marks": 7}).is(t, http.StatusOK)
		for _, c := range []*client{ada, bob, cem, eve} {
			c.unseen(t, gone)
		}
	})
}
