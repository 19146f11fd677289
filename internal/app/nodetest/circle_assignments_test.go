package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Members read an assignment of their circle with ETags on every node; organizers see addresses, others do not.
func TestAssignmentsOfACircle(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cleo)
		id := bob.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour))
		at := "/api/assignment/" + id
		may := func(change, take, decide bool) doc { return doc{"change": change, "take": take, "decide": decide} }
		for _, c := range []struct {
			by          *client
			email, mine any
			may         doc
		}{
			{ada, bob.email, nil, may(false, true, true)}, {bob, nil, true, may(true, false, true)}, {cleo, nil, nil, may(false, true, false)},
		} {
			for range 3 { // the third answer is one that is kept
				for _, node := range []*node{n, other} {
					a := c.by.at(node).get(t, at).is(t, http.StatusOK)
					got := a.json(t)
					require.Equal(t, []any{circle, "Readers", "Bob", c.email, c.mine, c.may}, []any{got["circleId"], got["circleName"], got["creatorName"], got["creatorEmail"], got["mine"], got["may"]})
					require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
					c.by.at(node).get(t, at, header{"If-None-Match", a.header.Get("ETag")}).is(t, http.StatusNotModified)
					listed := c.by.at(node).get(t, "/api/assignments?circle="+circle).is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
					require.Equal(t, []any{got["circleName"], got["creatorEmail"], got["may"]}, []any{listed["circleName"], listed["creatorEmail"], listed["may"]})
				}
			}
		}
		tag := bob.get(t, at).header.Get("ETag")
		cleo.put(t, at, assignment(), header{"If-Match", tag}).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		bob.put(t, at, assignment(), header{"If-Match", `"other"`}).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		bob.put(t, at, with(assignment(), "circleId", nil), header{"If-Match", tag}).is(t, http.StatusOK)
		require.Equal(t, circle, bob.get(t, at).is(t, http.StatusOK).text(t, "circleId"))
		ada.put(t, "/api/circle/"+circle, doc{"name": "Walkers"}).is(t, http.StatusOK)
		require.Equal(t, "Walkers", cleo.get(t, at).is(t, http.StatusOK).text(t, "circleName"))

		for _, node := range []*node{n, other} {
			node.visitor().get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			eve.at(node).get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		for _, body := range []any{"nothing", "06h0q9762psjfw46v5t4s6ns08"} {
			eve.post(t, "/api/assignments", with(assignment(), "circleId", body)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		eve.post(t, "/api/assignments", with(assignment(), "circleId", circle)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.post(t, "/api/assignments", with(assignment(), "circleId", 1)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.circleId")
		require.Nil(t, eve.get(t, "/api/assignment/"+eve.publish(t, "circleId", nil)).is(t, http.StatusOK).json(t)["circleId"])
	})
}

// A former member keeps what they handed in, with marks and reviews, read only and without a link into the circle;
// a user who rejoins finds everything again.
func TestWorkOfFormerMembers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cleo, dan, eve)
		due := time.Now().Add(5 * 24 * time.Hour)
		one, several := bob.publishIn(t, circle, "One", due), bob.publishIn(t, circle, "Several", due, 2)
		graded, reviewed := dan.submit(t, one), dan.submit(t, several)
		cleo.grade(t, graded, 5)
		for _, c := range []*client{cleo, eve} {
			c.task(t, several)
			c.patch(t, "/api/submissions/"+reviewed, doc{"marks": 6, "feedback": "Good by " + c.name}).is(t, http.StatusOK)
		}
		fay := n.user(t, "Fay")
		ada.admits(t, circle, "member", fay)
		theirs := fay.submit(t, several)
		dan.task(t, several)
		dan.patch(t, "/api/submissions/"+theirs, doc{"marks": 7, "feedback": "Mine"}).is(t, http.StatusOK)
		dan.put(t, "/api/assignment/"+one+"/reminder", doc{"remind": true}).is(t, http.StatusOK)

		reads := []string{"/api/submissions/" + graded + "/own", "/api/submissions/" + reviewed + "/own", "/api/submissions/" + reviewed + "/mark", "/api/submissions/" + reviewed + "/reviews"}
		all := func() (bodies []doc) {
			for _, path := range reads {
				bodies = append(bodies, dan.get(t, path).is(t, http.StatusOK).json(t))
			}
			return append(bodies, dan.own(t, graded), dan.own(t, reviewed))
		}
		before := all()
		require.Equal(t, []any{"Readers", one}, []any{before[0]["circleName"], before[0]["assignmentId"]})
		require.Equal(t, "Several", dan.get(t, "/api/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["assignmentTitle"])
		ada.removes(t, circle, dan)
		for _, body := range all() {
			for _, member := range []string{"circleId", "circleName", "assignmentId"} {
				require.NotContains(t, body, member)
			}
		}
		after := all()
		require.Equal(t, []any{before[0]["givenMark"], before[0]["feedback"], "One"}, []any{after[0]["givenMark"], after[0]["feedback"], after[0]["assignmentTitle"]})
		require.Equal(t, before[3]["data"], after[3]["data"])
		require.Equal(t, []any{false, false, false}, []any{after[0]["may"].(doc)["appeal"], after[2]["may"].(doc)["appeal"], after[0]["may"].(doc)["change"]})
		require.Len(t, dan.get(t, "/api/submissions?submittedBy="+dan.email).is(t, http.StatusOK).array(t), 2)
		given := dan.get(t, "/api/reviews").is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, given, 1)
		require.Equal(t, []any{"In a circle that you have left", 7.0}, []any{given[0].(doc)["assignmentTitle"], given[0].(doc)["mark"]})
		dan.post(t, "/api/submissions/"+graded+"/appeal", doc{"reason": "So"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		for _, c := range []*client{eve, ada} {
			require.NotContains(t, c.get(t, "/api/assignment/"+one).is(t, http.StatusOK).json(t), "hidden")
		}

		ada.admits(t, circle, "member", dan)
		require.Equal(t, before, all())
		require.Equal(t, "Several", dan.get(t, "/api/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["assignmentTitle"])
		dan.post(t, "/api/submissions/"+graded+"/appeal", doc{"reason": "So"}).is(t, http.StatusCreated)
	})
}
