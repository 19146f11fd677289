package nodetest

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/webtest"
)

// publishIn publishes an assignment in a circle, with several reviews if reviews says how many.
func (c *client) publishIn(t *testing.T, circleID, title string, due time.Time, reviews ...int64) string {
	t.Helper()
	fields := []any{"circleId", circleID, "title", title, "level", "easy", "marks", 10, "dueDate", due.UTC().Format(time.RFC3339)}
	for _, n := range reviews {
		fields = append(fields, "reviewsNeeded", n)
	}
	return c.publish(t, fields...)
}

// removes removes a member of a circle that c organizes.
func (c *client) removes(t *testing.T, circleID string, member *client) {
	t.Helper()
	c.del(t, "/api/circle/"+circleID+"/members/"+member.id(t)).is(t, http.StatusOK)
}

// A circle's assignments, and everything attached to them, are on no surface of users who are not members, at no time;
// lists of the hall do not change while the circle is busy.
func TestNoSurfaceShowsACircleToOthers(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators, w.web = []string{"mo@example.org"}, webtest.Built(firstHTML(t)...)
		w.clock.stand(time.Now())
		k := newWalkers(t, w)
		k.circle = k.bob.circle(t, "Canarycircle", "description", "Canarydescription")
		k.bob.admits(t, k.circle, "member", k.eve, k.dan)
		hall := func() (all []string) {
			for _, path := range []string{
				"/api/assignments", "/api/assignments?search=canary", "/api/assignments?state=due-soon", "/api/assignments?state=open", "/api/submissions?status=pending",
				"/api/assignments?sort=oldest&level=easy",
			} {
				got := k.ada.get(t, path).is(t, http.StatusOK)
				all = append(all, path+" "+got.header.Get("ETag")+" "+got.header.Get("X-Total-Count")+" "+string(got.body))
			}
			return all
		}
		before := hall()
		outside := k.ada.at(k.other).hears(t)
		defer outside.close()

		lay := func(mark string) canaries {
			c := canaries{}
			c.assignment = k.bob.publishIn(t, k.circle, "Canaryassignment"+mark, w.clock.now().Add(10*24*time.Hour))
			k.eve.put(t, "/api/assignment/"+c.assignment+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			k.dan.put(t, "/api/assignment/"+c.assignment+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			c.graded = k.eve.submit(t, c.assignment)
			k.dan.submit(t, c.assignment)
			k.dan.grade(t, c.graded, 5)
			c.thread = k.bob.write(t, c.assignment, "Canarythread"+mark)
			k.dan.reply(t, c.assignment, c.thread, "Indeed")
			c.reply = k.eve.reply(t, c.assignment, c.thread, "Canaryreply"+mark)
			c.noted = c.thread
			says := func(words ...string) func(string) bool {
				return regexp.MustCompile(strings.Join(words, "|")).MatchString
			}
			c.told = map[string]func(string) bool{
				"assignment": says("canaryassignment" + mark), "link": says(`"`+c.assignment+`"`, "/"+c.assignment), "discussion": says("canarythread"+mark, "canaryreply"+mark),
				"circle": says("canarycircle", "canarydescription"),
			}
			return c
		}
		all := map[string]canaries{"delivered": lay("delivered")}
		require.Equal(t, before, hall())
		k.ada.publish(t, "title", "The hall")
		for kind := ""; kind != string(studycircle.AssignmentCreated); {
			e, err := outside.next()
			require.NoError(t, err)
			kind = e.kind
			require.NotContains(t, []string{all["delivered"].assignment, all["delivered"].graded}, e.subject, kind)
		}
		k.passes(t, 25*time.Hour)
		all["fresh"] = lay("fresh")

		members := regexp.MustCompile(`^(Bob|Eve) `)
		seen := k.sees(t, all)
		for what, where := range seen {
			n := 0
			for one := range where {
				if members.MatchString(one) {
					n++
				}
			}
			require.Positive(t, n, what)
		}
		require.Greater(t, len(seen["fresh assignment"]), 6, "%v", seen["fresh assignment"])
		letters := k.letters(t)
		k.bob.removes(t, k.circle, k.dan)
		for _, c := range all {
			k.bob.reply(t, c.assignment, c.thread, "Canaryreplyafter") // Dan took part in the thread
		}
		for _, later := range []time.Duration{0, 25 * time.Hour} {
			if later > 0 {
				k.passes(t, later)
			}
			for what, where := range k.sees(t, all) {
				for one := range where {
					own := ownWork.MatchString(one) && strings.HasSuffix(what, " assignment") || ownWords.MatchString(one) && !strings.HasSuffix(what, " link")
					if !members.MatchString(one) && !own && !strings.HasSuffix(one, " calendar") { // its address is Eve's secret
						t.Errorf("%s, %s later: %s", what, later, one)
					}
				}
			}
		}
		for _, c := range []*client{k.ada, k.dan} {
			for _, l := range k.n.mails.letters(t, c.email)[letters[c]:] {
				require.NotContains(t, strings.ToLower(l.subject+l.text+l.html), "canary", c.name)
			}
		}
	})
}

// ownWork are the surfaces on which a former member finds the titles of what they handed in, and ownWords the one with
// their own words.
var (
	ownWork  = regexp.MustCompile(`^Dan (list-submissions|page mine|search)$`)
	ownWords = regexp.MustCompile(`^Dan export-account$`)
)

// Each list covers one place, which only its members enter; a member who is removed is refused at once on every node.
func TestListsCoverOnePlace(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		circle := bob.circle(t, "Readers")
		bob.admits(t, circle, "member", eve)
		due := time.Now().Add(5 * 24 * time.Hour)
		first := bob.publishIn(t, circle, "Tides in a circle", due)
		second := bob.publishIn(t, circle, "Winds in a circle", due)
		public := ada.publish(t, "title", "Tides in the hall")
		eve.submit(t, first)

		in := "circle=" + circle
		titles := func(c *client, query string) (ids []string) {
			t.Helper()
			got := c.get(t, "/api/assignments?"+query).is(t, http.StatusOK).json(t)
			for _, one := range got["data"].([]any) {
				ids = append(ids, one.(doc)["_id"].(string))
			}
			require.InDelta(t, len(ids), got["pagination"].(doc)["total"], 0, query)
			return ids
		}
		for query, want := range map[string][]string{
			"": {second, first}, "&sort=oldest": {first, second}, "&level=easy": {second, first}, "&search=tides": {first}, "&state=due-soon": {first, second},
			"&state=open": {second}, "&state=pending": {first}, "&state=mine": nil,
		} {
			for range 3 { // the third answer is one that is kept
				require.Equal(t, want, titles(eve, in+query), query)
			}
		}
		require.Equal(t, []string{public}, titles(eve, "search=tides"))
		require.Empty(t, titles(eve, "state=pending"))
		pending := func(c *client, query string) int {
			t.Helper()
			total, err := strconv.Atoi(c.get(t, "/api/submissions?status=pending"+query).is(t, http.StatusOK).header.Get("X-Total-Count"))
			require.NoError(t, err)
			return total
		}
		require.Equal(t, 1, pending(bob, "&"+in))
		require.Zero(t, pending(bob, ""))

		paths := []string{"/api/assignments?" + in, "/api/assignments?search=tides&" + in, "/api/assignments?state=due-soon&" + in}
		refused := func(c *client) {
			t.Helper()
			for _, path := range append(paths, "/api/assignments?state=open&"+in, "/api/submissions?status=pending&"+in) {
				c.get(t, path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			c.post(t, "/api/reviews/next", doc{"circle": circle}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			c.post(t, "/api/reviews/next", doc{"assignmentId": first}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		for _, path := range paths {
			n.visitor().get(t, path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		n.visitor().get(t, "/api/assignments?state=open&"+in).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		ada.get(t, "/api/assignments?circle=none").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		refused(ada)
		eve.post(t, "/api/reviews/next", doc{"circle": circle}).is(t, http.StatusNoContent)
		n.exec(t, "UPDATE circles SET grading = 'organizers'")
		eve.post(t, "/api/reviews/next", doc{"circle": circle}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
		eve.post(t, "/api/reviews/next", doc{"assignmentId": first}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)

		require.Len(t, titles(eve.at(other), in), 2)
		bob.removes(t, circle, eve)
		refused(eve)
		refused(eve.at(other))
	})
}
