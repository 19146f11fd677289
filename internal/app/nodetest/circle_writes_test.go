package nodetest

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// write is a request that changes something.
type write struct {
	by           *client // who may
	method, path string
	body         any
}

func (w write) sent(t *testing.T, c *client) *answer {
	t.Helper()
	return c.call(t, w.method, w.path, w.body)
}

// Every write in a circle: nothing is there for users who are not members, whom the circle's settings refuse gets a
// code, nothing changes in an archived circle, and organizers decide as the creator may.
func TestWritesInACircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		owner, oz, bob, cleo, dan, eve, fay := n.user(t, "Ada"), n.user(t, "Oz"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan"), n.user(t, "Eve"), n.user(t, "Fay")
		circle := owner.circle(t, "Readers")
		owner.admits(t, circle, "organizer", oz)
		owner.admits(t, circle, "member", bob, cleo, dan, fay)
		due := time.Now().Add(5 * 24 * time.Hour)
		one, several := bob.publishIn(t, circle, "One", due), bob.publishIn(t, circle, "Several", due, 3)
		pending, marked, reviewed := cleo.submit(t, one), dan.submit(t, one), cleo.submit(t, several)
		fay.grade(t, marked, 5)
		owner.removes(t, circle, dan)
		thread := cleo.write(t, one, "So")
		fay.task(t, several)
		fay.patch(t, "/api/submissions/"+reviewed, doc{"marks": 4}).is(t, http.StatusOK)
		second := bob.publishIn(t, circle, "Second", due, 2)
		cleo.submit(t, second)
		looked := cleo.submit(t, bob.publishIn(t, circle, "Third", due, 2))
		fay.task(t, second)
		exemplar := doc{"docsLink": "https://docs.example/sample", "mark": 5, "reason": "So"}
		sample := bob.post(t, "/api/assignment/"+several+"/exemplars", exemplar).id(t)

		writes := map[string]write{
			"publish":                 {bob, "POST", "/api/assignments", with(assignment(), "circleId", circle)},
			"update":                  {bob, "PUT", "/api/assignment/" + one, with(assignment(), "marks", 10)},
			"close":                   {oz, "PUT", "/api/assignment/" + one + "/discussion", doc{"closed": false}},
			"hand in":                 {fay, "POST", "/api/submissions", submission(one)},
			"hand in for reviews":     {fay, "POST", "/api/submissions", submission(several)},
			"change":                  {cleo, "PUT", "/api/submissions/" + pending + "/own", doc{"docsLink": "https://docs.example/new"}},
			"be reminded":             {fay, "PUT", "/api/assignment/" + one + "/reminder", doc{"remind": true}},
			"comment":                 {fay, "POST", "/api/assignment/" + one + "/comments", doc{"text": "Indeed"}},
			"edit":                    {cleo, "PATCH", "/api/comment/" + thread, doc{"text": "Thus"}},
			"react":                   {fay, "PUT", "/api/comment/" + thread + "/reactions/thanks", nil},
			"report":                  {fay, "POST", "/api/comment/" + thread + "/report", doc{"reason": "Rude"}},
			"grade":                   {fay, "PATCH", "/api/submissions/" + pending, doc{"marks": 5}},
			"reopen":                  {oz, "POST", "/api/submissions/" + marked + "/reopen", doc{"reason": "So", "action": "set-mark", "mark": 6}},
			"mark as known":           {oz, "PUT", "/api/submissions/" + looked + "/known", doc{"reason": "So", "mark": 6}},
			"settle":                  {oz, "POST", "/api/submissions/" + reviewed + "/settle", nil},
			"settle all":              {oz, "POST", "/api/assignment/" + several + "/settle", nil},
			"add an exemplar":         {oz, "POST", "/api/assignment/" + several + "/exemplars", exemplar},
			"change an exemplar":      {oz, "PUT", "/api/assignment/" + several + "/exemplars/" + sample, doc{"mark": 6, "reason": "So"}},
			"delete an exemplar":      {oz, "DELETE", "/api/assignment/" + several + "/exemplars/" + sample, nil},
			"ask for work to review":  {cleo, "POST", "/api/reviews/next", doc{"assignmentId": second}},
			"delete a comment":        {oz, "DELETE", "/api/comment/" + thread, nil},
			"delete":                  {bob, "DELETE", "/api/assignment/" + second, nil},
			"give back what is taken": {fay, "DELETE", "/api/reviews/lease/" + fay.get(t, "/api/reviews/lease").is(t, http.StatusOK).text(t, "submissionId"), nil},
		}
		everywhere := func(check func(t *testing.T, w write)) {
			for name, w := range writes {
				t.Run(name, func(t *testing.T) { check(t, w) })
			}
		}
		everywhere(func(t *testing.T, w write) {
			n.visitor().call(t, w.method, w.path, w.body).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			for _, c := range []*client{eve, dan} {
				w.sent(t, c).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
		})
		owner.post(t, "/api/circle/"+circle+"/archive", nil).modified(t, 1)
		everywhere(func(t *testing.T, w write) {
			w.sent(t, w.by).refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		})
		owner.post(t, "/api/circle/"+circle+"/unarchive", nil).modified(t, 1)

		settings := func(fields ...any) {
			owner.put(t, "/api/circle/"+circle, with(doc{"name": "Readers"}, fields...)).is(t, http.StatusOK)
		}
		settings("publishing", "organizers", "grading", "organizers")
		writes["publish"].sent(t, bob).refused(t, http.StatusForbidden, studycircle.CodeNotPublisher)
		writes["grade"].sent(t, fay).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
		writes["ask for work to review"].sent(t, cleo).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
		settings("publishing", "members", "grading", "members")
		for _, c := range []*client{owner, oz} {
			c.post(t, "/api/reviews/next", doc{"assignmentId": second}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
			c.post(t, "/api/reviews/next", doc{"circle": circle}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
			c.patch(t, "/api/submissions/"+reviewed, doc{"marks": 5}).refused(t, http.StatusForbidden, studycircle.CodeNotGrader)
		}
		for _, name := range []string{"update", "delete"} {
			writes[name].sent(t, oz).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		}
		for _, name := range []string{"close", "reopen", "mark as known", "settle", "settle all", "add an exemplar", "change an exemplar", "delete an exemplar"} {
			writes[name].sent(t, fay).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		}
		for _, path := range []string{"/submissions", "/results", "/looks", "/exemplars", "/submissions/" + reviewed} {
			oz.get(t, "/api/assignment/"+several+path).is(t, http.StatusOK)
			fay.get(t, "/api/assignment/"+several+path).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			eve.get(t, "/api/assignment/"+several+path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		result := func(c *client) doc {
			return c.get(t, "/api/assignment/"+several+"/submissions").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		}
		require.Equal(t, result(oz)["may"], result(bob)["may"])
		require.Equal(t, []any{cleo.email, nil, "Cleo"}, []any{result(oz)["submittedBy"], result(bob)["submittedBy"], result(bob)["submitterName"]})
		// In this order after all others.
		last := []string{"grade", "delete a comment", "delete an exemplar", "settle all", "delete"}
		for name, w := range writes {
			if name != "ask for work to review" && !slices.Contains(last, name) {
				a := w.sent(t, w.by)
				require.Contains(t, []int{http.StatusOK, http.StatusCreated}, a.status, "%s: %s", name, a.body)
			}
		}
		for _, name := range last {
			writes[name].sent(t, writes[name].by).is(t, http.StatusOK)
		}
	})
}
