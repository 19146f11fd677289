package nodetest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// everything is all that the store holds of users and their work.
type everything struct {
	Users       []studycircle.User
	Assignments []studycircle.Assignment
	Submissions []studycircle.Submission
}

func (n *node) everything(t *testing.T) (e everything) {
	t.Helper()
	s, ctx := n.app.Store, t.Context()
	require.NoError(t, s.EachUser(ctx, func(u studycircle.User) error { e.Users = append(e.Users, u); return nil }))
	require.NoError(t, s.EachAssignment(ctx, studycircle.Visitor(), studycircle.Hall, func(a studycircle.Assignment) error { e.Assignments = append(e.Assignments, a); return nil }))
	require.NoError(t, s.EachSubmission(ctx, studycircle.System(), studycircle.Hall, func(sub studycircle.Submission) error { e.Submissions = append(e.Submissions, sub); return nil }))
	return e
}

// A failed request changes nothing: every invalid body of every call, sent with and
// without permission.
func TestRequestsThatFailChangeNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		calls := targets(t, n)
		stranger := n.user(t, "Stranger")
		before := n.everything(t)
		failed := func(a *answer) {
			require.GreaterOrEqual(t, a.status, 400, "%s\n%s", a.what, a.body)
			require.Less(t, a.status, 500, "%s\n%s", a.what, a.body)
		}
		bounds := map[string][]bound{
			"create": assignmentBounds(), "update": assignmentBounds(), "submit": submissionBounds(), "change": submissionBounds(), "register": badRegistrations(),
		}
		for name, call := range calls {
			for _, body := range malformed() {
				failed(call.send(t, raw(body)))
			}
			for _, kind := range wrongMediaTypes() {
				failed(call.send(t, call.good, header{"Content-Type", kind}))
			}
			for field := range call.good {
				if field != "note" && field != "feedback" && (name != "create" || field != "level") {
					failed(call.send(t, with(call.good, field, absent{})))
				}
				failed(call.send(t, with(call.good, field, doc{"a": 1})))
			}
			for _, b := range bounds[name] {
				for _, value := range b.bad {
					failed(call.send(t, with(call.good, b.field, value)))
				}
			}
			if call.who.token != "" {
				failed((target{n.visitor(), call.method, call.path, nil}).send(t, call.good))
			}
			if name == "update" || name == "change" {
				failed((target{stranger, call.method, call.path, nil}).send(t, call.good))
			}
		}
		for _, bad := range badGrades() {
			failed(calls["grade"].send(t, bad.body))
		}
		failed(stranger.del(t, calls["update"].path))
		failed(stranger.del(t, calls["change"].path))
		failed(stranger.del(t, "/api/assignment/nothing"))
		failed(calls["create"].who.put(t, calls["update"].path, with(assignment(), "dueDate", inDays(-5))))
		failed(calls["create"].who.put(t, calls["update"].path, assignment(), header{"If-Match", `"old"`}))
		require.Equal(t, before, n.everything(t))
	})
}

func TestReadingChangesNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		of := ada.publish(t)
		id := bob.submit(t, of)
		before := n.everything(t)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, path := range []string{
				"/api/assignments", "/api/assignment/" + of, "/api/submissions", "/api/submissions?status=pending", "/api/auth/session", "/api/auth/logout",
				"/api/auth/login", "/api/submissions/" + id, "/api/submissions/" + id + "/own", "/", "/assignments", "/assignment/" + of, "/auth/login",
			} {
				for _, override := range []string{"", "DELETE", "PUT", "PATCH"} {
					_, err := ada.try(t.Context(), method, path+"?_method="+override, nil, cookie, header{"X-HTTP-Method-Override", override})
					require.NoError(t, err)
				}
			}
		}
		require.Equal(t, before, n.everything(t))
		require.NotNil(t, n.visitor().get(t, "/api/auth/session", cookie).json(t)["user"], "still signed in")
	})
}
