package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func copyPath(of string) string { return "/api/assignment/" + of + "/copy" }

// A copy has what its creator chose, due anew (PrairieLearn/PrairieLearn#14281, HGustavs/LenaSYS#12092: copies kept the
// dates of last year), and none of what others did.
func TestCopies(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan"), n.user(t, "Eve")
		spring, fall := ada.circle(t, "Spring"), ada.circle(t, "Fall")
		ada.admits(t, spring, "member", cleo, dan)
		ada.admits(t, spring, "organizer", bob)
		now := time.Now().UTC().Truncate(time.Second)
		day := func(n int) string { return now.AddDate(0, 0, n).Format(time.RFC3339) }
		rubric := doc{"criteria": []any{doc{"title": "Care", "levels": []any{doc{"label": "None", "marks": 0}, doc{"label": "All", "marks": 20}}}}}
		of := cleo.publish(t, "circleId", spring, "title", "Tides", "description", "**Why** twice?", "marks", 20, "level", "hard",
			"dueDate", day(2), "reviewsNeeded", 3, "markBy", "median", "rubric", rubric, "reviewDueDate", day(9), "reviewsOwed", 2, "lateLinks", true)
		cleo.post(t, "/api/assignment/"+of+"/exemplars", with(exemplar(20), "levels", []any{1})).is(t, http.StatusCreated)
		cleo.post(t, "/api/assignment/"+of+"/exemplars", exemplar(4)).is(t, http.StatusCreated)
		dan.submit(t, of)
		before := ada.get(t, "/api/assignment/"+of).json(t)

		answer := ada.post(t, copyPath(of), doc{"dueDate": day(100), "circle": fall, "exemplars": true}).is(t, http.StatusCreated)
		id := answer.json(t)["insertedId"].(string)
		require.Equal(t, "/api/assignment/"+id, answer.header.Get("Location"))
		got := ada.get(t, "/api/assignment/"+id).is(t, http.StatusOK).json(t)
		require.Equal(t, []any{day(100), day(107), "Ada", fall, true}, []any{got["dueDate"], got["reviewDueDate"], got["creatorName"], got["circleId"], got["mine"]})
		for name, value := range before {
			switch name {
			case "_id", "dueDate", "reviewDueDate", "creatorName", "creatorEmail", "circleId", "circleName", "createdAt", "updatedAt", "may":
			default:
				require.Equal(t, value, got[name], name)
			}
		}
		require.Zero(t, ada.get(t, "/api/assignment/"+id+"/submissions").is(t, http.StatusOK).json(t)["pagination"].(doc)["total"])
		exemplars := func(c *client, of string) (all []doc) {
			for _, e := range c.get(t, "/api/assignment/"+of+"/exemplars").is(t, http.StatusOK).json(t)["data"].([]any) {
				delete(e.(doc), "_id")
				all = append(all, e.(doc))
			}
			return all
		}
		require.ElementsMatch(t, exemplars(cleo, of), exemplars(ada, id))
		require.Len(t, exemplars(ada, id), 2)
		require.Equal(t, id, ada.get(t, "/api/assignments?circle="+fall).json(t)["data"].([]any)[0].(doc)["_id"])

		// Without exemplars, by its creator, to the hall: for null as for no circle.
		for _, body := range []doc{{"dueDate": day(50)}, {"dueDate": day(50), "circle": nil}, {"dueDate": day(50), "exemplars": false}} {
			public := cleo.post(t, copyPath(of), body).is(t, http.StatusCreated).text(t, "insertedId")
			require.Nil(t, n.visitor().get(t, "/api/assignment/"+public).is(t, http.StatusOK).json(t)["circleId"])
			require.Empty(t, exemplars(cleo, public))
		}
		// A copy is found as any other, and is copied again.
		again := ada.post(t, copyPath(id), doc{"dueDate": day(200), "circle": spring}).is(t, http.StatusCreated).text(t, "insertedId")
		require.Equal(t, day(207), dan.get(t, "/api/assignment/"+again).is(t, http.StatusOK).text(t, "reviewDueDate"))
		found := dan.get(t, "/api/assignments?search=tides&circle="+spring).is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, found, 2)

		// Who may: organizers of its circle and its creator, to where they may publish.
		body := doc{"dueDate": day(3), "circle": spring}
		bob.post(t, copyPath(of), body).is(t, http.StatusCreated)
		dan.post(t, copyPath(of), body).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		eve.post(t, copyPath(of), doc{"dueDate": day(3)}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.visitor().post(t, copyPath(of), body).is(t, http.StatusUnauthorized)
		bob.post(t, copyPath(of), with(body, "circle", fall)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.put(t, "/api/circle/"+fall, doc{"name": "Fall", "publishing": "organizers"}).is(t, http.StatusOK)
		ada.admits(t, fall, "member", bob)
		bob.post(t, copyPath(of), with(body, "circle", fall)).refused(t, http.StatusForbidden, studycircle.CodeNotPublisher)

		// Pages offer it to the creator, and to those who see addresses in the circle: whom the server allows.
		gone := n.user(t, "Gone")
		ada.admits(t, spring, "member", gone)
		left := gone.publish(t, "circleId", spring)
		gone.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		for _, c := range []*client{ada, bob, cleo, dan} {
			for _, id := range []string{of, left} {
				a := c.get(t, "/api/assignment/"+id).is(t, http.StatusOK).json(t)
				offered := a["mine"] == true || a["creatorEmail"] != nil
				require.Equal(t, offered, c.post(t, copyPath(id), body).status == http.StatusCreated, "%s %s", c.name, id)
				as := c.get(t, "/api/assignment/"+id+"?as=student")
				require.Equal(t, offered, as.status == http.StatusOK, "%s %s", c.name, id)
			}
		}

		// From an archived circle, and never into one.
		ada.post(t, "/api/circle/"+spring+"/archive", nil).is(t, http.StatusOK)
		bob.post(t, copyPath(of), body).refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		ada.post(t, copyPath(of), doc{"dueDate": day(3), "circle": fall, "exemplars": true}).is(t, http.StatusCreated)

		// What is not an assignment, or is one no longer.
		own := eve.publish(t)
		dan.post(t, copyPath(own), doc{"dueDate": day(3)}).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		for _, c := range []struct {
			body doc
			bad  string
		}{
			{doc{}, "body.dueDate"}, {doc{"dueDate": "soon"}, "body.dueDate"}, {doc{"dueDate": day(-2)}, "body.dueDate"},
			{doc{"dueDate": day(3), "circle": 3}, "body.circle"}, {doc{"dueDate": day(3), "title": "x"}, "body.title"},
			{doc{"dueDate": "9998-12-30"}, ""},
		} {
			a := eve.post(t, copyPath(own), c.body)
			if c.bad == "" {
				a.is(t, http.StatusCreated)
				continue
			}
			a.refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, c.bad)
		}
		for _, to := range []string{"nothing", "06h0q9762psjfw46v5t4s6ns08", "\x00"} {
			eve.post(t, copyPath(own), doc{"dueDate": day(3), "circle": to}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		eve.del(t, "/api/assignment/"+own).is(t, http.StatusOK)
		for _, gone := range []string{own, "nothing", "%00"} {
			eve.post(t, copyPath(gone), doc{"dueDate": day(3)}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
	})
}

// While a crowd copies an assignment, its creator changes it and removes an exemplar: each copy has the exemplars and
// the text of one moment.
func TestConcurrentCopies(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		from, to := ada.circle(t, "Spring"), ada.circle(t, "Fall")
		ada.admits(t, from, "organizer", bob)
		ada.admits(t, to, "member", bob)
		of := ada.publish(t, "circleId", from, "reviewsNeeded", 2, "marks", 20)
		at := "/api/assignment/" + of + "/exemplars"
		var last string
		for range 3 {
			last = ada.post(t, at, exemplar(7)).is(t, http.StatusCreated).text(t, "insertedId")
		}
		due := time.Now().AddDate(0, 0, 30).Format(time.RFC3339)
		copies := make([]string, crowd)
		together(t, crowd, func(i int) (err error) {
			switch i {
			case 0:
				_, err = ada.do(t.Context(), http.MethodDelete, at+"/"+last, nil, http.StatusOK)
				return err
			case 1:
				_, err = ada.do(t.Context(), http.MethodPut, "/api/assignment/"+of, with(assignment(), "title", "Renamed", "marks", 20), http.StatusOK)
				return err
			}
			copies[i], err = []*client{ada, bob}[i%2].do(
				t.Context(), http.MethodPost, copyPath(of), doc{"dueDate": due, "circle": to, "exemplars": true}, http.StatusCreated)
			return err
		})
		for i, id := range copies[2:] {
			by := []*client{ada, bob}[i%2]
			got := by.get(t, "/api/assignment/"+id).is(t, http.StatusOK).json(t)
			require.Equal(t, by.name, got["creatorName"])
			require.Contains(t, []any{"Renamed", assignment()["title"]}, got["title"])
			require.Contains(t, []int{2, 3}, len(by.get(t, "/api/assignment/"+id+"/exemplars").is(t, http.StatusOK).json(t)["data"].([]any)))
		}
		require.EqualValues(t, crowd-2, ada.get(t, "/api/assignments?circle="+to).json(t)["pagination"].(doc)["total"])
	})
}

// Asked for in MarkUsProject/Markus#6361 and tenbergen/CPRTool#281: what does a student see? The creator and the
// organizers read an assignment as a student without work does. The answer is theirs alone, and is
// never taken for the one that they act on.
func TestViewAsStudent(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob, cleo, dan, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "organizer", bob)
		ada.admits(t, circle, "member", cleo, dan)
		of := cleo.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour))
		at := "/api/assignment/" + of
		own := cleo.get(t, at).is(t, http.StatusOK).json(t)
		want := dan.get(t, at).is(t, http.StatusOK).json(t)
		for range 3 { // the third answer is one that is kept
			for _, node := range []*node{n, other} {
				for _, c := range []*client{ada, bob, cleo} {
					// open-craft/openedx-platform#601: what staff see showed while masquerading as a learner.
					a := c.at(node).get(t, at+"?as=student").is(t, http.StatusOK)
					require.Equal(t, want, a.json(t), c.name)
					require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
					c.at(node).get(t, at+"?as=student", header{"If-None-Match", a.header.Get("ETag")}).is(t, http.StatusNotModified)
				}
				require.Equal(t, own, cleo.at(node).get(t, at).json(t))
			}
		}
		dan.get(t, at+"?as=student").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		eve.get(t, at+"?as=student").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.visitor().get(t, at+"?as=student").is(t, http.StatusUnauthorized)
		ada.get(t, at+"?as=teacher").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.as")
		ada.get(t, at+"?as=").is(t, http.StatusOK)
		// An organizer whose membership ends sees it no more.
		ada.put(t, "/api/circle/"+circle, doc{"name": "Walkers"}).is(t, http.StatusOK)
		require.Equal(t, "Walkers", bob.get(t, at+"?as=student").text(t, "circleName"))
		ada.removes(t, circle, bob)
		bob.get(t, at+"?as=student").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		// An archived circle offers a student nothing.
		ada.post(t, "/api/circle/"+circle+"/archive", nil).is(t, http.StatusOK)
		require.Equal(t, doc{"change": false, "take": false, "decide": false}, cleo.get(t, at+"?as=student").json(t)["may"])

		// In the hall all see the same; of extra time that others have nothing shows.
		public := eve.publish(t)
		require.Equal(t, n.visitor().get(t, "/api/assignment/"+public).json(t), eve.get(t, "/api/assignment/"+public+"?as=student").json(t))
		dan.submit(t, public)
		eve.extends(t, public, dan, time.Now().AddDate(0, 1, 0).Format(time.RFC3339)).is(t, http.StatusOK)
		require.NotContains(t, eve.get(t, "/api/assignment/"+public+"?as=student").json(t), "extended")
		dan.get(t, "/api/assignment/"+public+"?as=student").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		eve.del(t, "/api/assignment/"+public).is(t, http.StatusOK)
		eve.get(t, "/api/assignment/"+public+"?as=student").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}
