package nodetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// moderated runs f on both engines with mo@example.org as the moderator.
func moderated(t *testing.T, f func(t *testing.T, n *node, mo *client)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		w.moderators = []string{"Mo@Example.org "}
		n := w.startWhereAsked(t)
		mo := n.user(t, "Mo")
		mo.verify(t)
		f(t, n, mo)
	})
}

// verify verifies c's email address.
func (c *client) verify(tb testing.TB) {
	tb.Helper()
	account, err := c.n.app.Store.AccountByEmail(tb.Context(), c.email)
	require.NoError(tb, err)
	require.NoError(tb, c.n.app.Store.Write(tb.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.VerifyEmail(ctx, account.ID, c.n.clock.now())
	}))
	c.newSession(tb)
}

func TestReports(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		id := bob.write(t, of, "You are all stupid")
		at := "/api/comment/" + id + "/report"
		n.visitor().post(t, at, doc{"reason": "Rude"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, reason := range []string{"", " ", strings.Repeat("x", 501)} {
			eve.post(t, at, doc{"reason": reason}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		}
		eve.post(t, "/api/comment/nothing/report", doc{"reason": "Rude"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.post(t, "/api/assignment/nothing/report", doc{"reason": "Rude"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		first := eve.post(t, at, doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		require.Equal(t, first, eve.post(t, at, doc{"reason": "Very rude"}).is(t, http.StatusOK).text(t, "insertedId"))
		ada.post(t, at, doc{"reason": "So rude"}).is(t, http.StatusCreated)
		second := eve.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Copied"}).id(t)

		for _, other := range []*client{ada, bob, eve} {
			other.get(t, "/api/reports").refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
			other.post(t, "/api/reports/"+first, doc{"action": "hide"}).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		}
		open := mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)
		require.InDelta(t, 2, open["pagination"].(doc)["total"], 0)
		oldest := open["data"].([]any)[0].(doc)
		require.Equal(t, doc{
			"_id": first, "kind": "comment", "subjectId": id, "assignmentId": of, "assignmentTitle": "Essay on tides", "text": "You are all stupid",
			"html": "<p>You are all stupid</p>\n", "authorName": "Bob", "reason": "Rude", "createdAt": oldest["createdAt"],
			"count": 2.0, "mayDecide": true,
		}, oldest, "who reported is not in it")
		mo.post(t, "/api/reports/"+first, doc{"action": "burn"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.action")
		mo.post(t, "/api/reports/nothing", doc{"action": "hide"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/reports/"+second, doc{"action": "dismiss"}).is(t, http.StatusOK).json(t))
		n.visitor().get(t, "/api/assignment/"+of).is(t, http.StatusOK)
		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/reports/"+first, doc{"action": "suspend"}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, mo.post(t, "/api/reports/"+second, doc{"action": "dismiss"}).is(t, http.StatusOK).json(t))
		require.Empty(t, mo.get(t, "/api/reports").json(t)["data"], "one decision answers all reports of the same")
		bob.endsWithinFiveSeconds(t)
		n.visitor().post(t, "/api/auth/login", doc{"email": bob.email, "password": password}).refused(t, http.StatusForbidden, studycircle.CodeUserDisabled)

		var log []string
		require.NoError(t, n.app.Store.EachModeration(t.Context(), func(m studycircle.Moderation) error {
			log = append(log, fmt.Sprint(m.Moderator, " ", m.Action, " ", m.Subject.Kind, " ", m.Reason))
			return nil
		}))
		require.Equal(t, []string{"mo@example.org dismiss assignment Copied", "mo@example.org hide comment Rude", "mo@example.org suspend user Rude"}, log)
	})
}

// An unverified address gives no rights.
func TestModeratorsHaveVerifiedAddresses(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.moderators = []string{"mo@example.org"}
		n := w.start(t)
		mo := n.user(t, "Mo")
		mo.get(t, "/api/reports").refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		mo.verify(t)
		mo.get(t, "/api/reports").is(t, http.StatusOK)
		// The session says so to the moderator, and to no other user.
		session := func(c *client) any {
			cookie := header{"Cookie", "session=" + c.newSession(t)}
			return n.visitor().get(t, "/api/auth/session", cookie).is(t, http.StatusOK).json(t)["user"].(doc)["moderator"]
		}
		require.Equal(t, true, session(mo))
		require.Nil(t, session(n.user(t, "Ada")))
	})
}

// moderate applies a moderator's decision through the store.
func (n *node) moderate(t *testing.T, action studycircle.ModerationAction, kind studycircle.SubjectKind, id string) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		changed, err := tx.Moderate(ctx, studycircle.Moderation{
			Moderator: studycircle.ByShell, Action: action, Subject: studycircle.Subject{Kind: kind, ID: id}, Reason: "Not here", At: n.clock.now().UTC(),
		})
		require.True(t, changed)
		return err
	}))
}

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

// Hidden content is nowhere, on every node at once and for every viewer but its author;
// once restored, all see it again.
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
		// Authors see their own: assignments by address, comments and data.
		for _, seen := range sightings() {
			own := strings.HasPrefix(seen, "Bob /api/comment/") || strings.HasPrefix(seen, "Bob /api/assignment/"+other+"/comments") ||
				strings.HasPrefix(seen, "Ada /api/assignment/"+of) || strings.Contains(seen, "/api/auth/export")
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

// Concurrent reports, hiding and restoring: each decision takes effect once, and counts
// are right afterwards.
func TestConcurrentModeration(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		users := gathered(t, n)
		of := users[0].publish(t)
		id := users[0].write(t, of, "What is reported")
		reports := make([]string, crowd)
		together(t, crowd, func(i int) (err error) {
			reports[i], err = users[i].do(t.Context(), http.MethodPost, "/api/comment/"+id+"/report", doc{"reason": "Rude"}, 201)
			return err
		})
		open := mo.get(t, "/api/reports?limit=100").json(t)
		require.InDelta(t, 1, open["pagination"].(doc)["total"], 0)
		require.InDelta(t, crowd, open["data"].([]any)[0].(doc)["count"], 0)
		together(t, crowd, func(i int) error {
			_, err := mo.do(t.Context(), http.MethodPost, "/api/reports/"+reports[i], doc{"action": "hide"}, 200)
			return err
		})
		require.InDelta(t, 0, mo.get(t, "/api/reports").json(t)["pagination"].(doc)["total"], 0)
		done := 0
		require.NoError(t, n.app.Store.EachModeration(t.Context(), func(studycircle.Moderation) error { done++; return nil }))
		require.Equal(t, 1, done)
	})
}

// Moderators decide neither about themselves nor about each other; the operator does.
func TestModeratorsDoNotDecideAboutModerators(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.moderators = []string{"mo@example.org", "max@example.org"}
		n := w.startWhereAsked(t)
		mo, peer, eve := n.user(t, "Mo"), n.user(t, "Max"), n.user(t, "Eve")
		mo.verify(t)
		peer.verify(t)
		ann, under := n.user(t, "Ann"), mo.publish(t)
		own, theirs, users := mo.write(t, under, "Mine"), peer.write(t, under, "Theirs"), eve.write(t, under, "Eve's")
		for _, at := range []string{"/api/comment/" + own, "/api/comment/" + theirs, "/api/assignment/" + under, "/api/comment/" + users} {
			ann.post(t, at+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		}
		reports := mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, reports, 4)
		for i, may := range []bool{false, false, false, true} {
			require.Equal(t, may, reports[i].(doc)["mayDecide"], i)
		}
		for _, r := range reports[:3] {
			for _, action := range []string{"dismiss", "hide", "suspend"} {
				mo.post(t, "/api/reports/"+r.(doc)["_id"].(string), doc{"action": action}).refused(t, http.StatusForbidden, studycircle.CodeOperatorDecides)
			}
		}
		mo.post(t, "/api/reports/"+reports[3].(doc)["_id"].(string), doc{"action": "suspend"}).is(t, http.StatusOK)
		n.moderate(t, studycircle.Hide, studycircle.OfComment, theirs)
		require.Len(t, mo.get(t, "/api/reports").json(t)["data"], 2)
	})
}

// A submission that a moderator handed in, and a review that a moderator gave, look like
// all others to another moderator, who does not close that account.
func TestAnonymousWorkOfModeratorsLooksLikeAllOther(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.moderators = []string{"mo@example.org", "max@example.org"}
		n := w.startWhereAsked(t)
		mo, peer := n.user(t, "Mo"), n.user(t, "Max")
		mo.verify(t)
		peer.verify(t)
		creator, eve := n.user(t, "Eve"), n.user(t, "Ann")
		of := creator.publish(t, "reviewsNeeded", 2)
		for _, submitter := range []*client{peer, mo} {
			submitter.submit(t, of)
			leased := eve.task(t, of)["submissionId"].(string)
			eve.post(t, "/api/submissions/"+leased+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)
			eve.del(t, "/api/reviews/lease/"+leased).is(t, http.StatusOK)
		}
		reports := mo.get(t, "/api/reports").json(t)["data"].([]any)
		require.Len(t, reports, 2)
		theirs, own := reports[0].(doc), reports[1].(doc)
		require.Equal(t, true, theirs["mayDecide"])
		require.Equal(t, false, own["mayDecide"])
		mo.post(t, "/api/reports/"+own["_id"].(string), doc{"action": "dismiss"}).refused(t, http.StatusForbidden, studycircle.CodeOperatorDecides)
		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/reports/"+theirs["_id"].(string), doc{"action": "suspend"}).is(t, http.StatusOK).json(t))
		peer.get(t, "/api/submissions").is(t, http.StatusOK)
	})
}

// Reports of one thing are one line with their number.
func TestReportsOfOneThingAreOneLine(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada := n.user(t, "Ada")
		of := ada.publish(t)
		id, other := ada.write(t, of, "Rude words"), ada.write(t, of, "Other words")
		for i, name := range []string{"Bob", "Eve", "Ann"} {
			n.user(t, name).post(t, "/api/comment/"+id+"/report", doc{"reason": fmt.Sprint("Rude ", i)}).is(t, http.StatusCreated)
		}
		bob := n.user(t, "Dan")
		bob.post(t, "/api/comment/"+other+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		open := func() (counts []any) {
			answer := mo.get(t, "/api/reports").is(t, http.StatusOK).json(t)
			for _, r := range answer["data"].([]any) {
				counts = append(counts, r.(doc)["count"])
			}
			require.InDelta(t, len(counts), answer["pagination"].(doc)["total"], 0)
			return counts
		}
		require.Equal(t, []any{3.0, 1.0}, open())
		first := mo.get(t, "/api/reports").json(t)["data"].([]any)[0].(doc)["_id"].(string)
		mo.post(t, "/api/reports/"+first, doc{"action": "dismiss"}).is(t, http.StatusOK)
		require.Equal(t, []any{1.0}, open())
		// A later report of what was dismissed is a line again.
		bob.post(t, "/api/comment/"+id+"/report", doc{"reason": "Still rude"}).is(t, http.StatusCreated)
		require.Equal(t, []any{1.0, 1.0}, open())
	})
}

// What was handed in for a hidden assignment leaves the pending list, also where one
// grade marks it, and comes back when the assignment is restored.
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
		// What is graded or withdrawn meanwhile does not come back.
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

// A moderator's decision closes an account within one second on their node: tokens,
// streams and the calendar.
func TestSuspensionClosesAllAccessAtOnce(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		bob, eve := n.user(t, "Bob"), n.user(t, "Eve")
		id := bob.write(t, eve.publish(t), "Rude")
		address := bob.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url")
		_, file, found := strings.Cut(address, "/calendar/")
		require.True(t, found, address)
		calendar := "/calendar/" + file
		n.visitor().get(t, calendar).is(t, http.StatusOK)
		report := eve.post(t, "/api/comment/"+id+"/report", doc{"reason": "Rude"}).id(t)
		open, err := bob.listen(t.Context(), "")
		require.NoError(t, err)
		require.True(t, open.lines.Scan())
		bob.get(t, "/api/submissions").is(t, http.StatusOK)

		mo.post(t, "/api/reports/"+report, doc{"action": "suspend"}).is(t, http.StatusOK)
		closed := time.Now()
		n.visitor().get(t, calendar).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		within := 5 * time.Second
		if !n.balanced() {
			within = 1500 * time.Millisecond // one, and what a busy machine adds
			bob.get(t, "/api/submissions").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		for open.lines.Scan() {
		}
		require.Less(t, time.Since(closed), within)
		bob.endsWithinFiveSeconds(t)
	})
}
