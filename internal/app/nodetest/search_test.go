package nodetest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// searched returns what a search of everything finds.
func (c *client) searched(t *testing.T, text string) doc {
	t.Helper()
	return c.get(t, "/api/search?search="+url.QueryEscape(text)).is(t, http.StatusOK).json(t)
}

// nothingFound is what a search answers that finds nothing.
func nothingFound() doc {
	return doc{
		"assignments": []any{}, "publicTotal": 0.0, "circles": []any{}, "submissions": []any{}, "submissionsTotal": 0.0,
	}
}

// Members find a circle's work with its name, and all users find the hall's and their own. Outsiders and former members
// find nothing of the circle but what they handed in, which the circle's name does not stand beside.
func TestSearchFindsWhatOneMaySee(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		circle := ada.circle(t, "Tidal readers")
		ada.admits(t, circle, "member", bob, cleo)
		due := n.clock.now().Add(5 * 24 * time.Hour)
		beside := ada.publishIn(t, circle, "Moons", due)
		ada.put(t, "/api/assignment/"+beside, with(assignment(), "title", "Moons", "description", "Why tides rise.")).is(t, http.StatusOK)
		inside := ada.publishIn(t, circle, "Tides in a circle", due)
		public := ada.publish(t, "title", "Tides in the hall")
		of := func(id, title string) doc { return doc{"_id": id, "title": title} }
		named := func(d doc) doc { return with(d, "circleId", circle, "circleName", "Tidal readers") }
		hall := of(public, "Tides in the hall")

		require.Equal(t, with(nothingFound(), "publicTotal", 1.0,
			"assignments", []any{hall, named(of(inside, "Tides in a circle")), named(of(beside, "Moons"))},
		), bob.searched(t, "tides"))
		require.Equal(t, with(nothingFound(), "circles", []any{doc{"_id": circle, "name": "Tidal readers"}}), bob.searched(t, "tidal read"))
		outside := with(nothingFound(), "publicTotal", 1.0, "assignments", []any{hall})
		for _, c := range []*client{eve, mo} {
			require.Equal(t, outside, c.searched(t, "tides"), c.name)
			require.Equal(t, nothingFound(), c.searched(t, "tidal"), c.name)
		}
		n.visitor().get(t, "/api/search?search=tides").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, text := range []string{"", " ", "%", "tides suns", "ides"} {
			require.Equal(t, nothingFound(), bob.searched(t, text), "%q", text)
		}

		mine := cleo.submit(t, inside)
		handedIn := cleo.searched(t, "tides")["submissions"].([]any)
		require.Len(t, handedIn, 1)
		require.Equal(t, named(doc{"_id": mine, "assignmentTitle": "Tides in a circle", "status": "pending", "submittedAt": handedIn[0].(doc)["submittedAt"]}), handedIn[0])
		require.Empty(t, bob.searched(t, "tides")["submissions"])
		ada.removes(t, circle, cleo)
		after := cleo.searched(t, "tides")
		require.Equal(t, []any{hall}, after["assignments"])
		require.NotContains(t, fmt.Sprint(after), circle)
		require.NotContains(t, fmt.Sprint(after), "Tidal")
		require.Len(t, after["submissions"], 1, "it is Cleo's own")
		require.InDelta(t, 1, after["submissionsTotal"], 0)

		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, public)
		ada.del(t, "/api/assignment/"+beside).is(t, http.StatusOK)
		require.Equal(t, with(nothingFound(), "assignments", []any{named(of(inside, "Tides in a circle"))}), bob.searched(t, "tides"))
		ada.del(t, "/api/circle/"+circle).is(t, http.StatusOK)
		require.Equal(t, nothingFound(), bob.searched(t, "tides"))
		require.Equal(t, nothingFound(), bob.searched(t, "tidal"))
	})
}

func TestSearchIsBounded(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Readers")
		for i := range 9 {
			ada.publish(t, "title", fmt.Sprint("Moon ", i))
			ada.publishIn(t, circle, fmt.Sprint("Sea moon ", i), n.clock.now().Add(time.Hour))
		}
		found := ada.searched(t, "moon")
		require.Len(t, found["assignments"], 8)
		require.InDelta(t, 9, found["publicTotal"], 0)
		for query, location := range map[string]string{
			"search=" + strings.Repeat("x", 201): "query.search", "search=%00": "query.search", "search=a&search=b": "query.search",
		} {
			ada.get(t, "/api/search?"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, location)
		}
		ada.get(t, "/api/search?search="+strings.Repeat("x", 200)).is(t, http.StatusOK)
	})
}

// A member of as many circles as there may be finds what is in the last of them.
func TestSearchOfAllCircles(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		n.holds(t, bob, "member", studycircle.MaxMemberships-1)
		circle := ada.circle(t, "Readers")
		ada.publishIn(t, ada.circle(t, "Others"), "Moons elsewhere", n.clock.now().Add(time.Hour))
		ada.admits(t, circle, "member", bob)
		moons := ada.publishIn(t, circle, "Moons", n.clock.now().Add(time.Hour))
		require.Equal(t, []any{doc{"_id": moons, "title": "Moons", "circleId": circle, "circleName": "Readers"}}, bob.searched(t, "moo")["assignments"])
	})
}

func TestOwnSubmissionsAreSearched(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		var ids []string
		for _, title := range []string{"Étude of tides", "Winds", "Tidal études"} {
			ids = append(ids, bob.submit(t, ada.publish(t, "title", title)))
		}
		ada.grade(t, ids[0], 5)
		list := func(query string) (found []string, a *answer) {
			t.Helper()
			a = bob.get(t, "/api/submissions?submittedBy=bob@example.org&"+query).is(t, http.StatusOK)
			for _, one := range a.array(t) {
				found = append(found, one["_id"].(string))
			}
			require.NotEmpty(t, a.header.Get("X-Total-Count"))
			return found, a
		}
		for query, want := range map[string][]string{
			"search=etude": {ids[2], ids[0]}, "search=étude+tid": {ids[0]}, "search=tides+étude": {ids[0]}, "search=tide+étude": nil, "search=etude+tide": {ids[0]}, "search=études+tid": {ids[2]},
			"search=etude&status=completed": {ids[0]}, "search=wind&status=completed": nil, "search=%20": {ids[2], ids[1], ids[0]}, "search=%25": nil,
		} {
			for range 3 { // the third answer is one that is kept
				found, _ := list(query)
				require.Equal(t, want, found, query)
			}
		}
		first, a := list("search=etude&limit=1")
		require.Equal(t, []string{ids[2]}, first)
		require.Equal(t, "2", a.header.Get("X-Total-Count"))
		require.Contains(t, a.header.Get("Link"), "search=etude")
		second, _ := list("search=etude&limit=1&page=2")
		require.Equal(t, []string{ids[0]}, second)
		bob.get(t, "/api/submissions?search=tides&status=pending").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.search")
		bob.get(t, "/api/submissions?submittedBy=bob@example.org&search="+strings.Repeat("x", 201)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.search")
	})
}
