package nodetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// dueOf returns the due date of an assignment as c reads it, and whether it is c's own.
func (c *client) dueOf(t *testing.T, of string) (string, bool) {
	t.Helper()
	a := c.get(t, "/api/assignment/"+of).is(t, http.StatusOK).json(t)
	own, _ := a["extended"].(bool)
	return a["dueDate"].(string), own
}

func (c *client) extends(t *testing.T, of string, who *client, due any) *answer {
	t.Helper()
	return c.put(t, "/api/assignment/"+of+"/extensions/"+who.id(t), doc{"dueDate": due})
}

func (c *client) lateOf(t *testing.T, of string) any {
	t.Helper()
	for _, s := range c.get(t, "/api/submissions").is(t, http.StatusOK).array(t) {
		if s["assignmentId"] == of {
			return s["late"]
		}
	}
	return nil
}

// One student gets more time, for an assignment or for all of a circle: pages, lists, late, reminders and the calendar
// of that student follow. Others see nothing of it, and no shared cache holds it.
func TestExtraTime(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		n := w.start(t)
		const due, later = "2027-03-09T23:59:59+01:00", "2027-03-12T23:59:59+01:00"
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t).withoutCircleMails(t), n.user(t, "Cem").confirmed(t).withoutCircleMails(t), n.user(t, "Dot"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem, dot)
		of := dot.publish(t, "circleId", circle, "dueDate", due, "title", "Essay on tides")
		for _, c := range []*client{bob, cem} {
			c.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		}
		before := cem.get(t, "/api/assignment/"+of)
		bob.extends(t, of, bob, later).refused(t, http.StatusForbidden, "not-your-assignment")
		eve.extends(t, of, bob, later).refused(t, http.StatusNotFound, "not-found")
		ada.extends(t, of, eve, later).refused(t, http.StatusNotFound, "not-found")
		ada.extends(t, of, dot, later).refused(t, http.StatusNotFound, "not-found")
		ada.put(t, "/api/assignment/"+of+"/extensions/"+strings.Repeat("x", 1000), doc{"dueDate": later}).refused(t, http.StatusNotFound, "not-found")
		ada.put(t, "/api/assignment/"+of+"/extensions/"+bob.id(t)+","+cem.id(t), doc{"dueDate": later}).refused(t, http.StatusNotFound, "not-found")
		for _, wrong := range []any{"2027-03-09T22:59:59+01:00", due, "2020-01-01", "soon"} {
			dot.extends(t, of, bob, wrong).refused(t, http.StatusUnprocessableEntity, "invalid", "body.dueDate")
		}
		thousand := slices.Repeat([]any{later}, 1000)
		dot.extends(t, of, bob, thousand).refused(t, http.StatusUnprocessableEntity, "invalid", "body.dueDate")
		dot.put(t, "/api/assignment/"+of+"/extensions/"+bob.id(t), thousand).is(t, http.StatusBadRequest)
		require.InDelta(t, 0, dot.extends(t, of, bob, nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		dot.put(t, "/api/assignment/"+of+"/extensions/"+bob.id(t), doc{}).refused(t, http.StatusUnprocessableEntity, "invalid", "body.dueDate")

		require.InDelta(t, 1, dot.extends(t, of, bob, later).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		require.InDelta(t, 0, ada.extends(t, of, bob, later).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		at, own := bob.dueOf(t, of)
		require.Equal(t, later, at)
		require.True(t, own)
		for range 2 { // the second one from the cache
			a := bob.get(t, "/api/assignment/"+of)
			require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
			require.NotEqual(t, before.header.Get("ETag"), a.header.Get("ETag"))
			for _, c := range []*client{cem, dot, ada} {
				at, own := c.dueOf(t, of)
				require.Equal(t, due, at, c.name)
				require.False(t, own, c.name)
			}
			require.Equal(t, string(before.body), string(cem.get(t, "/api/assignment/"+of).body))
			require.Equal(t, before.header.Get("ETag"), cem.get(t, "/api/assignment/"+of).header.Get("ETag"))
		}
		listed := bob.get(t, "/api/assignments?circle="+circle).is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, later, listed["dueDate"])
		require.Equal(t, true, listed["extended"])
		require.Equal(t, later, bob.get(t, "/api/today").json(t)["due"].([]any)[0].(doc)["dueDate"])
		require.Equal(t, due, cem.get(t, "/api/today").json(t)["due"].([]any)[0].(doc)["dueDate"])
		for _, c := range []*client{ada, dot} {
			list := c.get(t, "/api/assignment/"+of+"/extensions").is(t, http.StatusOK).json(t)
			require.Len(t, list["data"], 1)
			require.Equal(t, bob.id(t), list["data"].([]any)[0].(doc)["userId"])
			require.Equal(t, later, list["data"].([]any)[0].(doc)["dueDate"])
		}
		bob.get(t, "/api/assignment/"+of+"/extensions").refused(t, http.StatusForbidden, "not-your-assignment")
		eve.get(t, "/api/assignment/"+of+"/extensions").refused(t, http.StatusNotFound, "not-found")

		address := bob.post(t, "/api/calendar", nil).is(t, http.StatusCreated).json(t)["url"].(string)
		_, path, _ := strings.Cut(address, "/calendar/")
		calendar := bob.get(t, "/calendar/"+path)
		require.Contains(t, string(calendar.body), "DTSTART:20270312T225959Z")
		require.Contains(t, string(calendar.body), "SEQUENCE:1")
		// The reminders of the day before: Cem's of the assignment, Bob's of his own date.
		w.clock.stand(time.Date(2027, 3, 8, 9, 0, 1, 0, time.UTC))
		n.looks(t)
		n.getsLetters(t, cem.email, 1)
		require.Empty(t, n.mails.letters(t, bob.email))
		w.clock.stand(time.Date(2027, 3, 9, 9, 0, 1, 0, time.UTC))
		n.looks(t)
		n.getsLetters(t, bob.email, 1)
		require.Contains(t, n.mails.letters(t, bob.email)[0].text, "is due on Friday, 2027/03/12.")

		w.clock.stand(time.Date(2027, 3, 11, 12, 0, 0, 0, time.UTC))
		for _, c := range []*client{ada, bob, cem, dot} {
			c.newSession(t)
		}
		bobs := bob.submit(t, of)
		cem.submit(t, of)
		require.Equal(t, false, bob.lateOf(t, of))
		require.Equal(t, true, cem.lateOf(t, of))
		late := map[string]string{}
		for _, row := range ada.file(t, "/api/assignment/"+of+"/results.csv") {
			late[row["email"]] = row["late"]
		}
		require.Equal(t, map[string]string{bob.email: "false", cem.email: "true"}, late)
		ada.extends(t, of, bob, nil).is(t, http.StatusOK)
		require.Equal(t, true, bob.lateOf(t, of), "the extra time is taken away")
		_, own = bob.dueOf(t, of)
		require.False(t, own)

		// Extra days of a membership, for all assignments, also those of later.
		put := func(c *client, days any) *answer {
			return c.put(t, "/api/circle/"+circle+"/members/"+bob.id(t), doc{"extraDays": days})
		}
		put(cem, 2).refused(t, http.StatusForbidden, "not-an-organizer")
		for _, wrong := range []any{-1, 61, 1.5, "2"} {
			require.Equal(t, http.StatusUnprocessableEntity, put(ada, wrong).status, "%v", wrong)
		}
		put(ada, 2).is(t, http.StatusOK)
		at, own = bob.dueOf(t, of)
		require.Equal(t, "2027-03-11T23:59:59+01:00", at)
		require.True(t, own)
		require.Equal(t, false, bob.lateOf(t, of))
		second := dot.publish(t, "circleId", circle, "dueDate", "2027-03-20T23:59:59+01:00", "title", "Second")
		at, _ = bob.dueOf(t, second)
		require.Equal(t, "2027-03-22T23:59:59+01:00", at)
		for _, c := range []struct {
			given any
			want  string
		}{
			{"2027-03-21T23:59:59+01:00", "2027-03-22T23:59:59+01:00"}, {"2027-03-23T23:59:59+01:00", "2027-03-23T23:59:59+01:00"}, {nil, "2027-03-22T23:59:59+01:00"},
		} {
			dot.extends(t, second, bob, c.given).modified(t, 1)
			at, own = bob.dueOf(t, second)
			require.Equal(t, c.want, at)
			require.True(t, own)
		}
		for _, row := range cem.get(t, "/api/circle/"+circle+"/members").json(t)["data"].([]any) {
			require.NotContains(t, row, "extraDays")
		}
		// The due date moves, and the extra days with it. One's own date that is passed by gives nothing.
		dot.extends(t, second, cem, "2027-03-21T23:59:59+01:00").is(t, http.StatusOK)
		dot.put(t, "/api/assignment/"+second, with(assignment(), "dueDate", "2027-03-25T23:59:59+01:00", "title", "Second")).is(t, http.StatusOK)
		at, _ = bob.dueOf(t, second)
		require.Equal(t, "2027-03-27T23:59:59+01:00", at)
		at, own = cem.dueOf(t, second)
		require.Equal(t, "2027-03-25T23:59:59+01:00", at)
		require.False(t, own)
		// It ends with the membership. Pages offer it to those only who may get it.
		offered := func() (users []any) {
			for _, row := range ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any) {
				if id, offers := row.(doc)["submitterId"]; offers {
					users = append(users, id)
				}
			}
			return users
		}
		require.ElementsMatch(t, []any{bob.id(t), cem.id(t)}, offered())
		require.Equal(t, bob.id(t), ada.result(t, of, bobs)["submitterId"])
		bob.post(t, "/api/circle/"+circle+"/leave", nil).is(t, http.StatusOK)
		require.Equal(t, []any{cem.id(t)}, offered())
		require.NotContains(t, ada.result(t, of, bobs), "submitterId")
		ada.extends(t, of, bob, "2027-04-21T23:59:59+01:00").refused(t, http.StatusNotFound, "not-found")
		ada.admits(t, circle, "member", bob)
		_, own = bob.dueOf(t, second)
		require.False(t, own)
		ada.post(t, "/api/circle/"+circle+"/archive", nil).is(t, http.StatusOK)
		require.Empty(t, offered())
		dot.extends(t, second, bob, "2027-04-21T23:59:59+01:00").refused(t, http.StatusConflict, "circle-archived")
	})
}

// A public assignment: one answer serves all users, but the one with extra time gets their own, from no shared cache.
func TestExtraTimeInTheHall(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		due, later := inDays(3), inDays(9)
		of := ada.publish(t, "dueDate", due)
		ada.extends(t, of, bob, later).refused(t, http.StatusNotFound, "not-found")
		bob.submit(t, of)
		before := cem.get(t, "/api/assignment/"+of)
		row := ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)[0].(doc)
		require.Equal(t, bob.id(t), row["submitterId"])
		ada.extends(t, of, bob, later).is(t, http.StatusOK)
		for range 3 {
			at, own := bob.dueOf(t, of)
			require.Equal(t, later, at)
			require.True(t, own)
			require.Equal(t, "private, no-cache", bob.get(t, "/api/assignment/"+of).header.Get("Cache-Control"))
			list := bob.get(t, "/api/assignments")
			require.Equal(t, later, list.json(t)["data"].([]any)[0].(doc)["dueDate"])
			require.Equal(t, "private, no-cache", list.header.Get("Cache-Control"))
			for _, c := range []*client{cem, ada, n.visitor()} {
				a := c.get(t, "/api/assignment/"+of)
				require.Equal(t, string(before.body), string(a.body))
				before.header.Del("Date")
				a.header.Del("Date")
				require.Equal(t, before.header, a.header)
				require.Equal(t, due, c.get(t, "/api/assignments").json(t)["data"].([]any)[0].(doc)["dueDate"])
				require.Equal(t, "public, no-cache", c.get(t, "/api/assignments").header.Get("Cache-Control"))
			}
		}
		// A client whose token has expired renews it, and does not take the date of others for its own.
		for _, path := range []string{"/api/assignment/" + of, "/api/assignments"} {
			n.visitor().get(t, path, header{"Authorization", "Bearer nonsense"}).refused(t, http.StatusUnauthorized, "unauthenticated")
		}
	})
}

// Late is compared with the due date that now applies, everywhere.
func TestLateFollowsTheDueDate(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC))
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem)
		of := ada.publish(t, "circleId", circle, "dueDate", "2027-03-09T23:59:59Z")
		bob.submit(t, of)
		n.clock.stand(time.Date(2027, 3, 10, 12, 14, 0, 0, time.UTC))
		cem.submit(t, of)
		move := func(due string, late ...bool) {
			t.Helper()
			if due != "" {
				ada.put(t, "/api/assignment/"+of, with(assignment(), "dueDate", due)).is(t, http.StatusOK)
			}
			for i, c := range []*client{bob, cem} {
				require.Equal(t, late[i], c.lateOf(t, of), "%s %s", due, c.name)
				for _, row := range ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any) {
					if row := row.(doc); row["submitterId"] == c.id(t) {
						require.Equal(t, late[i], row["late"])
					}
				}
				for _, row := range ada.file(t, "/api/circle/"+circle+"/marks.csv") {
					if row["email"] == c.email {
						require.Equal(t, fmt.Sprint(late[i]), row["late"])
					}
				}
				pending := ada.get(t, "/api/submissions?status=pending&circle="+circle).array(t)
				require.Equal(t, late[i], pending[i]["late"])
			}
			n := 0.0
			for _, l := range late {
				if l {
					n++
				}
			}
			require.InDelta(t, n, ada.get(t, "/api/assignment/"+of+"/results").json(t)["late"], 0)
		}
		move("", true, true)
		move("2027-03-11T23:59:59Z", false, false)
		move("2027-03-10T12:00:00Z", false, true)
		move("2027-03-10T11:59:59Z", true, true)
	})
}

// A link that is replaced after the due date is shown with its time, and makes the work late if the assignment says so.
func TestLinkChangedAfterTheDueDate(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC))
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "dueDate", "2026-11-28T23:59:59Z")
		id := bob.submit(t, of)
		change := func(link, note string) {
			bob.put(t, "/api/submissions/"+id+"/own", doc{"docsLink": link, "note": note}).is(t, http.StatusOK)
		}
		row := func() doc {
			bob.newSession(t)
			ada.newSession(t)
			return ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)[0].(doc)
		}
		change(link(71), "In time.")
		require.NotContains(t, row(), "linkChangedAt")
		n.clock.stand(time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC))
		require.NotContains(t, row(), "linkChangedAt")
		change(link(71), "Only the note.")
		require.NotContains(t, row(), "linkChangedAt")
		n.clock.stand(time.Date(2026, 11, 29, 10, 12, 0, 0, time.UTC))
		row()
		change(link(72), "Another document.")
		require.Equal(t, "2026-11-29T10:12:00Z", row()["linkChangedAt"])
		require.Equal(t, false, row()["late"])
		require.Equal(t, "2026-11-29T10:12:00Z", bob.get(t, "/api/submissions").array(t)[0]["linkChangedAt"])
		require.Equal(t, "2026-11-29T10:12:00Z", n.user(t, "Cem").get(t, "/api/submissions?status=pending").array(t)[0]["linkChangedAt"])
		file := ada.file(t, "/api/assignment/"+of+"/results.csv")[0]
		require.Equal(t, "2026-11-29T10:12:00Z", file["linkChangedAt"])
		require.Equal(t, "false", file["late"])
		ada.put(t, "/api/assignment/"+of, with(assignment(), "dueDate", "2026-11-28T23:59:59Z", "lateLinks", true)).is(t, http.StatusOK)
		require.Equal(t, true, row()["late"])
		require.Equal(t, true, bob.lateOf(t, of))
		ada.put(t, "/api/assignment/"+of, with(assignment(), "dueDate", "2026-11-30T23:59:59Z")).is(t, http.StatusOK)
		require.Equal(t, false, row()["late"], "the due date is after the change now")
		require.NotContains(t, row(), "linkChangedAt")
	})
}

// 32 requests at once, on both nodes, hand in, give extra time and move the due date: what is late is what the rows say.
func TestConcurrentExtraTime(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC))
		n, other := w.startTwo(t)
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Readers")
		var class []*client
		for i := range 8 {
			class = append(class, n.user(t, fmt.Sprintf("Student%d", i)))
		}
		ada.admits(t, circle, "member", class...)
		var ids []string
		for _, c := range class {
			ids = append(ids, c.id(t))
		}
		of := ada.publish(t, "circleId", circle, "dueDate", "2027-03-09T23:59:59Z")
		atOnce(t, func(i int) (*answer, error) {
			at, c, id := []*node{n, other}[i%2], class[i/4], ids[i/4]
			switch i % 4 {
			case 0, 1:
				return c.at(at).try(t.Context(), http.MethodPost, "/api/submissions", submission(of))
			case 2:
				return ada.at(at).try(t.Context(), http.MethodPut, "/api/assignment/"+of+"/extensions/"+id, doc{"dueDate": "2027-03-12T00:00:00Z"})
			default:
				if i < 16 {
					return ada.at(at).try(t.Context(), http.MethodPut, "/api/circle/"+circle+"/members/"+id, doc{"extraDays": i % 7})
				}
				return ada.at(at).try(t.Context(), http.MethodPut, "/api/assignment/"+of, with(assignment(), "dueDate", fmt.Sprintf("2027-03-%02dT23:59:59Z", 9+i%2)))
			}
		})
		due, err := time.Parse(time.RFC3339, ada.get(t, "/api/assignment/"+of).json(t)["dueDate"].(string))
		require.NoError(t, err)
		for _, c := range class {
			own, err := time.Parse(time.RFC3339, first(c.dueOf(t, of)))
			require.NoError(t, err)
			require.False(t, own.Before(due))
			require.Equal(t, w.clock.now().After(own), c.lateOf(t, of), c.name)
		}
	})
}

func first[T, U any](t T, _ U) T { return t }
