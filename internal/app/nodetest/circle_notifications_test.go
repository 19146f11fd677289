package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tellsAll delivers notifications until none waits.
func (n *node) tellsAll(t *testing.T) {
	t.Helper()
	const waiting = `SELECT (SELECT COUNT(*) FROM notices WHERE NOT parked) + (SELECT COUNT(*) FROM circle_fanouts)`
	require.Eventually(t, func() bool {
		n.looks(t)
		var left int
		err := n.app.Store.Engine().Reads().QueryRowContext(t.Context(), waiting).Scan(&left)
		return err == nil && left == 0
	}, time.Minute, 20*time.Millisecond)
}

// titles returns c's notifications as "published Tides", newest first.
func (c *client) titles(t *testing.T) (all []string) {
	t.Helper()
	list, _ := c.notifications(t, "?limit=100")
	for _, n := range list {
		all = append(all, strings.TrimSpace(n["kind"].(string)+" "+n["title"].(string)))
	}
	return all
}

// moves changes the due date of c's assignment.
func (c *client) moves(t *testing.T, of, title, due string) {
	t.Helper()
	c.put(t, "/api/assignment/"+of, with(assignment(), "title", title, "dueDate", due)).is(t, http.StatusOK)
}

// body returns the text of l without its footer.
func (l letter) body() string {
	text, _, _ := strings.Cut(l.text, "\n--\n")
	return text
}

// withoutCircleMails ends c's emails of what is new in circles.
func (c *client) withoutCircleMails(t *testing.T) *client {
	t.Helper()
	app := doc{"app": true, "mail": false}
	c.put(t, "/api/settings", with(c.get(t, "/api/settings").json(t), "channels", doc{"joined": app, "published": app, "moved": app})).is(t, http.StatusOK)
	return c
}

// Members of a circle are told that they were put into it, of a new assignment, and of its changed due date unless they
// have handed in; its creator, users who are not members, and the hall are not.
func TestMembersOfACircleAreTold(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		n := w.start(t)
		tara, bob, cem, dot, eve := n.user(t, "Tara"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot"), n.user(t, "Eve")
		circle := tara.circle(t, "History 10A", "join", "ask")
		cem.post(t, "/api/circle/"+circle+"/ask", nil).is(t, http.StatusOK)
		tara.post(t, "/api/circle/"+circle+"/asking/"+cem.id(t), doc{"accept": true}).is(t, http.StatusOK)
		tara.admits(t, circle, "member", bob)
		tara.roster(t, circle, "", "email", dot.email).is(t, http.StatusOK)
		dot.confirmed(t).newSession(t)
		n.tellsAll(t)
		for _, c := range []*client{cem, dot} { // by a request, and by a roster
			list, _ := c.notifications(t, "")
			require.Len(t, list, 1, c.name)
			require.Equal(t, doc{
				"_id": list[0]["_id"], "kind": "joined", "circleId": circle, "circleName": "History 10A", "count": 1.0, "title": "",
				"url": "/circle/" + circle, "actorName": nil, "createdAt": "2027-03-01T12:00:00Z", "readAt": nil,
			}, list[0])
		}
		require.Empty(t, bob.titles(t), "he joined by himself")

		of := tara.publish(t, "circleId", circle, "title", "The treaty", "dueDate", "2027-03-09T23:59:59+01:00")
		n.tellsAll(t)
		list, unread := bob.notifications(t, "")
		require.Equal(t, "1", unread)
		require.Equal(t, doc{
			"_id": list[0]["_id"], "kind": "published", "circleId": circle, "circleName": "History 10A", "count": 1.0,
			"title": "The treaty", "dueDate": "2027-03-09T23:59:59+01:00", "url": "/assignment/" + of, "actorName": "Tara",
			"createdAt": "2027-03-01T12:00:00Z", "readAt": nil,
		}, list[0])
		require.Equal(t, []string{"published The treaty", "joined"}, dot.titles(t))

		// Cem has handed in, and Dot has more time than all.
		cem.submit(t, of)
		tara.extends(t, of, dot, "2027-03-30T23:59:59+01:00").is(t, http.StatusOK)
		tara.moves(t, of, "The treaty", "2027-03-10T23:59:59+01:00")
		n.tellsAll(t)
		tara.moves(t, of, "The treaties", "2027-03-11T23:59:59+01:00")
		n.tellsAll(t)
		list, unread = bob.notifications(t, "")
		require.Equal(t, "2", unread)
		require.Equal(t, doc{
			"_id": list[0]["_id"], "kind": "moved", "circleId": circle, "circleName": "History 10A", "count": 2.0,
			"title": "The treaties", "dueDate": "2027-03-11T23:59:59+01:00", "url": "/assignment/" + of, "actorName": nil,
			"createdAt": list[0]["createdAt"], "readAt": nil,
		}, list[0])
		require.Equal(t, "2027-03-11T23:59:59+01:00", list[1]["dueDate"], "one that was told before says the present date")
		require.Equal(t, []string{"published The treaty", "joined"}, cem.titles(t))
		list, _ = dot.notifications(t, "")
		require.Equal(t, "2027-03-30T23:59:59+01:00", list[0]["dueDate"], "her own")
		require.Len(t, list, 2)
		tara.put(t, "/api/assignment/"+of, with(assignment(), "title", "The treaties", "dueDate", "2027-03-11T23:59:59+01:00", "marks", 7)).is(t, http.StatusOK)

		tara.publish(t, "title", "In the hall", "dueDate", "2027-03-20")
		eve.moves(t, eve.publish(t, "dueDate", "2027-03-20"), "Moved in the hall", "2027-03-21")
		n.tellsAll(t)
		require.Len(t, bob.titles(t), 2)
		require.Equal(t, []string{"taken The treaty"}, tara.titles(t))
		require.Empty(t, eve.titles(t))
		exported := bob.get(t, "/api/auth/export").is(t, http.StatusOK)
		require.Contains(t, string(exported.body), `"dueDate":"2027-03-11T23:59:59+01:00"`)
		require.Contains(t, string(exported.body), `"kind":"moved"`)

		tara.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		require.Empty(t, bob.titles(t))
		require.Equal(t, []string{"joined"}, dot.titles(t))
	})
}

// What is new in a circle reaches no one whom it does not concern any more, and no one who turned it off.
func TestWhatIsNewInACircleDoesNotReachOthers(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		n := w.start(t)
		tara, pia, bob, cem, dot := n.user(t, "Tara"), n.user(t, "Pia"), n.user(t, "Bob").confirmed(t), n.user(t, "Cem").confirmed(t), n.user(t, "Dot").confirmed(t)
		eve := n.user(t, "Eve").confirmed(t)
		circle := tara.circle(t, "Canarycircle")
		tara.admits(t, circle, "member", pia, bob, cem, dot)
		off := doc{"app": false, "mail": false}
		cem.put(t, "/api/settings", with(cem.get(t, "/api/settings").json(t), "channels", doc{"published": off, "moved": off, "joined": off})).is(t, http.StatusOK)
		passes := func(by time.Duration) {
			n.tellsAll(t)
			w.clock.stand(w.clock.now().Add(by))
			n.tellsAll(t)
			n.sendsAllMails(t)
			for _, c := range []*client{tara, pia, bob, cem, dot, eve} {
				c.newSession(t)
			}
		}

		// Dot leaves before her email goes out.
		pia.publish(t, "circleId", circle, "title", "Canaryleft", "dueDate", "2027-03-20")
		n.tellsAll(t)
		require.Equal(t, []string{"published Canaryleft"}, dot.titles(t))
		dot.post(t, "/api/circle/"+circle+"/leave", nil).modified(t, 1)
		require.Empty(t, dot.titles(t))
		passes(10 * time.Minute)
		n.getsLetters(t, bob.email, 1)

		// A hidden assignment is told to no one, nor that its due date moves.
		hidden := pia.publish(t, "circleId", circle, "title", "Canaryhidden", "dueDate", "2027-03-20")
		n.tellsAll(t)
		bob.post(t, "/api/assignment/"+hidden+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		tara.post(t, "/api/reports/"+tara.reported(t, circle)[0]["_id"].(string), doc{"action": "hide"}).modified(t, 1)
		pia.put(t, "/api/assignment/"+hidden, with(assignment(), "title", "Canaryhidden", "dueDate", "2027-03-25"))
		passes(10 * time.Minute)
		require.NotContains(t, strings.Join(bob.titles(t), " "), "Canaryhidden")

		// The circle is archived before the emails go out.
		pia.publish(t, "circleId", circle, "title", "Canaryarchived", "dueDate", "2027-03-20")
		n.tellsAll(t)
		tara.post(t, "/api/circle/"+circle+"/archive", nil).is(t, http.StatusOK)
		passes(10 * time.Minute)
		for _, l := range n.mails.letters(t, bob.email) {
			require.NotRegexp(t, "Canary(hidden|archived)", l.subject+l.text+l.html)
		}
		require.Empty(t, cem.titles(t))
		for _, c := range []*client{cem, dot, eve} {
			require.Empty(t, n.mails.letters(t, c.email), c.name)
		}
		for _, c := range []*client{dot, eve} {
			for _, path := range []string{"/api/notifications", "/api/auth/export"} {
				require.NotContains(t, string(c.get(t, path).is(t, http.StatusOK).body), "Canary", c.name)
			}
		}
	})
}

// What is new in circles within five minutes is one email, with a link that ends such emails.
func TestEmailsOfWhatIsNewInCircles(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		n := w.start(t)
		tara, bob, cem, dot := n.user(t, "Tara"), n.user(t, "Bob").confirmed(t), n.user(t, "Cem").confirmed(t), n.user(t, "Dot").confirmed(t)
		circle := tara.circle(t, "History <10A>", "join", "ask")
		tara.admits(t, circle, "member", bob, cem)
		dot.put(t, "/api/settings", with(dot.get(t, "/api/settings").json(t), "digest", "daily")).is(t, http.StatusOK)
		dot.post(t, "/api/circle/"+circle+"/ask", nil).is(t, http.StatusOK)
		tara.post(t, "/api/circle/"+circle+"/asking/"+dot.id(t), doc{"accept": true}).is(t, http.StatusOK)
		passes := func(by time.Duration) {
			n.tellsAll(t)
			w.clock.stand(w.clock.now().Add(by))
			n.tellsAll(t)
			n.sendsAllMails(t)
		}
		of := tara.publish(t, "circleId", circle, "title", "The treaty", "dueDate", "2027-03-09T23:59:59+01:00")
		passes(4 * time.Minute)
		require.Empty(t, n.mails.letters(t, bob.email))
		tara.moves(t, of, "The treaty", "2027-03-12")
		tara.moves(t, of, "The treaty", "2027-03-13")
		n.tellsAll(t)
		cems, _ := cem.notifications(t, "")
		cem.post(t, "/api/notifications/read", doc{"ids": []any{cems[0]["_id"]}}).modified(t, 1)
		passes(time.Minute)

		both := n.getsLetters(t, bob.email, 1)[0]
		require.Equal(t, "2 things are new in your circles", both.subject)
		require.Equal(t, "2 things are new in your circles.\n\n"+
			"“\u2068The treaty\u2069” for \u2068History <10A>\u2069 is now due on Saturday, 2027/03/13.\n"+n.public+"/assignment/"+of+"\n\n"+
			"\u2068Tara\u2069 set “\u2068The treaty\u2069” for \u2068History <10A>\u2069, due on Saturday, 2027/03/13.\n"+n.public+"/assignment/"+of+"\n",
			both.body())
		require.Contains(t, both.text, "Stop all emails about notifications:")
		require.Contains(t, both.html, "History &lt;10A&gt;")
		one := n.getsLetters(t, cem.email, 1)[0]
		require.Equal(t, "Tara set “The treaty” for History <10A>, due on Saturday, 2027/03/13", one.subject)
		require.Equal(t, "\u2068Tara\u2069 set “\u2068The treaty\u2069” for \u2068History <10A>\u2069, due on Saturday, 2027/03/13.\n\n"+
			"Open the assignment:\n"+n.public+"/assignment/"+of+"\n", one.body())
		require.Contains(t, one.text, "Stop emails about new assignments in your circles:")
		require.Contains(t, one.html, "History &lt;10A&gt;")
		require.Empty(t, n.mails.letters(t, dot.email), "she gets one email a day")
		require.Empty(t, n.mails.letters(t, tara.email))

		// The link ends emails of its kind.
		path := strings.TrimPrefix(strings.Trim(one.header.Get("List-Unsubscribe"), "<>"), n.public)
		require.Equal(t, doc{"kind": "published"}, n.visitor().post(t, path, nil).is(t, http.StatusOK).json(t))
		tara.newSession(t)
		tara.publish(t, "circleId", circle, "title", "The peace", "dueDate", "2027-03-19")
		passes(10 * time.Minute)
		require.Equal(t, "Tara set “The peace” for History <10A>, due on Friday, 2027/03/19", n.getsLetters(t, bob.email, 2)[1].subject)
		n.getsLetters(t, cem.email, 1)
		passes(22 * time.Hour)
		daily := n.getsLetters(t, dot.email, 1)[0]
		require.Equal(t, "Your day on StudyCircle", daily.subject)
		require.Contains(t, daily.text, "You are now in \u2068History <10A>\u2069.\n"+n.public+"/circle/"+circle+"\n")
		n.getsLetters(t, bob.email, 2)
	})
}

// A class of 300 is told within a minute, by the node itself, once each; 32 assignments that are published at once are
// told once each.
func TestALargeClassIsToldOfEachAssignmentOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		const class, many = 300, 32
		tara, bob := n.user(t, "Tara"), n.user(t, "Bob")
		circle := tara.circle(t, "History 10A")
		tara.admits(t, circle, "member", bob)
		counted := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", class-1)
		n.exec(t, "INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) "+counted+
			"SELECT 'u' || i, 'u' || i || '@example.org', 'Cleo Clay ' || i, '', '', 0 FROM n")
		n.exec(t, "INSERT INTO circle_members (circle_id, user_id, role, label, name, joined_at) "+counted+
			"SELECT '"+circle+"', 'u' || i, 'member', '', '', 0 FROM n")
		told := func(kind string) (users, rows int) {
			t.Helper()
			err := n.app.Store.Engine().Reads().QueryRowContext(t.Context(),
				"SELECT COUNT(DISTINCT user_id), COUNT(*) FROM notifications WHERE notices = 1 AND kind = '"+kind+"'").Scan(&users, &rows)
			require.NoError(t, err)
			return users, rows
		}
		of := tara.publish(t, "circleId", circle)
		require.Eventually(t, func() bool { users, _ := told("published"); return users == class }, time.Minute, 50*time.Millisecond)
		_, rows := told("published")
		require.Equal(t, class, rows)
		tara.moves(t, of, "Essay on tides", "9000-01-01")
		require.Eventually(t, func() bool { users, _ := told("moved"); return users == class }, time.Minute, 50*time.Millisecond)

		together(t, many, func(i int) error {
			answer, err := tara.persist(t.Context(), http.MethodPost, "/api/assignments", with(assignment(), "circleId", circle, "title", fmt.Sprint("Essay ", i)))
			if err != nil || answer.status != http.StatusCreated {
				return fmt.Errorf("publish: %v %w", answer, err)
			}
			return nil
		})
		n.tellsAll(t)
		users, rows := told("published")
		require.Equal(t, []int{class, class * (many + 1)}, []int{users, rows})
		list, unread := bob.notifications(t, "?limit=100")
		require.Len(t, list, many+2)
		require.Equal(t, fmt.Sprint(many+2), unread)
		require.Empty(t, tara.titles(t))
	})
}
