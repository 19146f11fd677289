package nodetest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A request with several faults is refused for the first of them in the contract's order:
// 401, then 415, 413 and 400, then the shape's 422, then 404, 403 and 409, and last the
// object's 422.
func TestOrderOfChecks(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		theirs := "/api/assignment/" + ada.publish(t)
		of := ada.publish(t)
		graded := bob.submit(t, of)
		ada.grade(t, graded, 10)
		pending := bob.submit(t, of)
		nothing, shapeless := "/api/assignment/nothing", with(assignment(), "marks", "many")
		past := with(assignment(), "dueDate", inDays(-9))
		text, stale := header{"Content-Type", "text/plain"}, header{"If-Match", `"stale"`}

		for name, c := range map[string]struct {
			got    *answer
			status int
			code   studycircle.Code
		}{
			"401 before 415":               {n.visitor().put(t, theirs, assignment(), text), 401, studycircle.CodeUnauthenticated},
			"401 before 413":               {n.visitor().put(t, theirs, raw(repeated(" ", 2<<20))), 401, studycircle.CodeUnauthenticated},
			"401 before 400":               {n.visitor().put(t, theirs, raw("{")), 401, studycircle.CodeUnauthenticated},
			"401 before 422":               {n.visitor().put(t, theirs, shapeless), 401, studycircle.CodeUnauthenticated},
			"401 before 404":               {n.visitor().put(t, nothing, assignment()), 401, studycircle.CodeUnauthenticated},
			"401 before a parameter's 422": {n.visitor().get(t, "/api/submissions?limit=0"), 401, studycircle.CodeUnauthenticated},
			"415 before 422":               {bob.put(t, theirs, shapeless, text), 415, studycircle.CodeUnsupportedMedia},
			"415 before 404":               {bob.put(t, nothing, assignment(), text), 415, studycircle.CodeUnsupportedMedia},
			"413 before 404":               {bob.put(t, nothing, raw(repeated(" ", 2<<20))), 413, studycircle.CodeTooLarge},
			"400 before 404":               {bob.put(t, nothing, raw(`{"marks":1,"marks":2}`)), 400, studycircle.CodeMalformed},
			"400 before 403":               {bob.put(t, theirs, raw("[]")), 400, studycircle.CodeMalformed},
			"400 before 409":               {ada.patch(t, "/api/submissions/"+graded, raw("null")), 400, studycircle.CodeMalformed},
			"422 before 404":               {bob.put(t, nothing, shapeless), 422, studycircle.CodeInvalid},
			"422 before 403":               {bob.put(t, theirs, shapeless), 422, studycircle.CodeInvalid},
			"422 before 409":               {ada.patch(t, "/api/submissions/"+graded, doc{"marks": "ten"}), 422, studycircle.CodeInvalid},
			"422 before own assignment":    {ada.post(t, "/api/submissions", with(submission(of), "docsLink", "x")), 422, studycircle.CodeInvalid},
			"422 before already pending":   {bob.post(t, "/api/submissions", with(submission(of), "note", 5)), 422, studycircle.CodeInvalid},
			"422 before another's list":    {bob.get(t, "/api/submissions?submittedBy="+ada.email+"&page=0"), 422, studycircle.CodeInvalid},
			"a mark no total allows":       {ada.patch(t, "/api/submissions/nothing", doc{"marks": 1001}), 422, studycircle.CodeInvalid},
			"404 before the object's 422":  {ada.patch(t, "/api/submissions/nothing", doc{"marks": 1000}), 404, studycircle.CodeNotFound},
			"403 before 409":               {bob.patch(t, "/api/submissions/"+graded, doc{"marks": 1}), 403, studycircle.CodeOwnSubmission},
			"403 before 412":               {bob.put(t, theirs, assignment(), stale), 403, studycircle.CodeNotYourAssignment},
			"403 before a past due date":   {bob.put(t, theirs, past), 403, studycircle.CodeNotYourAssignment},
			"412 before a past due date":   {ada.put(t, theirs, past, stale), 412, studycircle.CodeChanged},
			"403 before the mark's 422":    {bob.patch(t, "/api/submissions/"+pending, doc{"marks": 1000}), 403, studycircle.CodeOwnSubmission},
			"409 before the object's 422":  {ada.patch(t, "/api/submissions/"+graded, doc{"marks": 1000}), 409, studycircle.CodeAlreadyGraded},
			"the object's 422":             {ada.patch(t, "/api/submissions/"+pending, doc{"marks": 51}), 422, studycircle.CodeInvalid},
		} {
			t.Run(name, func(t *testing.T) { c.got.refused(t, c.status, c.code) })
		}
		require.Equal(t, "pending", bob.own(t, pending)["status"])
	})
}

func TestCrossSiteRequestsAreRefusedBeforeAnythingElse(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		for _, foreign := range []header{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"Origin", n.url + ".evil.example"},
		} {
			for _, call := range []target{
				{n.visitor(), http.MethodPost, "/api/auth/login", doc{"email": ada.email, "password": password}},
				{n.visitor(), http.MethodPost, "/api/auth/register", newcomer()},
				{n.visitor(), http.MethodPost, "/api/auth/register", doc{"wrong": 1}},
				{n.visitor(), http.MethodPost, "/api/auth/logout", nil},
				{ada, http.MethodPatch, "/api/auth/profile", doc{"displayName": "Eve", "photoURL": ""}},
				{ada, http.MethodDelete, "/api/auth/account", nil},
				{n.visitor(), http.MethodDelete, "/api/auth/account", nil},
				{n.visitor(), http.MethodPost, "/api/auth/nothing", nil},
				{n.visitor(), http.MethodPut, "/api/auth/session", nil},
			} {
				a := call.send(t, call.good, foreign, cookie, header{"Content-Type", "text/plain"})
				a.refused(t, http.StatusForbidden, studycircle.CodeCrossSite)
				require.Empty(t, a.cookies)
			}
		}
		require.NotNil(t, n.visitor().get(t, "/api/auth/session", cookie, header{"Sec-Fetch-Site", "cross-site"}).is(t, http.StatusOK).json(t)["user"])
		for _, own := range []header{{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Origin", n.url}} {
			n.visitor().call(t, http.MethodPost, "/api/auth/logout", nil, own).is(t, http.StatusNoContent)
		}
	})
}
