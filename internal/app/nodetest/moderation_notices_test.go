package nodetest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// told returns c's notifications of one kind, newest first, without ids and times.
func (c *client) told(t *testing.T, kind studycircle.NotificationKind) (list []doc) {
	t.Helper()
	all, _ := c.notifications(t, "")
	for _, one := range all {
		if one["kind"] != string(kind) {
			continue
		}
		for _, field := range []string{"_id", "createdAt", "readAt", "kind"} {
			delete(one, field)
		}
		list = append(list, one)
	}
	return list
}

// A moderator's decision is told to the author, and to all who reported; neither learns who
// the other is.
func TestDecisionsAreToldToBothSides(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		comment := bob.write(t, of, "Buy my book")
		about := func(title, url string) []doc {
			return []doc{{"actorName": nil, "count": 1.0, "title": title, "url": url}}
		}
		report := func(c *client, path string) string { return c.post(t, path+"/report", doc{"reason": "Rude"}).id(t) }
		decide := func(id, action string) { mo.post(t, "/api/reports/"+id, doc{"action": action}).is(t, http.StatusOK) }
		restore := func(kind, id string) {
			mo.post(t, "/api/moderation/restore", doc{"kind": kind, "id": id}).is(t, http.StatusOK)
		}
		const title = "Essay on tides"

		first := report(eve, "/api/comment/"+comment)
		report(ada, "/api/comment/"+comment)
		report(mo, "/api/comment/"+comment)
		decide(first, "hide")
		at := studycircle.CommentURL(of, comment)
		require.Equal(t, about(title, at), bob.told(t, studycircle.NotifyHidden))
		for _, c := range []*client{ada, eve} {
			require.Equal(t, about(title, at), c.told(t, studycircle.NotifyDecided))
			require.Empty(t, c.told(t, studycircle.NotifyHidden))
		}
		require.Empty(t, mo.told(t, studycircle.NotifyDecided), "moderators know what they decided")
		require.Empty(t, bob.told(t, studycircle.NotifyDecided))
		restore("comment", comment)
		require.Equal(t, about(title, at), bob.told(t, studycircle.NotifyRestored))

		decide(report(bob, "/api/assignment/"+of), "dismiss")
		require.Equal(t, about(title, "/assignment/"+of), bob.told(t, studycircle.NotifyDecided))
		require.Empty(t, ada.told(t, studycircle.NotifyHidden), "a dismissed report changes nothing for the author")

		decide(report(n.user(t, "Zoe"), "/api/assignment/"+of), "hide")
		require.Equal(t, about(title, "/assignment/"+of), ada.told(t, studycircle.NotifyHidden), "creators still see it")
		restore("assignment", of)
		require.Equal(t, about(title, "/assignment/"+of), ada.told(t, studycircle.NotifyRestored))
	})
}

// holdsNoWords requires that the database holds no words of the program.
func (n *node) holdsNoWords(t *testing.T) {
	t.Helper()
	for table, columns := range map[string]string{
		"submissions": "assignment_title, feedback, feedback_html", "reviews": "feedback", "review_questions": "text, answer",
		"notices": "title", "notifications": "title",
	} {
		for column := range strings.SplitSeq(columns, ", ") {
			for _, words := range []string{studycircle.HiddenTitle, studycircle.ReportedIn} {
				require.Zero(t, n.countRows(t, table, column+" LIKE '%"+words+"%'"), "%s.%s", table, column)
			}
		}
	}
}

// A hidden assignment's title leaves its reporters' notices, too.
func TestNoticesOfHiddenAssignmentsHaveNoTitle(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		of := ada.publish(t)
		report := eve.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		require.Equal(t, []doc{{"actorName": nil, "count": 1.0, "title": studycircle.HiddenTitle, "url": "/notifications"}}, eve.told(t, studycircle.NotifyDecided))
		n.holdsNoWords(t)
	})
}

// In an assignment with several reviews the notices lead both sides to what is theirs, and
// name neither.
func TestDecisionsOnReviewsNameNeitherSide(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		c.review(t, c.cem, []int{1, 1}, "Fine")
		c.dot.task(t, c.of)
		reported := c.dot.post(t, c.at+"/report", doc{"reason": "Copied"}).id(t)
		mo.post(t, "/api/reports/"+reported, doc{"action": "dismiss"}).is(t, http.StatusOK)
		about := func(url string) []doc {
			return []doc{{"actorName": nil, "count": 1.0, "title": "Essay on tides", "url": url}}
		}
		require.Equal(t, about("/pending-assignments"), c.dot.told(t, studycircle.NotifyDecided))

		c.dot.patch(t, c.at, doc{"levels": []int{1, 1}, "feedback": "You are stupid"}).is(t, http.StatusOK)
		rude := c.received(t, "You are stupid")["_id"].(string)
		report := c.bob.post(t, "/api/reviews/"+rude+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		require.Equal(t, about("/reviews"), c.dot.told(t, studycircle.NotifyHidden))
		require.Equal(t, about("/submission/"+c.id+"/mark"), c.bob.told(t, studycircle.NotifyDecided))
		for _, of := range []*client{c.ada, c.cem} {
			require.Empty(t, of.told(t, studycircle.NotifyHidden))
			require.Empty(t, of.told(t, studycircle.NotifyDecided))
		}
		c.unseen(t, n, mo, []string{rude, c.id})
	})
}

// A report of an exemplar is answered like one of any submission.
func TestDecisionsOnExemplarsLookLikeAllOthers(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		ada.post(t, "/api/assignment/"+of+"/exemplars", doc{"docsLink": link(60), "note": "", "mark": 9, "reason": "Half of it."}).is(t, http.StatusCreated)
		sample := bob.task(t, of)["submissionId"].(string)
		report := bob.post(t, "/api/submissions/"+sample+"/report", doc{"reason": "Copied"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "dismiss"}).is(t, http.StatusOK)
		require.Equal(t, []doc{{"actorName": nil, "count": 1.0, "title": "Essay on tides", "url": "/pending-assignments"}}, bob.told(t, studycircle.NotifyDecided))
	})
}

// However many moderators' requests decide at the same time, each side is told once.
func TestConcurrentDecisionsAreToldOnce(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		comment := ada.write(t, ada.publish(t), "What is reported")
		reports := make([]string, crowd)
		for i, u := range users {
			reports[i] = u.post(t, "/api/comment/"+comment+"/report", doc{"reason": "Rude"}).id(t)
		}
		statuses := atOnce(t, func(i int) (*answer, error) {
			return mo.try(t.Context(), http.MethodPost, "/api/reports/"+reports[i], doc{"action": "hide"})
		})
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		for _, told := range [][]doc{ada.told(t, studycircle.NotifyHidden), users[0].told(t, studycircle.NotifyDecided), users[crowd-1].told(t, studycircle.NotifyDecided)} {
			require.Len(t, told, 1)
			require.InDelta(t, 1, told[0]["count"], 0)
		}
	})
}

// The notices of a decision are mailed.
func TestDecisionsAreMailed(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Eve").confirmed(t)
		comment := bob.write(t, ada.publish(t), "Buy my book")
		eve.post(t, "/api/comment/"+comment+"/report", doc{"reason": "Rude"}).id(t)
		n.moderate(t, studycircle.Hide, studycircle.OfComment, comment)
		for c, subject := range map[*client]string{
			bob: "A moderator has hidden something of yours on “Essay on tides”",
			eve: "A moderator has decided on your report about “Essay on tides”",
		} {
			require.Equal(t, subject, n.getsLetters(t, c.email, 1)[0].subject)
		}
	})
}
