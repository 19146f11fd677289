package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestCreateAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		due := time.Now().AddDate(0, 0, 3).Format("2006-01-02") + "T23:59:59+05:45"
		a := ada.post(t, "/api/assignments", with(assignment(), "dueDate", due, "title", "  Tides \t"))
		id := a.id(t)
		require.Equal(t, []string{"insertedId"}, fields(a.json(t)))
		require.Equal(t, "/api/assignment/"+id, a.header.Get("Location"))
		require.Equal(t, "application/json", a.header.Get("Content-Type"))

		got := n.visitor().get(t, a.header.Get("Location")).is(t, http.StatusOK).json(t)
		created, err := time.Parse(time.RFC3339, got["createdAt"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), created, time.Minute)
		require.Equal(t, time.UTC, created.Location())
		require.Equal(t, doc{
			"_id": id, "title": "Tides", "description": "Explain why the sea comes and goes.", "marks": 50.0,
			"format": "markdown", "html": "<p>Explain why the sea comes and goes.</p>\n", "thumbnail": "https://example.org/tides.png", "level": "medium", "dueDate": due,
			"circleId": nil, "circleName": nil, "creatorEmail": ada.email, "creatorName": "Ada", "createdAt": got["createdAt"], "updatedAt": got["createdAt"],
		}, got)
	})
}

func TestCreateAssignmentWithoutLevelIsEasy(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		id := n.user(t, "Ada").publish(t, "level", absent{})
		require.Equal(t, "easy", n.visitor().get(t, "/api/assignment/"+id).json(t)["level"])
	})
}

func TestVisitorsCannotWriteAssignments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		at := "/api/assignment/" + n.user(t, "Ada").publish(t)
		for name, v := range map[string]*client{
			"no token": n.visitor(), "garbage": {n: n, token: "garbage"}, "three parts": {n: n, token: "a.1.b"}, "dots": {n: n, token: ".."},
		} {
			t.Run(name, func(t *testing.T) {
				for _, a := range []*answer{
					v.post(t, "/api/assignments", assignment()), v.put(t, at, assignment()), v.del(t, at),
				} {
					a.refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
					require.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
				}
			})
		}
		require.Equal(t, "Essay on tides", n.visitor().get(t, at).json(t)["title"])
	})
}

func TestReadAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/assignment/" + ada.publish(t)
		first := n.visitor().get(t, at).is(t, http.StatusOK)
		require.Regexp(t, `^"[^"]+"$`, first.header.Get("ETag"))
		require.Equal(t, first.header.Get("ETag"), ada.get(t, at).header.Get("ETag"), "the same for all viewers")
		for _, id := range []string{"nothing", "%00", "%ff", "%F0%9F%8E%93", "a%2Fb", "%27%20OR%201=1", "..%2f..", "-1"} {
			n.visitor().get(t, "/api/assignment/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
	})
}

func TestUpdateAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		at := "/api/assignment/" + ada.publish(t)
		before := n.visitor().get(t, at)
		changed := doc{
			"title": "Essay on moons", "description": "Another.", "marks": 60, "thumbnail": "http://example.org/m.png",
			"level": "hard", "dueDate": "2031-02-03T23:59:59-08:00",
		}
		a := ada.put(t, at, changed).is(t, http.StatusOK)
		require.Equal(t, doc{"matchedCount": 1.0, "modifiedCount": 1.0}, a.json(t))
		after := n.visitor().get(t, at)
		got := after.json(t)
		for name, value := range with(changed, "marks", 60.0, "_id", before.json(t)["_id"], "creatorEmail", ada.email,
			"creatorName", "Ada", "createdAt", before.json(t)["createdAt"]) {
			require.Equal(t, value, got[name], name)
		}
		require.NotEqual(t, before.json(t)["updatedAt"], got["updatedAt"])
		require.NotEqual(t, before.header.Get("ETag"), after.header.Get("ETag"))

		t.Run("nothing changed", func(t *testing.T) {
			require.Equal(t, doc{"matchedCount": 1.0, "modifiedCount": 0.0}, ada.put(t, at, changed).is(t, http.StatusOK).json(t))
			require.Equal(t, after.body, n.visitor().get(t, at).body)
		})
		t.Run("of another user", func(t *testing.T) {
			bob.put(t, at, assignment()).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			require.Equal(t, after.body, n.visitor().get(t, at).body)
		})
		t.Run("not there", func(t *testing.T) {
			ada.put(t, "/api/assignment/nothing", assignment()).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			ada.put(t, "/api/assignment/%00", assignment()).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("every field is needed", func(t *testing.T) {
			for _, name := range fields(assignment()) {
				ada.put(t, at, with(assignment(), name, absent{})).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+name)
			}
		})
	})
}

func TestUpdateHonoursIfMatch(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		at := "/api/assignment/" + ada.publish(t)
		tag := n.visitor().get(t, at).header.Get("ETag")
		ifMatch := func(value string) header { return header{"If-Match", value} }

		ada.put(t, at, with(assignment(), "title", "Two"), ifMatch(tag)).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "title", "Three"), ifMatch(tag)).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		ada.put(t, at, with(assignment(), "title", "Three"), ifMatch("W/"+n.visitor().get(t, at).header.Get("ETag"))).
			refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		require.Equal(t, "Two", n.visitor().get(t, at).json(t)["title"])

		ada.put(t, at, with(assignment(), "title", "Four"), ifMatch(`"other", `+n.visitor().get(t, at).header.Get("ETag"))).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "title", "Five"), ifMatch("*")).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "title", "Six")).is(t, http.StatusOK)

		bob.put(t, at, assignment(), ifMatch(tag)).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		ada.put(t, "/api/assignment/nothing", assignment(), ifMatch(tag)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.put(t, at, with(assignment(), "marks", 0), ifMatch(tag)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
	})
}

func TestDeleteAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.publish(t)
		at := "/api/assignment/" + id
		bob.del(t, at).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		ada.del(t, "/api/assignment/nothing").refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		require.Equal(t, doc{"deletedCount": 1.0}, ada.del(t, at).is(t, http.StatusOK).json(t))
		ada.del(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.put(t, at, assignment()).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, "/api/submissions", submission(id)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.visitor().get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Empty(t, n.visitor().get(t, "/api/assignments").json(t)["data"])
		require.Empty(t, n.visitor().get(t, "/api/assignments?search=tides").json(t)["data"])
	})
}

func TestCreatorNameFollowsTheProfile(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/assignment/" + ada.publish(t)
		ada.patch(t, "/api/auth/profile", doc{"displayName": "Countess", "photoURL": ""}).is(t, http.StatusOK)
		require.Equal(t, "Countess", n.visitor().get(t, at).json(t)["creatorName"])
		list := n.visitor().get(t, "/api/assignments").json(t)["data"].([]any)
		require.Equal(t, "Countess", list[0].(doc)["creatorName"])
	})
}

// An assignment that was changed and changed back differs from the version read before,
// even if the clock stands still.
func TestUpdatesUnderAStandingClock(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		n.clock.stand(n.clock.now())
		at := "/api/assignment/" + ada.publish(t)
		var stamps []time.Time
		read := func() string {
			a := n.visitor().get(t, at).is(t, http.StatusOK)
			stamp, err := time.Parse(time.RFC3339Nano, a.text(t, "updatedAt"))
			require.NoError(t, err)
			stamps = append(stamps, stamp)
			return a.header.Get("Etag")
		}
		first := read()
		ada.put(t, at, with(assignment(), "title", "Another")).is(t, http.StatusOK)
		second := read()
		ada.put(t, at, assignment()).is(t, http.StatusOK)
		third := read()
		require.True(t, stamps[1].After(stamps[0]), "%v", stamps)
		require.True(t, stamps[2].After(stamps[1]), "%v", stamps)
		for _, old := range []string{first, second} {
			ada.put(t, at, with(assignment(), "title", "Lost"), header{"If-Match", old}).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		}
		ada.put(t, at, with(assignment(), "title", "Kept"), header{"If-Match", third}).is(t, http.StatusOK)
	})
}
