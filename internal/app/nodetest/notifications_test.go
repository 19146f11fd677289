package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// notifications returns c's notifications, newest first.
func (c *client) notifications(tb testing.TB, query string) (list []doc, unread string) {
	tb.Helper()
	a := c.get(tb, "/api/notifications"+query).is(tb, http.StatusOK)
	for _, n := range a.json(tb)["data"].([]any) {
		list = append(list, n.(doc))
	}
	return list, a.header.Get("X-Unread-Count")
}

// The submitter of graded work and the creator of an assignment with new submissions are
// notified at once, gathered while unread; no other user is.
func TestNotifications(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		a := ada.publish(t)
		first := bob.submit(t, a)
		cleo.submit(t, a)
		cleo.grade(t, first, 10)

		list, unread := ada.notifications(t, "")
		require.Len(t, list, 1)
		require.Equal(t, "1", unread)
		require.Equal(t, doc{
			"_id": list[0]["_id"], "kind": "taken", "count": 2.0, "title": "Essay on tides", "url": "/assignment/" + a + "#results", "actorName": "Cleo",
			"createdAt": list[0]["createdAt"], "readAt": nil,
		}, list[0])
		list, _ = bob.notifications(t, "")
		require.Len(t, list, 1)
		require.Equal(t, "graded", list[0]["kind"])
		require.Equal(t, "/attemded-assignments", list[0]["url"])
		require.Nil(t, list[0]["actorName"], "who graded is not shown")
		list, unread = cleo.notifications(t, "")
		require.Empty(t, list)
		require.Equal(t, "0", unread)

		adas, _ := ada.notifications(t, "")
		id := adas[0]["_id"].(string)
		require.EqualValues(t, 0, bob.post(t, "/api/notifications/read", doc{"ids": []string{id}}).is(t, http.StatusOK).json(t)["modifiedCount"], "others' are read over")
		require.EqualValues(t, 0, bob.post(t, "/api/notifications/read", doc{"until": id}).is(t, http.StatusOK).json(t)["modifiedCount"])
		require.EqualValues(t, 1, ada.post(t, "/api/notifications/read", doc{"ids": []string{id, "unknown", "\x00"}}).is(t, http.StatusOK).json(t)["modifiedCount"])
		require.EqualValues(t, 0, ada.post(t, "/api/notifications/read", doc{"ids": []string{id}}).is(t, http.StatusOK).json(t)["modifiedCount"])
		adas, unread = ada.notifications(t, "")
		require.Equal(t, "0", unread)
		require.NotNil(t, adas[0]["readAt"])

		// Read notifications gather no more.
		bob.submit(t, a)
		adas, unread = ada.notifications(t, "")
		require.Len(t, adas, 2)
		require.Equal(t, "1", unread)
		require.EqualValues(t, 1, adas[0]["count"])
		adas, unread = ada.notifications(t, "?unread=true&limit=1")
		require.Len(t, adas, 1)
		require.Equal(t, "1", unread)

		// Deleting an assignment removes the notifications that link to it.
		ada.del(t, "/api/assignment/"+a).is(t, http.StatusOK)
		adas, unread = ada.notifications(t, "")
		require.Empty(t, adas)
		require.Equal(t, "0", unread)
		list, _ = bob.notifications(t, "")
		require.Len(t, list, 1, "work stays")
	})
}

// A list with details names the assignments, the pictures of the people it names, and to a submitter the marks with
// what changed them. It shows nothing of a grader.
func TestNotificationDetails(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		for _, c := range []*client{bob, cleo} {
			c.patch(t, "/api/auth/profile", doc{"displayName": c.name, "photoURL": "https://example.org/" + c.name + ".png"}).is(t, http.StatusOK)
		}
		a := ada.publish(t, "marks", 20)
		work := bob.submit(t, a)
		cleo.patch(t, "/api/submissions/"+work, doc{"marks": 16, "feedback": "You **name** one. " + strings.Repeat("More. ", 50)}).is(t, http.StatusOK)
		details := func(c *client, i int) doc {
			t.Helper()
			list, _ := c.notifications(t, "?details=true")
			return list[i]
		}
		taken := details(ada, 0)
		require.Equal(t, a, taken["assignmentId"])
		require.Equal(t, "https://example.org/Bob.png", taken["actorPhoto"])
		require.NotContains(t, taken, "mark")
		graded := details(bob, 0)
		require.Equal(t, []any{a, 16.0, 20.0}, []any{graded["assignmentId"], graded["mark"], graded["total"]})
		require.True(t, strings.HasPrefix(graded["words"].(string), "You "), graded["words"])
		require.Len(t, []rune(graded["words"].(string)), 120)
		for _, hidden := range []string{"before", "actorPhoto"} {
			require.NotContains(t, graded, hidden)
		}
		require.NotContains(t, string(bob.get(t, "/api/notifications?details=true").body), "Cleo")
		plain, _ := bob.notifications(t, "")
		for _, name := range []string{"assignmentId", "mark", "total", "words"} {
			require.NotContains(t, plain[0], name)
		}

		several := ada.publish(t, "marks", 20, "reviewsNeeded", 2, "title", "Rivers")
		reviewed := bob.submit(t, several)
		for _, reviewer := range n.people(t, "One", "Two") {
			reviewer.task(t, several)
			reviewer.patch(t, "/api/submissions/"+reviewed, doc{"marks": 16}).is(t, http.StatusOK)
		}
		first := details(bob, 0)
		require.Equal(t, []any{"graded", "Rivers", several}, []any{first["kind"], first["title"], first["assignmentId"]})
		require.NotContains(t, first, "before")
		bob.post(t, "/api/submissions/"+reviewed+"/appeal", doc{"reason": "Both are named."}).is(t, http.StatusCreated)
		ada.post(t, "/api/submissions/"+reviewed+"/reopen", doc{"action": "set-mark", "mark": 18, "reason": "You did name both."}).is(t, http.StatusOK)
		changed := details(bob, 0)
		require.Equal(t, []any{"settlement", first["mark"], 18.0, 20.0, "You did name both."},
			[]any{changed["kind"], changed["before"], changed["mark"], changed["total"], changed["words"]})
		require.Equal(t, first["mark"], details(bob, 1)["mark"], "the first mark stays what it was")
	})
}

func TestNotificationsPagesAndUntil(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		for range 5 {
			bob.submit(t, ada.publish(t))
		}
		all, unread := ada.notifications(t, "")
		require.Len(t, all, 5)
		require.Equal(t, "5", unread)
		second := ada.get(t, "/api/notifications?page=2&limit=2").is(t, http.StatusOK).json(t)
		require.Equal(t, doc{"page": 2.0, "limit": 2.0, "total": 5.0, "totalPages": 3.0}, second["pagination"])
		require.Equal(t, all[2]["_id"], second["data"].([]any)[0].(doc)["_id"])
		require.EqualValues(t, 3, ada.post(t, "/api/notifications/read", doc{"until": all[2]["_id"]}).is(t, http.StatusOK).json(t)["modifiedCount"])
		left, unread := ada.notifications(t, "?unread=true")
		require.Len(t, left, 2)
		require.Equal(t, "2", unread)
		require.Equal(t, all[:2], left)
	})
}

func TestNotificationsBadInput(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, query := range []string{"?page=0", "?limit=101", "?limit=x", "?unread=maybe"} {
			ada.get(t, "/api/notifications"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
		many := make([]string, 1001)
		for _, body := range []any{
			doc{}, doc{"ids": []string{}, "until": "x"}, doc{"ids": many}, doc{"ids": "x"}, doc{"ids": []any{nil}}, doc{"ids": []any{1}}, doc{"until": 5}, doc{"all": true},
		} {
			ada.post(t, "/api/notifications/read", body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
		ada.post(t, "/api/notifications/read", doc{"ids": []string{}}).is(t, http.StatusOK)
		ada.post(t, "/api/notifications/read", doc{"until": strings.Repeat("x", 5000)}).is(t, http.StatusOK)
		for method, path := range map[string]string{
			http.MethodGet: "/api/notifications", http.MethodPost: "/api/notifications/read", http.MethodPut: "/api/settings", http.MethodDelete: "/api/calendar",
		} {
			n.visitor().call(t, method, path, nil).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
	})
}

func TestSettings(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		first := ada.get(t, "/api/settings").is(t, http.StatusOK).json(t)
		on, off := doc{"app": true, "mail": true}, doc{"app": true, "mail": false}
		channels := doc{
			"graded": on, "reply": on, "mention": on, "due": on, "taken": off, "comment": off,
			"report": off, "review": off, "question": on, "answer": on, "appeal": off, "settlement": off, "unreviewed": off, "short": off,
			"hidden": on, "restored": on, "decided": on, "invited": on, "owed": on, "returned": on, "unopened": on,
			"joined": on, "published": on, "moved": on,
		}
		require.Equal(t, doc{
			"timeZone": "UTC", "reminders": doc{"daysBefore": []any{3.0, 1.0}, "at": "09:00"}, "channels": channels, "digest": "none",
		}, first)

		tell := func(zone string) any {
			return ada.put(t, "/api/settings/time-zone", doc{"timeZone": zone}).is(t, http.StatusOK).json(t)["modifiedCount"]
		}
		require.EqualValues(t, 1, tell("Asia/Kathmandu"), "the browser's at first")
		require.EqualValues(t, 0, tell("Europe/Berlin"))
		require.Equal(t, "Asia/Kathmandu", ada.get(t, "/api/settings").json(t)["timeZone"])

		wanted := with(first, "timeZone", "Australia/Lord_Howe", "reminders", doc{"daysBefore": []any{0, 7}, "at": "23:45"}, "digest", "daily",
			"channels", doc{"taken": doc{"app": false, "mail": true}})
		stored := with(wanted, "reminders", doc{"daysBefore": []any{7.0, 0.0}, "at": "23:45"}, "channels", with(channels, "taken", doc{"app": false, "mail": true}))
		require.Equal(t, stored, ada.put(t, "/api/settings", wanted).is(t, http.StatusOK).json(t))
		require.Equal(t, stored, ada.get(t, "/api/settings").json(t))

		for name, body := range map[string]doc{
			"zone": with(first, "timeZone", "Mars/Olympus"), "a path": with(first, "timeZone", "../etc/passwd"), "local": with(first, "timeZone", "Local"),
			"kind": with(first, "channels", doc{"letter": on}), "null": with(first, "channels", nil), "half a channel": with(first, "channels", doc{"due": doc{"app": 1}}),
			"digest": with(first, "digest", "weekly"), "days": with(first, "reminders", doc{"daysBefore": []any{31}, "at": "09:00"}),
			"half a day": with(first, "reminders", doc{"daysBefore": []any{1.5}, "at": "09:00"}), "six": with(first, "reminders", doc{"daysBefore": []any{1, 2, 3, 4, 5, 6}, "at": "09:00"}),
			"at": with(first, "reminders", doc{"daysBefore": []any{1}, "at": "9"}), "more": with(first, "reminders", doc{"daysBefore": []any{1}, "at": "09:00", "zone": "UTC"}),
			"absent": with(first, "digest", absent{}), "unknown": with(first, "mood", "good"),
		} {
			t.Log(name)
			ada.put(t, "/api/settings", body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
		ada.put(t, "/api/settings/time-zone", doc{"timeZone": "Nowhere"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		require.Equal(t, stored, ada.get(t, "/api/settings").json(t), "nothing of it was stored")

		// A kind without a channel is not notified.
		ada.put(t, "/api/settings", with(first, "channels", doc{"taken": doc{"app": false, "mail": false}})).is(t, http.StatusOK)
		n.user(t, "Bob").submit(t, ada.publish(t))
		list, unread := ada.notifications(t, "")
		require.Empty(t, list)
		require.Equal(t, "0", unread)
	})
}

// 32 clients submit and read concurrently: notifications and counts agree afterwards.
func TestConcurrentNotifications(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		var people []*client
		for i := range 32 {
			people = append(people, n.user(t, fmt.Sprint("Person", i)))
		}
		a := ada.publish(t)
		b := ada.publish(t)
		together(t, len(people), func(i int) error {
			for _, id := range []string{a, b} {
				answer, err := people[i].persist(t.Context(), http.MethodPost, "/api/submissions", submission(id))
				if err != nil || answer.status != http.StatusCreated {
					return fmt.Errorf("hand in: %v %w", answer, err)
				}
				answer, err = ada.persist(t.Context(), http.MethodGet, "/api/notifications?limit=1", nil)
				if err != nil || answer.status != http.StatusOK {
					return fmt.Errorf("list: %v %w", answer, err)
				}
				if i%8 == 0 {
					if answer, err = ada.persist(t.Context(), http.MethodPost, "/api/notifications/read", doc{"until": newest(answer)}); err != nil || answer.status != http.StatusOK {
						return fmt.Errorf("read: %v %w", answer, err)
					}
				}
			}
			return nil
		})
		list, unread := ada.notifications(t, "?limit=100")
		told, open := 0, 0
		for _, one := range list {
			told += int(one["count"].(float64))
			if one["readAt"] == nil {
				open++
			}
		}
		require.Equal(t, 64, told, "each submission is notified once")
		require.Equal(t, fmt.Sprint(open), unread)
		require.LessOrEqual(t, open, 2, "gathered by subject")
		require.EqualValues(t, len(list), ada.get(t, "/api/notifications").json(t)["pagination"].(doc)["total"])
	})
}

// newest returns the id of the first item of a list.
func newest(a *answer) string {
	_, rest, _ := strings.Cut(string(a.body), `"_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// A user's notifications are deleted with the account, and others' no longer name deleted
// users.
func TestNotificationsOfDeletedAccounts(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		a := ada.publish(t)
		id := bob.submit(t, a)
		n.user(t, "Cleo").grade(t, id, 3)
		bob.put(t, "/api/assignment/"+a+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		bob.notifications(t, "")
		ada.notifications(t, "")
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		list, _ := ada.notifications(t, "")
		require.Len(t, list, 1)
		require.Nil(t, list[0]["actorName"])
		for _, table := range []string{"notifications WHERE kind = 'graded'", "inboxes WHERE preferences = 'x'", "reminders", "notices"} {
			var left int
			require.NoError(t, n.app.Store.Engine().Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&left))
			require.Zero(t, left, table)
		}
	})
}
