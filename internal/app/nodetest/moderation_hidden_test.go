package nodetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// surfaces returns all reads of the API document with the given ids, so that new ones are
// covered, too.
func surfaces(t *testing.T, ids map[string][]string) (paths []string) {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(text, &document))
	for path, operations := range document.Paths {
		if _, reads := operations["get"]; !reads || path == "/api/events" || strings.HasPrefix(path, "/api/auth/oidc/") {
			continue
		}
		group, _, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
		for _, id := range append([]string{"none"}, ids[group]...) {
			filled := strings.ReplaceAll(path, "{id}", id)
			paths = append(paths, filled, filled+"?limit=100", filled+"?status=pending", filled+"?search=canary")
		}
	}
	require.Greater(t, len(paths), 40)
	return append(paths, "/", "/assignments", "/assignments?search=canary", "/assignment/"+ids["assignment"][0], "/pending-assignments", "/attemded-assignments")
}

// Hidden content disappears on every node at once, for every viewer but its author; once restored, all see it again.
func TestHiddenContentIsNowhere(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		a, b := w.startTwo(t)
		ada, bob, eve := a.user(t, "Ada"), a.user(t, "Bob"), a.user(t, "Eve")
		of := ada.publish(t, "title", "Canary in a title", "description", "A canary sings")
		other := ada.publish(t, "title", "Another")
		said := bob.write(t, other, "The canary said")
		thread := eve.write(t, other, "What did it say?")
		answer := bob.reply(t, other, thread, "A canary answered")
		answered := bob.write(t, other, "A canary asks")
		eve.reply(t, other, answered, "Nobody knows")
		bob.submit(t, of)
		ada.grade(t, eve.submit(t, of), 5)
		bob.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		calendar := strings.TrimPrefix(bob.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url"), a.public)
		ids := map[string][]string{"assignment": {of, other}, "comment": {said, thread, answer, answered}}
		readers := []*client{a.visitor(), ada, bob, eve}
		sightings := func(except ...*client) (seen []string) {
			for _, path := range append(surfaces(t, ids), calendar) {
				for _, who := range readers {
					for _, on := range []*node{a, b} {
						own := false
						for _, e := range except {
							own = own || e == who
						}
						got := who.at(on).get(t, path)
						if !own && strings.Contains(strings.ToLower(strings.ReplaceAll(string(got.body), "search=canary", "")), "canary") {
							seen = append(seen, who.name+" "+path)
						}
					}
				}
			}
			return seen
		}
		seen := strings.Join(sightings(), "\n")
		for _, surface := range []string{calendar, "/api/dashboard", "/api/notifications", "/api/assignments", "/api/comment/" + said, "/assignments?search=canary"} {
			require.Contains(t, seen, surface)
		}
		heard := eve.at(b).hears(t)
		defer heard.close()
		eve.confirmed(t)
		ada.grade(t, eve.submit(t, of), 6) // its email is sent after some seconds
		a.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		for _, id := range []string{said, answer, answered} {
			a.moderate(t, studycircle.Hide, studycircle.OfComment, id)
		}
		for told := ""; told != string(studycircle.EventsReset); { // events contain only kinds and ids
			e, err := heard.next()
			require.NoError(t, err)
			told = e.kind
		}
		// Authors see their own content: assignments by address, the notice of the decision, comments and exported data.
		for _, seen := range sightings() {
			own := strings.HasPrefix(seen, "Bob /api/comment/") || strings.HasPrefix(seen, "Bob /api/assignment/"+other+"/comments") ||
				strings.HasPrefix(seen, "Ada /api/assignment/"+of) || strings.HasPrefix(seen, "Ada /api/notifications") || strings.Contains(seen, "/api/auth/export")
			require.True(t, own, seen)
		}
		hidden := ada.at(b).get(t, "/api/assignment/"+of).is(t, http.StatusOK).json(t)
		require.Equal(t, doc{"reason": "Not here"}, hidden["hidden"])
		require.Equal(t, "Canary in a title", hidden["title"])
		// Its page exists for them only, and its first HTML contains nothing of it.
		for who, status := range map[*client]int{ada: http.StatusOK, bob: http.StatusNotFound} {
			page := b.visitor().get(t, "/assignment/"+of, header{"Cookie", "session=" + who.newSession(t)}).is(t, status)
			require.NotContains(t, string(page.body), "Canary")
		}
		for _, who := range []*client{a.visitor(), bob, eve} {
			who.at(b).get(t, "/api/assignment/"+of).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			who.at(b).get(t, "/api/assignment/"+of+"/comments").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		var mailed string
		require.Eventually(t, func() bool {
			for _, l := range a.mails.letters(t, eve.email) {
				mailed += l.subject + l.text + l.html
			}
			return strings.Contains(mailed, studycircle.HiddenTitle)
		}, time.Minute, 20*time.Millisecond)
		require.NotContains(t, strings.ToLower(mailed), "canary")
		require.Equal(t, doc{"reason": "Not here"}, bob.at(b).comment(t, said)["hidden"])
		eve.at(b).get(t, "/api/comment/"+said).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		threads, rest := eve.at(b).threads(t, other, "")
		require.InDelta(t, 2, rest["pagination"].(doc)["total"], 0)
		require.InDelta(t, 0, threads[0]["replyCount"], 0)
		require.Equal(t, true, threads[1]["deleted"], "others' replies to it stay")
		eve.at(b).patch(t, "/api/comment/"+answer, doc{"text": "x"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.at(b).patch(t, "/api/comment/"+answer, doc{"text": "x"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		b.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
		for _, id := range []string{said, answer, answered} {
			b.moderate(t, studycircle.Restore, studycircle.OfComment, id)
		}
		a.visitor().get(t, "/api/assignment/"+of).is(t, http.StatusOK)
		require.Len(t, a.found(t, "canary"), 1)
		require.Contains(t, string(a.visitor().get(t, calendar).body), "Canary")
		threads, rest = a.visitor().threads(t, other, "")
		require.InDelta(t, 3, rest["pagination"].(doc)["total"], 0)
		require.InDelta(t, 1, threads[1]["replyCount"], 0)
		require.Equal(t, "Canary in a title", bob.get(t, "/api/submissions").array(t)[0]["assignmentTitle"])
		graded, _ := eve.notifications(t, "")
		require.Equal(t, "Canary in a title", graded[0]["title"])
	})
}

// Submissions for a hidden assignment leave the pending list, also those with one grade, and return when the
// assignment is restored.
func TestPendingListLeavesOutWorkOfHiddenAssignments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		hidden, other := ada.publish(t), ada.publish(t)
		first, second, third := bob.submit(t, hidden), eve.submit(t, hidden), bob.submit(t, other)
		pending := func(want ...string) {
			t.Helper()
			answer := ada.get(t, "/api/submissions?status=pending").is(t, http.StatusOK)
			var ids []string
			for _, s := range answer.array(t) {
				ids = append(ids, s["_id"].(string))
			}
			require.Equal(t, want, ids)
			require.Equal(t, fmt.Sprint(len(want)), answer.header.Get("X-Total-Count"))
		}
		pending(first, second, third)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, hidden)
		pending(third)
		// Submissions that are graded or withdrawn meanwhile do not return.
		eve.del(t, "/api/submissions/"+second+"/own").is(t, http.StatusOK)
		pending(third)
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, hidden)
		pending(first, third)
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, hidden)
		ada.grade(t, first, 3)
		pending(third)
		n.moderate(t, studycircle.Restore, studycircle.OfAssignment, hidden)
		pending(third)
	})
}
