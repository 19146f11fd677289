package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A reservation whose review would be refused is over: it is in no answer, and work elsewhere is given instead.
func TestReservationsEndWithTheRightToReview(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		endings := map[string]struct {
			end, undo func(t *testing.T, circle string, cleo *client)
			status    int // of a request for work of the same assignment
			code      studycircle.Code
		}{
			"archived": {
				end: func(t *testing.T, circle string, _ *client) {
					ada.post(t, "/api/circle/"+circle+"/archive", nil).modified(t, 1)
				},
				undo: func(t *testing.T, circle string, _ *client) {
					ada.post(t, "/api/circle/"+circle+"/unarchive", nil).modified(t, 1)
				},
				status: http.StatusConflict, code: studycircle.CodeCircleArchived,
			},
			"deleted": {
				end: func(t *testing.T, circle string, _ *client) { ada.del(t, "/api/circle/"+circle).is(t, http.StatusOK) },
				undo: func(t *testing.T, circle string, _ *client) {
					ada.post(t, "/api/circle/"+circle+"/restore", nil).is(t, http.StatusOK)
				},
				status: http.StatusNotFound, code: studycircle.CodeNotFound,
			},
			"organizer": {
				end: func(t *testing.T, circle string, cleo *client) {
					ada.patch(t, "/api/circle/"+circle+"/members/"+cleo.id(t), doc{"role": "organizer"}).is(t, http.StatusOK)
				},
				undo: func(t *testing.T, circle string, cleo *client) {
					ada.patch(t, "/api/circle/"+circle+"/members/"+cleo.id(t), doc{"role": "member"}).is(t, http.StatusOK)
				},
				status: http.StatusForbidden, code: studycircle.CodeNotGrader,
			},
			"organizers grade": {
				end: func(t *testing.T, circle string, _ *client) {
					ada.put(t, "/api/circle/"+circle, doc{"name": "Readers", "grading": "organizers"}).is(t, http.StatusOK)
				},
				undo: func(t *testing.T, circle string, _ *client) {
					ada.put(t, "/api/circle/"+circle, doc{"name": "Readers", "grading": "members"}).is(t, http.StatusOK)
				},
				status: http.StatusForbidden, code: studycircle.CodeNotGrader,
			},
		}
		for name, e := range endings {
			t.Run(name, func(t *testing.T) {
				cleo := n.user(t, "Cleo"+strings.ReplaceAll(name, " ", ""))
				circle := ada.circle(t, "Readers")
				ada.admits(t, circle, "member", bob, cleo)
				inside := ada.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour), 2)
				work := bob.submit(t, inside)
				outside := ada.publish(t, "reviewsNeeded", 2, "marks", 10)
				elsewhere := bob.submit(t, outside)
				require.Equal(t, work, cleo.task(t, inside)["submissionId"])

				e.end(t, circle, cleo)
				cleo.patch(t, "/api/submissions/"+work, doc{"marks": 5, "feedback": "Clear"}).refused(t, e.status, e.code)
				cleo.unreserved(t)
				cleo.post(t, "/api/reviews/next", doc{"assignmentId": inside}).refused(t, e.status, e.code)
				require.Equal(t, elsewhere, cleo.task(t, outside)["submissionId"])
				cleo.patch(t, "/api/submissions/"+elsewhere, doc{"marks": 5, "feedback": "Clear"}).is(t, http.StatusOK)

				// What was begun can still be sent once that is allowed again, while there is room.
				e.undo(t, circle, cleo)
				cleo.patch(t, "/api/submissions/"+work, doc{"marks": 5, "feedback": "Clear"}).is(t, http.StatusOK)
			})
		}
	})
}
