package nodetest

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// owes returns who owes what as c sees it.
func (c *client) owes(t *testing.T, assignmentID string) doc {
	t.Helper()
	return c.get(t, "/api/assignment/"+assignmentID+"/owes").is(t, http.StatusOK).json(t)
}

// names returns the display names in the rows of a list.
func names(t *testing.T, list doc) (all []string) {
	t.Helper()
	for _, row := range list["data"].([]any) {
		all = append(all, row.(doc)["displayName"].(string))
	}
	return all
}

// An assignment of a circle tells its organizers and its creator who owes what; one press reminds them all, once a day.
func TestWhoOwesWhat(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cem").confirmed(t), n.user(t, "Dot").confirmed(t), n.user(t, "Eve")
		fay := n.user(t, "Fay").confirmed(t)
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem, dot)
		for _, c := range []*client{bob, cem, dot, fay} {
			c.withoutCircleMails(t)
		}
		of := bob.publish(t, "circleId", circle, "dueDate", "2027-03-09T23:59:59Z", "reviewsNeeded", 2, "reviewsOwed", 1, "marks", 20)
		eve.get(t, "/api/assignment/"+of+"/owes").refused(t, http.StatusNotFound, "not-found")
		cem.get(t, "/api/assignment/"+of+"/owes").refused(t, http.StatusForbidden, "not-your-assignment")
		require.Equal(t, []string{"Cem", "Dot"}, names(t, ada.owes(t, of)), "organizers and the creator hand in nothing")
		work := cem.submit(t, of)
		require.Equal(t, []string{"Dot"}, names(t, bob.owes(t, of)), "Cem has no work to review")
		ada.admits(t, circle, "member", fay)
		fay.submit(t, of)
		fay.patch(t, "/api/submissions/"+fay.task(t, of)["submissionId"].(string), doc{"marks": 9, "feedback": "Clear."}).is(t, http.StatusOK)
		w.clock.stand(time.Date(2027, 3, 2, 12, 0, 0, 0, time.UTC))
		for _, c := range []*client{ada, bob, cem, eve} {
			c.newSession(t)
		}
		got := bob.owes(t, of)
		require.Equal(t, []string{"Dot", "Cem"}, names(t, got), "who has not handed in comes first")
		for field, want := range map[string]float64{"people": 3, "handedIn": 2, "notHandedIn": 1, "owingReviews": 1, "waiting": 2, "stuck": 0, "tooFewSubmitters": 2} {
			require.InDelta(t, want, got[field], 0, field)
		}
		require.Nil(t, got["data"].([]any)[0].(doc)["email"], "a member who created it sees no addresses")
		require.Equal(t, dot.email, ada.owes(t, of)["data"].([]any)[0].(doc)["email"])
		require.Equal(t, "reviews", got["submissions"].([]any)[0].(doc)["reason"])
		require.Equal(t, work, got["submissions"].([]any)[0].(doc)["_id"])
		require.Equal(t, doc{"remind": true}, got["may"])
		cem.post(t, "/api/assignment/"+of+"/owes/remind", nil).refused(t, http.StatusForbidden, "not-your-assignment")
		eve.post(t, "/api/assignment/"+of+"/owes/remind", nil).refused(t, http.StatusNotFound, "not-found")

		remind := func(c *client, want float64) {
			t.Helper()
			require.InDelta(t, want, c.post(t, "/api/assignment/"+of+"/owes/remind", nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
			n.looks(t)
		}
		remind(ada, 2)
		remind(bob, 0)
		require.Equal(t, doc{"remind": false}, bob.owes(t, of)["may"])
		n.getsLetters(t, dot.email, 1)
		n.getsLetters(t, cem.email, 1)
		require.Contains(t, n.mails.letters(t, dot.email)[0].text, "is due on Tuesday, 2027/03/09.")
		require.Contains(t, n.mails.letters(t, cem.email)[0].text, "Your reviews of")
		require.Empty(t, n.mails.letters(t, bob.email))
		w.clock.stand(w.clock.now().Add(24 * time.Hour))
		ada.newSession(t)
		remind(ada, 2)
		ada.post(t, "/api/circle/"+circle+"/archive", nil).is(t, http.StatusOK)
		w.clock.stand(w.clock.now().Add(25 * time.Hour))
		ada.newSession(t)
		require.Equal(t, doc{"remind": false}, ada.owes(t, of)["may"])
		ada.post(t, "/api/assignment/"+of+"/owes/remind", nil).refused(t, http.StatusConflict, "circle-archived")
	})
}

// A public assignment names no members: its creator learns how many owe, and reminds those who took it or asked for
// reminders.
func TestWhoOwesWhatInTheHall(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		bob.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		cem.submit(t, of)
		require.InDelta(t, 0, ada.owes(t, of)["owingReviews"], 0, "there is no work to review")
		eve := n.user(t, "Eve")
		eve.submit(t, of)
		got := ada.owes(t, of)
		require.Empty(t, got["data"])
		require.InDelta(t, 3, got["people"], 0)
		require.InDelta(t, 1, got["notHandedIn"], 0)
		require.InDelta(t, 2, got["owingReviews"], 0)
		require.InDelta(t, 3, ada.post(t, "/api/assignment/"+of+"/owes/remind", nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		for c, kinds := range map[*client][]string{bob: {"due"}, cem: {"owed"}, dot: nil} {
			var got []string
			for _, one := range c.get(t, "/api/notifications").is(t, http.StatusOK).json(t)["data"].([]any) {
				got = append(got, one.(doc)["kind"].(string))
			}
			require.Equal(t, kinds, got, c.name)
		}
	})
}

// 32 presses at once, on both nodes, notify each member once.
func TestConcurrentRemindersOfWhatIsOwed(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob)
		of := ada.publish(t, "circleId", circle)
		var reminded atomic.Int64
		statuses := atOnce(t, func(i int) (*answer, error) {
			a, err := ada.at([]*node{n, other}[i%2]).try(t.Context(), http.MethodPost, "/api/assignment/"+of+"/owes/remind", nil)
			if err == nil && strings.Contains(string(a.body), `"modifiedCount":1`) {
				reminded.Add(1)
			}
			return a, err
		})
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		require.EqualValues(t, 1, reminded.Load())
		n.tellsAll(t)
		require.Equal(t, []string{"due"}, bob.kinds(t, "Essay on tides"))
	})
}
