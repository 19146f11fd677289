package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// notified returns c's notifications, newest first: kind, count, actor and link.
func (c *client) notified(tb testing.TB) (out []string) {
	tb.Helper()
	list, _ := c.notifications(tb, "")
	for _, n := range list {
		out = append(out, fmt.Sprint(n["kind"], " ", n["count"], " ", n["actorName"], " ", n["url"]))
	}
	return out
}

// A discussion notifies each user whom it concerns once, with the most specific kind, and
// never the user who caused it.
func TestNotificationsOfDiscussions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan")
		of := ada.publish(t)
		at := func(id string) string { return "/assignment/" + of + "#comment-" + id }
		thread := bob.write(t, of, "Why?")
		require.Equal(t, []string{"comment 1 Bob " + at(thread)}, ada.notified(t))
		list, unread := ada.notifications(t, "")
		require.Equal(t, "1", unread)
		require.Equal(t, "Essay on tides", list[0]["title"])
		second := cleo.write(t, of, "And how?")
		require.Equal(t, []string{"comment 2 Cleo " + at(second)}, ada.notified(t), "unread ones are gathered and link to the newest")
		require.Empty(t, bob.notified(t))

		first := cleo.reply(t, of, thread, "The moon.")
		require.Equal(t, []string{"reply 1 Cleo " + at(first)}, bob.notified(t))
		require.Len(t, ada.notified(t), 1, "an answer is none of the creator's, who did not write there")
		answer := ada.reply(t, of, first, "And the sun.")
		require.Equal(t, []string{"reply 2 Ada " + at(answer)}, bob.notified(t))
		require.Equal(t, []string{"reply 1 Ada " + at(answer)}, cleo.notified(t), "earlier writers are notified, too")
		require.Len(t, ada.notified(t), 1, "no user is notified of their own action")

		// A mention replaces the notification of the reply that it is in, and mentioning
		// a user twice notifies once; users are not notified of their own mentions.
		mention := func(c *client, text string) string {
			return fmt.Sprintf(text, c.comment(t, answerBy(t, c, of))["authorId"])
		}
		bobs, cleos := mention(bob, "@[Bob](user:%s)"), mention(cleo, "@[Cleo](user:%s)")
		said := cleo.reply(t, of, thread, bobs+" "+bobs+" "+cleos+" look")
		require.Equal(t, []string{"mention 1 Cleo " + at(said), "reply 2 Ada " + at(answer)}, bob.notified(t))
		require.Equal(t, "reply 1 Cleo "+at(said), ada.notified(t)[0])
		require.Len(t, cleo.notified(t), 1)
		cleo.patch(t, "/api/comment/"+second, doc{"text": "And how, " + bobs + "?"}).is(t, http.StatusOK)
		require.Len(t, bob.notified(t), 2, "an edit tells of no mention")
		require.Empty(t, dan.notified(t))
		for _, refused := range []doc{{"text": ""}, {"text": "x", "parentId": "nothing"}, {"text": "@[X](user:nobody)", "parentId": thread}} {
			dan.post(t, "/api/assignment/"+of+"/comments", refused)
		}
		require.Len(t, bob.notified(t), 2, "refused comments notify no user")

		// A creator who is mentioned where a thread begins is notified of the mention alone.
		known := ada.notified(t)
		thanks := bob.write(t, of, fmt.Sprintf("Thanks, @[Ada](user:%s)", ada.comment(t, answer)["authorId"]))
		require.Equal(t, append([]string{"mention 1 Bob " + at(thanks)}, known...), ada.notified(t))

		// A user who deletes all their comments is no longer notified.
		for _, id := range []string{first, said} {
			cleo.del(t, "/api/comment/"+id).is(t, http.StatusOK)
		}
		before := cleo.notified(t)
		dan.reply(t, of, thread, "I see.")
		require.Equal(t, before, cleo.notified(t))
		require.Contains(t, bob.notified(t)[0], "reply 2 Dan", "Ada's and his, as Cleo's is deleted")

		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		for _, c := range []*client{ada, bob, cleo, dan} {
			require.Empty(t, c.notified(t), "with the assignment goes what leads to it")
		}
	})
}

// answerBy returns the id of a comment of c's under an assignment.
func answerBy(t *testing.T, c *client, assignmentID string) string {
	t.Helper()
	threads, _ := c.threads(t, assignmentID, "")
	for _, thread := range threads {
		if thread["mine"] == true {
			return thread["_id"].(string)
		}
	}
	require.Fail(t, "no comment of "+c.name)
	return ""
}

// Only moderators are notified of each reported object, without the reporter.
func TestNotificationsOfReports(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		id := bob.write(t, of, "You are all stupid")
		eve.post(t, "/api/comment/"+id+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		eve.post(t, "/api/comment/"+id+"/report", doc{"reason": "Rude"}).is(t, http.StatusOK)
		require.Equal(t, []string{"report 1 <nil> /moderation"}, mo.notified(t), "a second report by the same user does not count")
		ada.post(t, "/api/comment/"+id+"/report", doc{"reason": "So rude"}).is(t, http.StatusCreated)
		require.Equal(t, []string{"report 2 <nil> /moderation"}, mo.notified(t))
		eve.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)
		require.Equal(t, []string{"report 1 <nil> /moderation", "report 2 <nil> /moderation"}, mo.notified(t))
		mo.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Indeed"}).is(t, http.StatusCreated)
		require.Len(t, mo.notified(t), 2, "no user is notified of their own action")
		for _, c := range []*client{bob, eve} {
			require.Empty(t, c.notified(t))
		}
		require.Equal(t, []string{"comment 1 Bob /assignment/" + of + "#comment-" + id}, ada.notified(t), "and the creator only of the comment")

		// Hidden content has no notifications but those of the decision.
		n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
		for _, reporter := range []*client{mo, eve} {
			require.Equal(t, []string{"decided 1 <nil> /notifications"}, reporter.notified(t))
		}
		require.Equal(t, []string{"hidden 1 <nil> /assignment/" + of}, ada.notified(t))
	})
}

// 32 clients concurrently begin threads, reply to one and mention one user: each
// notification arrives once, and counts agree.
func TestConcurrentDiscussionNotifications(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		host, bob := n.user(t, "Host"), n.user(t, "Bob")
		of := host.publish(t)
		shared := bob.write(t, of, "What do you think?")
		bobID := bob.comment(t, shared)["authorId"]
		host.post(t, "/api/notifications/read", doc{"until": newest(host.get(t, "/api/notifications"))}).is(t, http.StatusOK)
		at := "/api/assignment/" + of + "/comments"
		together(t, crowd, func(i int) error {
			for _, body := range []doc{
				{"text": "A thread of " + users[i].name},
				{"text": "An answer", "parentId": shared},
				{"text": fmt.Sprintf("Well, @[Bob](user:%s)", bobID)},
			} {
				if _, err := users[i].do(t.Context(), http.MethodPost, at, body, 201); err != nil {
					return err
				}
			}
			return nil
		})
		total := func(c *client, kind string) (sum int) {
			list, _ := c.notifications(t, "?unread=true&limit=100")
			for _, one := range list {
				if one["kind"] == kind {
					sum += int(one["count"].(float64))
				}
			}
			return sum
		}
		require.Equal(t, 2*crowd, total(host, "comment"))
		require.Equal(t, crowd, total(bob, "reply"))
		require.Equal(t, crowd, total(bob, "mention"))
		replies := 0
		for _, u := range users {
			replies += total(u, "reply")
		}
		require.Equal(t, crowd*(crowd-1)/2, replies, "each reply notifies all earlier writers")
	})
}

// A hidden or deleted comment disappears at once from the list of notifications, the count of unread ones and unsent
// emails, before and after its delivery.
func TestNotificationsOfGoneCommentsGo(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		thread := bob.write(t, of, "First")
		account, err := n.app.Store.AccountByEmail(t.Context(), bob.email)
		require.NoError(t, err)
		mention := "@[Bob](user:" + account.ID + ") Look"
		_, unread := ada.notifications(t, "")
		require.Equal(t, "1", unread)
		for name, write := range map[string]func() string{
			"reply":   func() string { return eve.reply(t, of, thread, "Rude") },
			"mention": func() string { return eve.reply(t, of, thread, mention) },
		} {
			for _, delivered := range []bool{false, true} {
				for gone, act := range map[string]func(id string){
					"hidden":  func(id string) { n.moderate(t, studycircle.Hide, studycircle.OfComment, id) },
					"deleted": func(id string) { eve.del(t, "/api/comment/"+id).is(t, http.StatusOK) },
				} {
					id := write()
					if delivered {
						_, unread := bob.notifications(t, "")
						require.Equal(t, "1", unread, "%s, %s", name, gone)
					}
					act(id)
					list, unread := bob.notifications(t, "")
					require.Empty(t, list, "%s, %s, delivered %v", name, gone, delivered)
					require.Equal(t, "0", unread)
				}
			}
		}
		// Of two replies one stays.
		fine := eve.reply(t, of, thread, "Fine")
		rude := eve.reply(t, of, thread, "Rude")
		list, _ := bob.notifications(t, "")
		require.InDelta(t, 2, list[0]["count"], 0)
		n.moderate(t, studycircle.Hide, studycircle.OfComment, rude)
		list, unread = bob.notifications(t, "")
		require.Equal(t, "1", unread)
		require.Equal(t, []any{1.0, "/assignment/" + of + "#comment-" + fine, "Eve"}, []any{list[0]["count"], list[0]["url"], list[0]["actorName"]})
	})
}
