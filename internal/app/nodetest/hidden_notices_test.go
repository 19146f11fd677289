package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// inbox returns c's notifications as notified does, with whether each was read, and the
// number of unread ones.
func (c *client) inbox(t *testing.T) (lines []string, unread string) {
	t.Helper()
	list, unread := c.notifications(t, "?limit=100")
	for _, one := range list {
		lines = append(lines, fmt.Sprint(one["kind"], " ", one["count"], " ", one["actorName"], " ", one["url"], " ", one["readAt"] != nil))
	}
	return lines, unread
}

// Notifications about a hidden comment return with it, read or unread as they were, whether
// they were delivered or not.
func TestNotificationsReturnWithTheirComment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		thread := bob.write(t, of, "First")
		mention := fmt.Sprintf("@[Bob](user:%s) Look", bob.comment(t, thread)["authorId"])
		read := func(c *client) {
			c.post(t, "/api/notifications/read", doc{"until": newest(c.get(t, "/api/notifications"))}).is(t, http.StatusOK)
		}
		read(ada)
		for kind, one := range map[string]struct {
			to    *client
			write func() string
		}{
			"comment": {ada, func() string { return eve.write(t, of, "A thread") }},
			"reply":   {bob, func() string { return eve.reply(t, of, thread, "A reply") }},
			"mention": {bob, func() string { return eve.reply(t, of, thread, mention) }},
		} {
			for _, state := range []string{"waiting", "unread", "read"} {
				id, what := one.write(), kind+", "+state
				if state != "waiting" {
					require.NotEmpty(t, one.to.notified(t))
				}
				if state == "read" {
					read(one.to)
				}
				n.moderate(t, studycircle.Hide, studycircle.OfComment, id)
				lines, unread := one.to.inbox(t)
				require.NotContains(t, strings.Join(lines, "\n"), id, what)
				require.Equal(t, "0", unread, what)
				n.moderate(t, studycircle.Restore, studycircle.OfComment, id)
				lines, unread = one.to.inbox(t)
				require.Equal(t, fmt.Sprintf("%s 1 Eve /assignment/%s#comment-%s %v", kind, of, id, state == "read"), lines[0], what)
				require.Equal(t, map[bool]string{true: "0", false: "1"}[state == "read"], unread, what)
				read(one.to)
			}
		}
	})
}

// A notification of several replies counts those that show and names the newest of them.
func TestGatheredNotificationsCountWhatShows(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan")
		of := ada.publish(t)
		thread := bob.write(t, of, "First")
		shows := func(lines ...string) {
			t.Helper()
			got, _ := bob.inbox(t)
			require.Equal(t, lines, got)
		}
		line := func(count int, by, id string, read bool) string {
			return fmt.Sprintf("reply %d %s /assignment/%s#comment-%s %v", count, by, of, id, read)
		}
		hide := func(id string) { t.Helper(); n.moderate(t, studycircle.Hide, studycircle.OfComment, id) }
		restore := func(id string) { t.Helper(); n.moderate(t, studycircle.Restore, studycircle.OfComment, id) }
		one := cleo.reply(t, of, thread, "One")
		two := dan.reply(t, of, thread, "Two")
		shows(line(2, "Dan", two, false))
		hide(one)
		shows(line(1, "Dan", two, false))
		restore(one)
		hide(two)
		shows(line(1, "Cleo", one, false))
		hide(one)
		got, unread := bob.inbox(t)
		require.Empty(t, got)
		require.Equal(t, "0", unread)
		three := ada.reply(t, of, thread, "Three")
		shows(line(1, "Ada", three, false))
		restore(one)
		shows(line(2, "Ada", three, false))
		restore(two)
		shows(line(3, "Ada", three, false))

		// What is read meanwhile is read, and what was hidden before it was read is not.
		hide(two)
		list, _ := bob.notifications(t, "")
		bob.post(t, "/api/notifications/read", doc{"until": list[0]["_id"]}).is(t, http.StatusOK)
		shows(line(2, "Ada", three, true))
		restore(two)
		shows(line(1, "Dan", two, false), line(2, "Ada", three, true))
		hide(three)
		shows(line(1, "Dan", two, false), line(1, "Cleo", one, true))
		restore(three)
		shows(line(1, "Dan", two, false), line(2, "Ada", three, true))

		// A parked one that is delivered late does not hide a newer one, and a deleted one is gone.
		four := cleo.reply(t, of, thread, "Four")
		hide(four)
		five := dan.reply(t, of, thread, "Five")
		shows(line(2, "Dan", five, false), line(2, "Ada", three, true))
		restore(four)
		shows(line(3, "Dan", five, false), line(2, "Ada", three, true))
		dan.del(t, "/api/comment/"+five).is(t, http.StatusOK)
		shows(line(2, "Cleo", four, false), line(2, "Ada", three, true))
		for _, id := range []string{two, four} {
			hide(id)
		}
		dan.reply(t, of, thread, "Six")
		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		shows()
	})
}

// An email about a hidden comment is not sent; it is sent once the comment returns, and no
// email is sent twice.
func TestEmailsReturnWithTheirComment(t *testing.T) {
	for _, digest := range []string{"none", "daily"} {
		t.Run(digest, func(t *testing.T) {
			worldOnBothEngines(t, func(t *testing.T, w *world) {
				w.clock.stand(time.Now())
				n := w.start(t)
				ada, bob, cleo, dan := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo"), n.user(t, "Dan")
				bob.put(t, "/api/settings", with(bob.get(t, "/api/settings").json(t), "digest", digest)).is(t, http.StatusOK)
				of := ada.publish(t)
				thread := bob.write(t, of, "First")
				later := func() {
					by := store.MailGrace
					if digest == "daily" {
						by = 24 * time.Hour
					}
					w.clock.stand(w.clock.now().Add(by))
					for _, c := range []*client{bob, cleo, dan} {
						c.newSession(t)
					}
					n.looks(t)
					n.sendsAllMails(t)
				}
				emails := func(count int, contains string) {
					t.Helper()
					later()
					// Another delivery may hold what looks has skipped.
					require.Eventually(t, func() bool { return len(n.mails.letters(t, bob.email)) >= count }, time.Minute, 20*time.Millisecond)
					got := n.mails.letters(t, bob.email)
					require.Len(t, got, count)
					if contains != "" {
						require.Contains(t, got[count-1].text, contains)
					}
				}
				hide := func(id string) { t.Helper(); n.moderate(t, studycircle.Hide, studycircle.OfComment, id) }
				restore := func(id string) { t.Helper(); n.moderate(t, studycircle.Restore, studycircle.OfComment, id) }

				waiting := cleo.reply(t, of, thread, "Waiting")
				hide(waiting)
				emails(0, "")
				restore(waiting)
				emails(1, waiting)
				delivered := cleo.reply(t, of, thread, "Delivered")
				n.looks(t)
				hide(delivered)
				emails(1, "")
				hide(waiting)
				restore(waiting)
				emails(1, "")
				restore(delivered)
				emails(2, delivered)
				for range 2 {
					hide(delivered)
					emails(2, "")
					restore(delivered)
					emails(2, "")
				}
				// Of two, one is mailed while the other is hidden.
				fine, rude := cleo.reply(t, of, thread, "Fine"), dan.reply(t, of, thread, "Rude")
				n.looks(t)
				hide(rude)
				emails(3, fine)
				restore(rude)
				emails(4, rude)
				// What is read is not mailed.
				read := cleo.reply(t, of, thread, "Read")
				bob.post(t, "/api/notifications/read", doc{"until": newest(bob.get(t, "/api/notifications"))}).is(t, http.StatusOK)
				hide(read)
				restore(read)
				emails(4, "")
			})
		})
	}
}

// Replies are hidden and restored by 32 clients while their reader reads: all return, each
// once, and the counts are those of the list.
func TestConcurrentHidingAndReading(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		thread := bob.write(t, of, "First")
		together(t, crowd, func(i int) error {
			id, err := users[i].do(t.Context(), http.MethodPost, "/api/assignment/"+of+"/comments", doc{"text": "A reply", "parentId": thread}, 201)
			if err != nil {
				return err
			}
			for range 2 {
				if _, err := n.decides(t, studycircle.Hide, studycircle.OfComment, id); err != nil {
					return err
				}
				if i%4 == 0 {
					if _, err := bob.try(t.Context(), http.MethodPost, "/api/notifications/read", doc{"until": newest(bob.get(t, "/api/notifications"))}); err != nil {
						return err
					}
				}
				if _, err := n.decides(t, studycircle.Restore, studycircle.OfComment, id); err != nil {
					return err
				}
			}
			return nil
		})
		list, unread := bob.notifications(t, "?limit=100")
		replies, fresh := 0, 0
		for _, one := range list {
			replies += int(one["count"].(float64))
			if one["readAt"] == nil {
				fresh++
			}
		}
		require.Equal(t, crowd, replies)
		require.Equal(t, fmt.Sprint(fresh), unread)
		require.InDelta(t, len(list), bob.get(t, "/api/notifications").json(t)["pagination"].(doc)["total"], 0)
	})
}
