package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// withHall starts a node with a mode of the hall.
func (w *world) withHall(t *testing.T, mode studycircle.HallMode) *node {
	t.Helper()
	w.hall = mode
	return w.startWhereAsked(t)
}

// A hall that is only read takes no new assignments; all else goes on.
func TestHallToRead(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		before := w.start(t)
		ada, bob := before.user(t, "Ada"), before.user(t, "Bob")
		of := ada.publish(t)
		n := w.withHall(t, studycircle.HallRead)
		ada, bob = ada.at(n), bob.at(n)
		ada.post(t, "/api/assignments", assignment()).refused(t, http.StatusForbidden, studycircle.CodeHallClosed)
		ada.post(t, "/api/assignments", with(assignment(), "circleId", "nothing")).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.visitor().post(t, "/api/assignments", assignment()).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		id := bob.submit(t, of)
		ada.grade(t, id, 10)
		ada.put(t, "/api/assignment/"+of, with(assignment(), "title", "Essay on winds")).is(t, http.StatusOK)
		require.Equal(t, []string{"Essay on winds"}, n.visitor().listed(t, ""))
		ada.publish(t, "circleId", ada.circle(t, "Readers"))
	})
}

// To users and visitors a hall that is off does not exist: not in lists, searches, work, dashboards and events. Circles
// go on, and what is a user's own stays theirs.
func TestHallOff(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		before := w.start(t)
		ada, bob, cleo := before.user(t, "Ada"), before.user(t, "Bob"), before.user(t, "Cleo")
		of, reviewed := ada.publish(t, "dueDate", inDays(2)), ada.publish(t, "reviewsNeeded", 2)
		id, comment := bob.submit(t, of), bob.write(t, of, "How long?")
		bob.submit(t, reviewed)
		graded := cleo.submit(t, of)
		ada.grade(t, graded, 9)
		cleo.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true})
		n := w.withHall(t, studycircle.HallOff)
		ada, bob, cleo = ada.at(n), bob.at(n), cleo.at(n)
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob)

		for _, c := range []*client{n.visitor(), ada, bob} {
			for _, query := range []string{"", "?level=medium", "?search=tides", "?sort=oldest", "?state=due-soon"} {
				a := c.get(t, "/api/assignments"+query).is(t, http.StatusOK).json(t)
				require.Empty(t, a["data"], query)
				require.InDelta(t, 0, a["pagination"].(doc)["total"], 0, query)
			}
			for _, path := range []string{"", "/comments"} {
				c.get(t, "/api/assignment/"+of+path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			c.get(t, "/api/comment/"+comment).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		require.Empty(t, bob.pending(t))
		for _, c := range []*client{ada, bob} {
			require.Equal(t, "0", c.get(t, "/api/submissions?status=pending").is(t, http.StatusOK).header.Get("X-Total-Count"))
		}
		unread := func(c *client) string {
			body := string(c.get(t, "/api/dashboard").is(t, http.StatusOK).body) + string(c.get(t, "/api/today").is(t, http.StatusOK).body)
			return body
		}
		require.NotContains(t, unread(ada), of)
		require.NotContains(t, unread(ada), reviewed)
		cleo.idle(t, "")
		for _, a := range []*answer{
			bob.post(t, "/api/submissions", submission(of)),
			bob.post(t, "/api/assignment/"+of+"/comments", doc{"text": "Still?"}),
			ada.patch(t, "/api/submissions/"+id, doc{"marks": 9}),
			ada.put(t, "/api/assignment/"+of, assignment()),
			ada.del(t, "/api/assignment/"+of),
			ada.get(t, "/api/assignment/"+of+"/submissions"),
			cleo.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}),
			cleo.post(t, "/api/reviews/next", doc{"assignmentId": reviewed}),
		} {
			a.refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		ada.post(t, "/api/assignments", assignment()).refused(t, http.StatusForbidden, studycircle.CodeHallClosed)

		// Own work is kept.
		mine := cleo.get(t, "/api/submissions").is(t, http.StatusOK)
		require.Contains(t, string(mine.body), graded)
		require.Contains(t, string(cleo.get(t, "/api/auth/export").is(t, http.StatusOK).body), graded)

		// Circles go on.
		private := ada.publishIn(t, circle, "Quiet tides", time.Now().Add(48*time.Hour))
		require.Equal(t, []string{"Quiet tides"}, bob.listed(t, "?circle="+circle))
		work := bob.submit(t, private)
		ada.grade(t, work, 5)
		cleo.get(t, "/api/assignment/"+private).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// Nothing of a hall that is off is heard, and its news reach no one.
func TestHallOffIsSilent(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		on := w.start(t)
		ada, bob := on.user(t, "Ada"), on.user(t, "Bob")
		of := ada.publish(t)
		off := w.withHall(t, studycircle.HallOff)
		circle := ada.at(off).circle(t, "Readers")
		ada.at(off).admits(t, circle, "member", bob.at(off))
		visitor, user := off.visitor().hears(t), bob.at(off).hears(t)
		ada.put(t, "/api/assignment/"+of, with(assignment(), "title", "Essay on winds")).is(t, http.StatusOK)
		ada.publish(t)
		private := ada.at(off).publishIn(t, circle, "Quiet tides", time.Now().Add(48*time.Hour))
		user.expect(t, event{kind: "assignment.created", subject: private})
		visitor.close()
	})
}

// In first HTML a hall that is off is not there: its pages bring no data, and the script leads on.
func TestFirstHTMLWithoutTheHall(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		before := w.start(t)
		ada := before.user(t, "Ada")
		of := ada.publish(t, "title", "Essay on secret tides")
		n := w.withHall(t, studycircle.HallOff)
		cookie := header{"Cookie", "session=" + ada.at(n).newSession(t)}
		for _, path := range []string{"/", "/assignments", "/assignment/" + of, "/about-Us", "/auth/login", "/join"} {
			for _, h := range [][]header{nil, {cookie}} {
				a, err := n.visitor().try(t.Context(), http.MethodGet, path, nil, h...)
				require.NoError(t, err)
				require.NotContains(t, string(a.body), "secret tides", path)
				require.Contains(t, string(a.body), `"hall":"off"`, path)
			}
		}
	})
}
