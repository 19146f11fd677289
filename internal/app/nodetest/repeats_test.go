package nodetest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// requestID returns the nth of some ids of requests.
func requestID(n int) string { return fmt.Sprintf("8c5f2a4e-3b1d-4f6a-9d2e-%012x", n) }

// send is a create or send: who sends what, and how many there are of it.
type send struct {
	by           *client
	method, path string
	body         doc
	count        func() int
}

// sends returns creates and sends in a class whose organizer is Ada.
func sends(t *testing.T, n *node) map[string]send {
	t.Helper()
	ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
	circle := ada.circle(t, "Readers")
	ada.admits(t, circle, "member", bob, cem)
	of := ada.publish(t, "circleId", circle)
	several := ada.publish(t, "circleId", circle, "reviewsNeeded", 2, "marks", 20)
	graded, back := bob.submit(t, of), cem.submit(t, of)
	list := func(c *client, path string) []any {
		return c.get(t, path).is(t, http.StatusOK).json(t)["data"].([]any)
	}
	number := func(c *client, path string) func() int { return func() int { return len(list(c, path)) } }
	reminders := func() int {
		return len(slices.DeleteFunc(list(cem, "/api/notifications"), func(one any) bool { return one.(doc)["kind"] != "due" }))
	}
	rows := func(table string) func() int { return func() int { return n.countRows(t, table, "id <> ''") } }
	once := func() int { return n.countRows(t, "submissions", "status <> 'pending'") }
	post := http.MethodPost
	return map[string]send{
		// PrairieLearn/PrairieLearn#854, apluslms/a-plus#301: a double click on "Grade" or "Submit" sends twice.
		"a submission": {bob, post, "/api/submissions", submission(several), number(ada, "/api/assignment/"+several+"/submissions")},
		// otavanopisto/muikku#4784: double assessments from a double click.
		"a grade": {ada, http.MethodPatch, "/api/submissions/" + graded, doc{"marks": 40, "feedback": "Good."}, once},
		// learning-unlimited/ESP-Website#732: a second click while the page loads makes a second class.
		"a circle": {bob, post, "/api/circles", doc{"name": "Bob's"}, number(bob, "/api/circles")},
		// umputun/remark42#29, danirus/django-comments-xtd#284, HyphaApp/hypha#819: double comments, on slow lines above all.
		"a comment": {bob, post, "/api/assignment/" + of + "/comments", doc{"text": "Hello."}, number(ada, "/api/assignment/"+of+"/comments")},
		"an assignment": {
			ada, post, "/api/assignments", with(assignment(), "circleId", circle), number(ada, "/api/assignments?circle="+circle),
		},
		"work sent back": {ada, post, "/api/submissions/" + back + "/send-back", doc{"reason": "It does not open."}, once},
		"an invitation": {
			ada, post, "/api/circle/" + circle + "/invitations", doc{"role": "member"}, number(ada, "/api/circle/"+circle+"/invitations"),
		},
		"a reminder": {ada, post, "/api/assignment/" + several + "/owes/remind", doc{}, reminders},
		"a report":   {cem, post, "/api/assignment/" + of + "/report", doc{"reason": "Copied."}, rows("reports")},
		"a rubric":   {cem, post, "/api/rubrics", with(twoCriteria(), "name", "Mine"), number(cem, "/api/rubrics")},
	}
}

// sameAnswer requires that an answer is the first one again.
func sameAnswer(t *testing.T, first, again *answer) {
	t.Helper()
	require.Equal(t, first.status, again.status, "%s\n%s", again.what, again.body)
	require.Equal(t, string(first.body), string(again.body), again.what)
	for _, name := range []string{"Location", "Content-Type", "Cache-Control", "Etag"} {
		require.Equal(t, first.header.Values(name), again.header.Values(name), again.what)
	}
}

// 32 requests with one id, on both nodes, do one thing and get one answer; so does one later in the day. Another
// user's same id is another request, and after a day the id is new.
func TestARequestThatIsRepeatedHappensOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		number := 0
		for name, send := range sends(t, n) {
			number++
			body := with(send.body, "id", requestID(number))
			before := send.count()
			answers := make([]*answer, crowd)
			together(t, crowd, func(i int) (err error) {
				answers[i], err = send.by.at([]*node{n, other}[i%2]).persist(t.Context(), send.method, send.path, body)
				return err
			})
			require.Less(t, answers[0].status, 300, "%s\n%s", name, answers[0].body)
			for _, a := range append(answers[1:], send.by.call(t, send.method, send.path, body)) {
				a.soundness(t)
				sameAnswer(t, answers[0], a)
			}
			require.Equal(t, before+1, send.count(), name)
			require.Equal(t, number, n.countRows(t, "sent_requests", "answer <> ''"), name)
		}
	})
}

func (n *node) countRows(t *testing.T, table, where string) (count int) {
	t.Helper()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table+" WHERE "+where).Scan(&count)
	}))
	return count
}

func TestIDsOfRequests(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of, id := ada.publish(t), requestID(1)
		discussion := "/api/assignment/" + of + "/comments"
		count := func() float64 {
			return ada.get(t, discussion).is(t, http.StatusOK).json(t)["pagination"].(doc)["total"].(float64)
		}
		body := doc{"text": "Hello.", "id": id}
		first := ada.post(t, discussion, body).is(t, http.StatusCreated)
		for range 40 { // beyond the hour's limit: only the first counts
			sameAnswer(t, first, ada.post(t, discussion, body))
		}
		require.InDelta(t, 1, count(), 0)

		// Another user's, and one without an id.
		require.NotEqual(t, first.body, bob.post(t, discussion, body).is(t, http.StatusCreated).body)
		bob.post(t, discussion, doc{"text": "Hello."}).is(t, http.StatusCreated)
		bob.post(t, discussion, doc{"text": "Hello."}).is(t, http.StatusCreated)
		require.InDelta(t, 4, count(), 0)

		// Another request with the id.
		ada.post(t, discussion, with(body, "text", "Goodbye.")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")
		ada.post(t, "/api/circles", doc{"name": "A", "id": id}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")

		// What is no id.
		for _, wrong := range []any{"", "1", id + "0", strings.ReplaceAll(id, "-", ""), "{" + id + "}", 1, true, nil, []string{id}, doc{"a": 1}, "8c5f2a4e-3b1d-4f6a-9d2e-00000000000g"} {
			ada.post(t, discussion, with(body, "id", wrong)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")
		}
		ada.put(t, "/api/assignment/"+of, with(assignment(), "id", id)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")
		require.InDelta(t, 4, count(), 0)

		// A request that is refused is decided anew.
		late := doc{"assignmentId": studycircle.NewID(n.clock.now()), "docsLink": "https://docs.example.org/1", "id": requestID(2)}
		bob.post(t, "/api/submissions", late).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, "/api/submissions", with(late, "assignmentId", of)).is(t, http.StatusCreated)

		// After a day the id is new, and its row goes.
		n.clock.advance(23*time.Hour + 59*time.Minute)
		ada.hasSession(t, ada.ownAccount(t).ID)
		sameAnswer(t, first, ada.post(t, discussion, body))
		require.Equal(t, 3, n.countRows(t, "sent_requests", "id <> ''"))
		n.clock.advance(2 * time.Minute)
		require.NotEqual(t, first.body, ada.post(t, discussion, body).is(t, http.StatusCreated).body)
		require.InDelta(t, 5, count(), 0)
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteExpired(ctx, n.clock.now())
		}))
		require.Equal(t, 1, n.countRows(t, "sent_requests", "id <> ''"))
		ada.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Zero(t, n.countRows(t, "sent_requests", "id <> ''"))
	})
}

// A node dies between the commit and the answer: a request that is repeated says so, and happens once.
func TestARepeatedRequestWhoseAnswerIsLost(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		body := with(assignment(), "id", requestID(1))
		ada.post(t, "/api/assignments", body).is(t, http.StatusCreated)
		require.Equal(t, 1, n.countRows(t, "sent_requests", "answer <> ''"))
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "UPDATE sent_requests SET answer = ''")
			return err
		}))
		began := time.Now()
		ada.post(t, "/api/assignments", body).refused(t, http.StatusConflict, studycircle.CodeAlreadySent)
		require.Less(t, time.Since(began), 9*time.Second)
		n.clock.advance(time.Minute) // an answer that is not there by now does not come
		began = time.Now()
		ada.post(t, "/api/assignments", body).refused(t, http.StatusConflict, studycircle.CodeAlreadySent)
		require.Less(t, time.Since(began), 4*time.Second)
		require.Len(t, n.visitor().get(t, "/api/assignments").json(t)["data"], 1)
	})
}

// A file has its id in the query, and an operation without a body takes one for the id; other bodies are ignored.
func TestIDsOfRequestsWithoutAJSONBody(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		circle := ada.circle(t, "Readers")
		csv := header{"Content-Type", "text/csv"}
		roster := func(id, text string) *answer {
			return ada.post(t, "/api/circle/"+circle+"/roster?id="+id, raw(text), csv)
		}
		first := roster(requestID(1), "email\n"+bob.email+"\nnew@example.org\n").is(t, http.StatusOK)
		require.Contains(t, string(first.body), `"invited":2`)
		sameAnswer(t, first, roster(requestID(1), "email\n"+bob.email+"\nnew@example.org\n"))
		roster(requestID(1), "email\nother@example.org\n").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")
		roster("1", "email\n").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.id")

		calendar := ada.post(t, "/api/calendar", doc{"id": requestID(2)}).is(t, http.StatusCreated)
		sameAnswer(t, calendar, ada.post(t, "/api/calendar", doc{"id": requestID(2)}))
		ada.post(t, "/api/calendar", doc{"id": "2"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.id")
		for _, body := range []any{nil, raw("null"), raw("{"), raw("[]"), doc{}, doc{"other": 1}, raw(`{"id":"` + requestID(2) + `","` + strings.Repeat("x", 2000) + `":1}`)} {
			next := ada.post(t, "/api/calendar", body).is(t, http.StatusCreated)
			require.False(t, bytes.Equal(calendar.body, next.body), "a new address for %v", body)
		}
		// The address is a secret: the database alone does not tell it.
		secret := calendar.text(t, "url")
		require.Zero(t, n.countRows(t, "sent_requests", "answer LIKE '%"+secret[len(secret)-20:]+"%' OR id LIKE '%8c5f2a4e%'"))
	})
}
