package nodetest

import (
	"context"
	"fmt"
	"net/http"
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
			"count": 2.0, "mayDecide": true, "maySuspend": true,
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
	changed, err := n.decides(t, action, kind, id)
	require.NoError(t, err)
	require.True(t, changed)
}

// decides is moderate for other goroutines than the test's. Like clients, it retries a write
// that found the database too busy, which has changed nothing.
func (n *node) decides(t *testing.T, action studycircle.ModerationAction, kind studycircle.SubjectKind, id string) (changed bool, err error) {
	t.Helper()
	for {
		err = n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) (err error) {
			changed, err = tx.Moderate(ctx, studycircle.Moderation{
				Moderator: studycircle.ByShell, Action: action, Subject: studycircle.Subject{Kind: kind, ID: id}, Reason: "Not here", At: n.clock.now().UTC(),
			})
			return err
		})
		if err == nil || studycircle.CodeOf(err) != studycircle.CodeUnavailable {
			return changed, err
		}
	}
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

// Moderators decide on no moderator, themselves included; the operator does.
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

// A moderator's submission or review looks to other moderators like any other, but they do not suspend its author.
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

// Several reports of one subject are one row with their number.
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
		// A new report of a dismissed subject is a row again.
		bob.post(t, "/api/comment/"+id+"/report", doc{"reason": "Still rude"}).is(t, http.StatusCreated)
		require.Equal(t, []any{1.0, 1.0}, open())
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
