package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// assignmentAt returns the id of the assignment that a notification's URL leads to, or "".
func assignmentAt(url any) string {
	path, _ := url.(string)
	return studycircle.AssignmentIn(path)
}

// leads returns where c's notifications lead, by their kinds, and requires that no link to an assignment is refused.
func (c *client) leads(t *testing.T) map[string]any {
	t.Helper()
	all, _ := c.notifications(t, "")
	to := map[string]any{}
	for _, one := range all {
		to[one["kind"].(string)] = one["url"]
		if id := assignmentAt(one["url"]); id != "" {
			c.get(t, "/api/assignment/"+id).is(t, http.StatusOK)
		}
	}
	return to
}

// With the hall off, a notification of it stays in the list but leads to no assignment. What it tells of a user's own
// work leads there as before, and so do the notifications of circles.
func TestNotificationsOfTheHallThatIsOff(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.moderators = []string{"mo@example.org"}
		before := w.start(t)
		ada, bob, mo := before.user(t, "Ada"), before.user(t, "Bob"), before.user(t, "Mo")
		mo.verify(t)
		of := ada.publish(t)
		ada.grade(t, bob.submit(t, of), 9)
		thread := bob.write(t, of, "How long?")
		ada.reply(t, of, thread, "One page.")
		bob.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Rude"})
		hidden := ada.publish(t)
		report := bob.post(t, "/api/assignment/"+hidden+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		adas := map[string]any{"taken": "/assignment/" + of + "#results", "comment": studycircle.CommentURL(of, thread), "hidden": "/assignment/" + hidden}
		require.Equal(t, adas, ada.leads(t))
		bobs := bob.leads(t)
		require.Equal(t, map[string]any{"report": "/moderation"}, mo.leads(t))
		require.Equal(t, of, assignmentAt(bobs["reply"]))

		off := w.withHall(t, studycircle.HallOff)
		ada, bob = ada.at(off), bob.at(off)
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob)
		private := ada.publishIn(t, circle, "Quiet tides", time.Now().Add(48*time.Hour))
		bob.write(t, private, "How long?")
		off.tellsAll(t)
		all, _ := ada.notifications(t, "")
		require.Len(t, all, 4)
		require.Equal(t, private, assignmentAt(all[0]["url"]), "circles go on")
		for _, one := range all[1:] {
			require.Nil(t, one["url"], one["kind"])
			require.Equal(t, "Essay on tides", one["title"])
		}
		require.Equal(t, map[string]any{"reply": nil, "graded": "/attemded-assignments", "decided": "/notifications", "published": "/assignment/" + private}, bob.leads(t))
		require.Equal(t, map[string]any{"report": "/moderation"}, mo.at(off).leads(t), "moderators decide also about a hall that is off")

		bobs["published"] = "/assignment/" + private
		on := w.withHall(t, studycircle.HallOn)
		require.Equal(t, bobs, bob.at(on).leads(t), "once the hall is back, the links are")
	})
}

// A notification leads to no assignment that is deleted or hidden, nor into a circle that is deleted or left.
func TestNotificationsOfWhatIsRemoved(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		of := ada.publish(t)
		ada.reply(t, of, bob.write(t, of, "How long?"), "One page.")
		own := cleo.publish(t)
		report := bob.post(t, "/api/assignment/"+own+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "dismiss"}).is(t, http.StatusOK)
		require.Equal(t, map[string]any{"decided": "/assignment/" + own, "reply": bob.leads(t)["reply"]}, bob.leads(t))
		again := ada.post(t, "/api/assignment/"+own+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+again, doc{"action": "hide"}).is(t, http.StatusOK)
		require.Equal(t, map[string]any{"hidden": "/assignment/" + own}, cleo.leads(t), "creators still see it")
		require.NotContains(t, bob.leads(t), "decided")
		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		require.Empty(t, bob.leads(t))

		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cleo)
		private := ada.publishIn(t, circle, "Quiet tides", time.Now().Add(48*time.Hour))
		thread := bob.write(t, private, "How long?")
		cleo.reply(t, private, thread, "One page.")
		require.True(t, strings.HasPrefix(bob.leads(t)["reply"].(string), "/assignment/"+private))
		bob.post(t, "/api/circle/"+circle+"/leave", nil).is(t, http.StatusOK)
		require.Empty(t, bob.leads(t))
		require.Contains(t, ada.leads(t), "comment")
		ada.del(t, "/api/circle/"+circle).is(t, http.StatusOK)
		require.NotContains(t, ada.leads(t), "comment")
	})
}
