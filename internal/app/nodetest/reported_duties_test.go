package nodetest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// classOf publishes in a new circle an assignment with several reviews, and returns its owner, its members, and it.
func classOf(t *testing.T, n *node, names []string, fields ...any) (ada *client, members []*client, circle, of string) {
	t.Helper()
	ada = n.user(t, "Ada")
	circle = ada.circle(t, "Readers")
	for _, name := range names {
		c := n.user(t, name).confirmed(t)
		ada.admits(t, circle, "member", c)
		members = append(members, c)
	}
	due := n.clock.now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	of = ada.publish(t, append([]any{"circleId", circle, "marks", 20, "dueDate", due, "reviewsNeeded", 3}, fields...)...)
	return ada, members, circle, of
}

// reviewsNext reviews the next work of an assignment, and reports whether there was any.
func (c *client) reviewsNext(t *testing.T, of string) bool {
	t.Helper()
	a := c.post(t, "/api/reviews/next", doc{"assignmentId": of})
	if a.status != http.StatusOK {
		return false
	}
	c.patch(t, "/api/submissions/"+a.text(t, "submissionId"), doc{"marks": 9, "feedback": "Clear."}).is(t, http.StatusOK)
	return true
}

// kinds returns the kinds of c's notifications about an assignment, each as often as it was merged, sorted. It leaves out
// that the assignment was published: a member who hands in at once gets that only if the fan-out came first.
func (c *client) kinds(t *testing.T, title string) (all []string) {
	t.Helper()
	for _, one := range c.get(t, "/api/notifications?limit=100").is(t, http.StatusOK).json(t)["data"].([]any) {
		if one := one.(doc); one["title"] == title && one["kind"] != string(studycircle.NotifyPublished) {
			for range int(one["count"].(float64)) {
				all = append(all, one["kind"].(string))
			}
		}
	}
	slices.Sort(all)
	return all
}

func (n *node) passTime(t *testing.T, by time.Duration, all ...*client) {
	t.Helper()
	n.clock.advance(by)
	require.NoError(t, n.app.Service.PassTime(t.Context()))
	for _, c := range all {
		c.newSession(t)
	}
}

// requireNothingOwed requires that all pages say that c is done.
func requireNothingOwed(t *testing.T, c *client, of string, given float64) {
	t.Helper()
	duty := c.duty(t, of)
	require.InDelta(t, given, duty["reviewsGiven"], 0, c.name)
	require.InDelta(t, given, duty["reviewsOwed"], 0, c.name)
	require.InDelta(t, 0, duty["reviewsLeft"], 0, c.name)
	require.InDelta(t, 0, duty["reviewsAvailable"], 0, c.name)
	require.Empty(t, c.get(t, "/api/today").json(t)["turns"], c.name)
	require.InDelta(t, 0, c.reviewable(t, of), 0, c.name)
}

// Three students, three reviews each: when all have given the two that there are, no page says that they owe one, no one
// is reminded, and new work is one notification.
func TestThreeStudentsThreeReviewsEach(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC))
		ada, class, circle, of := classOf(t, n, []string{"Bob", "Cem", "Dot"})
		for _, c := range class {
			c.submit(t, of)
		}
		for _, c := range class {
			require.InDelta(t, 2, c.duty(t, of)["reviewsLeft"], 0, "there are two, and not three")
		}
		require.InDelta(t, 3, ada.owes(t, of)["owingReviews"], 0)
		for _, c := range class {
			for c.reviewsNext(t, of) {
			}
		}
		for range 4 { // on the same day, the next, after the due date, and later
			for _, c := range class {
				requireNothingOwed(t, c, of, 2)
			}
			owes := ada.owes(t, of)
			require.InDelta(t, 0, owes["owingReviews"], 0)
			require.Empty(t, owes["data"])
			require.Equal(t, doc{"remind": false}, owes["may"])
			require.InDelta(t, 0, ada.post(t, "/api/assignment/"+of+"/owes/remind", nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
			n.passTime(t, 25*time.Hour, append(class, ada)...)
			n.looks(t)
		}
		for _, c := range class {
			require.Empty(t, c.kinds(t, "Essay on tides"), c.name)
		}
		eve, fay := n.user(t, "Eve"), n.user(t, "Fay")
		ada.admits(t, circle, "member", eve, fay)
		eve.submit(t, of)
		fay.submit(t, of)
		n.passTime(t, time.Minute)
		n.passTime(t, time.Minute)
		for _, c := range class {
			require.Equal(t, []string{"review"}, c.kinds(t, "Essay on tides"), c.name)
			require.InDelta(t, 1, c.duty(t, of)["reviewsLeft"], 0, "one of the two is the third")
		}
		require.Empty(t, eve.kinds(t, "Essay on tides"), "who was never done hears of nothing")
	})
}

// A reviewer who is done and gets new work hears of it once, until they are done again. While other work is left, new work
// is no news.
func TestNewWorkIsNotifiedOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		_, class, _, of := classOf(t, n, []string{"Bob", "Cem", "Dot", "Eve", "Fay"}, "reviewsNeeded", 5, "title", "Essay on tides")
		bob, cem := class[0], class[1]
		bob.submit(t, of)
		cem.submit(t, of)
		n.passTime(t, time.Minute)
		require.Empty(t, bob.kinds(t, "Essay on tides"), "no review is given yet")
		require.True(t, bob.reviewsNext(t, of))
		class[2].submit(t, of)
		n.passTime(t, time.Minute)
		require.Equal(t, []string{"review"}, bob.kinds(t, "Essay on tides"))
		class[3].submit(t, of)
		n.passTime(t, time.Minute)
		require.Equal(t, []string{"review"}, bob.kinds(t, "Essay on tides"), "the first is not done yet")
		require.True(t, bob.reviewsNext(t, of))
		class[4].submit(t, of)
		n.passTime(t, time.Minute)
		require.Equal(t, []string{"review"}, bob.kinds(t, "Essay on tides"), "there was work")
		require.True(t, bob.reviewsNext(t, of))
		require.True(t, bob.reviewsNext(t, of))
		require.Empty(t, cem.kinds(t, "Essay on tides"), "who has given none is never done")
		bob.del(t, "/api/submissions/"+bob.get(t, "/api/submissions").array(t)[0]["_id"].(string)+"/own")
	})
}

// Cases that users of other products reported, each with the right value here.
func TestReportedDuties(t *testing.T) {
	type step struct {
		name   string // of the product and the issue
		needed int
		class  int // who hands in
		given  int // reviews that each gives, as far as there are
		left   float64
	}
	for _, c := range []step{
		{"edx-ora2 1941: a small course owes what there is", 5, 2, 0, 1},
		{"edx-ora 174: nothing is left to review, and nothing is owed", 5, 2, 1, 0},
		{"edx-ora 140: all do their part, and no one is stuck", 2, 4, 2, 0},
		{"Expertiza 77: no one has reviewed yet, and there is work for each", 2, 3, 0, 2},
		{"CPRTool 434: the only one who hands in owes none", 2, 1, 0, 0},
		{"Yale peer review 18: progress of one of two", 2, 4, 1, 1},
	} {
		t.Run(fmt.Sprint(c.name), func(t *testing.T) {
			onBothEngines(t, func(t *testing.T, n *node) {
				ada, class, circle, of := classOf(t, n, []string{"Bob", "Cem", "Dot", "Eve"}[:c.class], "reviewsNeeded", c.needed)
				zoe := n.user(t, "Zoe")
				ada.admits(t, circle, "member", zoe)
				for _, m := range class {
					m.submit(t, of)
				}
				for _, m := range class {
					for range c.given {
						m.reviewsNext(t, of)
					}
				}
				for _, m := range class {
					require.InDelta(t, c.left, m.duty(t, of)["reviewsLeft"], 0)
				}
				// CoCalc 3737: who has not handed in owes no review.
				require.InDelta(t, 0, zoe.duty(t, of)["reviewsLeft"], 0)
			})
		})
	}
}

// Four students whose three reviews each lie far apart: minutes after the last review no page says that one is owed,
// nor after they are all finalized, nor while one of them is under appeal.
func TestFourStudentsOweNothingOnTheSameDay(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC))
		ada, class, _, of := classOf(t, n, []string{"Bob", "Cem", "Dot", "Eve"})
		works := map[*client]string{}
		for _, c := range class {
			works[c] = c.submit(t, of)
		}
		for i, c := range class {
			for c.reviewsWith(t, of, []int{0, 20, 10, 0}[i]) {
			}
		}
		settled := func() {
			t.Helper()
			owes := ada.owes(t, of)
			require.InDelta(t, 0, owes["owingReviews"], 0)
			require.Empty(t, owes["data"])
			for _, c := range class {
				requireNothingOwed(t, c, of, 3)
			}
		}
		settled()
		ada.post(t, "/api/assignment/"+of+"/settle", nil).is(t, http.StatusOK)
		settled()
		class[0].post(t, "/api/submissions/"+works[class[0]]+"/appeal", doc{"reason": "Look again."}).is(t, http.StatusCreated)
		settled()
	})
}
