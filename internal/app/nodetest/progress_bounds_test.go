package nodetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Invalid requests are refused in the contract's order, with the reason.
func TestProgressIsRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		mine := ada.publish(t)
		for _, path := range []string{
			"/api/progress?assignments=" + mine, "/api/progress", "/api/dashboard", "/api/assignment/" + mine + "/submissions", "/api/assignment/nothing/submissions?limit=0",
			"/api/assignments?state=mine", "/api/assignments?state=open&page=0", "/api/assignments?state=graded&search=x",
		} {
			n.visitor().get(t, path).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			n.visitor().get(t, path, header{"Authorization", "Bearer nonsense"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		n.visitor().put(t, "/api/assignment/"+mine+"/reminder", doc{"remind": "yes"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for query, location := range map[string]string{
			"state=late": "query.state", "state=MINE": "query.state", "state=%00": "query.state", "state=mine&search=a": "query.state", "state=due-soon&search=a": "query.state",
			"sort=marks": "query.sort", "sort=OLDEST": "query.sort", "sort=oldest&state=mine": "query.sort", "sort=oldest&state=due-soon": "query.sort", "sort=oldest&search=a": "query.sort",
			"state=mine&page=0": "query.page", "state=open&limit=101": "query.limit", "state=graded&level=harder": "query.level",
		} {
			bob.get(t, "/api/assignments?"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, location)
		}
		n.visitor().get(t, "/api/assignments?state=late").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.state")
		n.visitor().get(t, "/api/assignments?state=due-soon").is(t, http.StatusOK)

		commas := 50_000
		if n.balanced() {
			commas = 10_000 // HAProxy takes 16 kB of a request before its body
		}
		many := strings.TrimSuffix(strings.Repeat("a,", studycircle.MaxLimit+1), ",")
		for _, query := range []string{"", "?assignments=", "?assignments=" + many, "?assignments=" + strings.Repeat(",", commas)} {
			bob.get(t, "/api/progress"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.assignments")
		}
		for _, query := range []string{"nothing", "%00", "%ff,%27", many[2:], ",,", strings.Repeat("x", 5000)} {
			require.Empty(t, bob.get(t, "/api/progress?assignments="+query).is(t, http.StatusOK).json(t)["data"], query)
		}
		require.Len(t, bob.states(t, mine, mine, "nothing"), 1)

		results := "/api/assignment/" + mine + "/submissions"
		bob.get(t, results).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		bob.get(t, results+"?status=open").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.status")
		ada.get(t, results+"?limit=101").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.limit")
		ada.get(t, "/api/assignment/%00/submissions").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.put(t, "/api/assignment/"+mine+"/reminder", doc{"remind": 1}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.remind")
		bob.put(t, "/api/assignment/"+mine+"/reminder", doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.remind")
		bob.put(t, "/api/assignment/nothing/reminder", doc{"remind": true}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		first := bob.submit(t, mine)
		ada.del(t, "/api/assignment/"+mine).is(t, http.StatusOK)
		ada.get(t, results).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.put(t, "/api/assignment/"+mine+"/reminder", doc{"remind": true}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Empty(t, bob.states(t, mine))
		require.Empty(t, bob.listed(t, "?state=pending"))
		require.Empty(t, ada.listed(t, "?state=mine"))
		// The submission still belongs to its submitter, and can be graded.
		ada.grade(t, first, 5)
		taken := bob.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["taken"].(doc)
		require.InDelta(t, 1, taken["graded"], 0)
		require.InDelta(t, 10, taken["averagePercent"], 0)
		require.InDelta(t, 0, ada.get(t, "/api/dashboard").json(t)["created"].(doc)["total"], 0)
	})
}

// The list of all assignments, oldest first: numbered pages with totals, from the database and from memory.
func TestTheOldestAssignmentsComeFirstWhereAsked(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for range 5 {
			ada.publish(t)
		}
		ids := func(query string) (all []string) {
			for page := 1; page <= 3; page++ {
				answer := n.visitor().get(t, fmt.Sprintf("/api/assignments?limit=2&page=%d%s", page, query)).is(t, http.StatusOK).json(t)
				require.InDelta(t, 5, answer["pagination"].(doc)["total"], 0)
				for _, a := range answer["data"].([]any) {
					all = append(all, a.(doc)["_id"].(string))
				}
			}
			return all
		}
		newest := ids("")
		require.Equal(t, newest, ids("&sort=newest"))
		slices.Reverse(newest)
		for range 3 {
			require.Equal(t, newest, ids("&sort=oldest"))
		}
	})
}

// Lists by state are private to their user, and no cache gives them to another.
func TestListsByStateNeedTheirUser(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		ada.publish(t)
		for range 3 { // from memory, too
			require.Len(t, ada.listed(t, "?state=mine"), 1)
			require.Empty(t, bob.listed(t, "?state=mine"))
		}
		a := ada.get(t, "/api/assignments?state=mine").is(t, http.StatusOK)
		require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
		require.Contains(t, a.header.Get("Vary"), "Authorization")
		ada.get(t, "/api/assignments?state=mine", header{"If-None-Match", a.header.Get("ETag")}).is(t, http.StatusNotModified)
		require.Equal(t, "public, no-cache", ada.get(t, "/api/assignments?state=due-soon").header.Get("Cache-Control"))
		require.Contains(t, ada.get(t, "/api/dashboard").header.Get("Cache-Control"), "no-store")
	})
}

// Results, dashboards, progress and lists contain no link, note or grader; dashboards
// contain no email address, and nothing of a deleted account.
func TestProgressOfOthersIsNotShown(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dan := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dan")
		of := ada.publish(t)
		hand := doc{"assignmentId": of, "docsLink": "https://example.org/canary-link", "note": "canary-note"}
		sent := bob.post(t, "/api/submissions", hand).is(t, http.StatusCreated).text(t, "insertedId")
		dan.post(t, "/api/submissions", hand).is(t, http.StatusCreated)
		cem.patch(t, "/api/submissions/"+sent, doc{"marks": 25, "feedback": "visible feedback"}).is(t, http.StatusOK)
		results := "/api/assignment/" + of + "/submissions"
		for _, who := range []*client{ada, bob, cem, dan} {
			for _, path := range []string{results, "/api/dashboard", "/api/progress?assignments=" + of, "/api/assignments?state=graded", "/api/assignments?state=open", "/api/assignments?state=mine"} {
				text := string(who.get(t, path).body)
				for _, canary := range []string{"canary-link", "canary-note", cem.email, "Cem"} {
					require.NotContains(t, text, canary, "%s of %s", path, who.name)
				}
				if path == "/api/dashboard" {
					require.NotContains(t, text, "@", who.name)
				}
			}
		}
		listed := ada.get(t, results).is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, listed, 2)
		require.Equal(t, dan.email, listed[0].(doc)["submittedBy"])
		require.Equal(t, "visible feedback", listed[1].(doc)["feedback"])

		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		dan.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		listed = ada.get(t, results).is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, listed, 1, "pending submissions are withdrawn")
		require.Nil(t, listed[0].(doc)["submittedBy"])
		require.NotContains(t, listed[0].(doc), "submitterName")
		created := ada.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)["created"].(doc)
		require.Equal(t, doc{"total": 1., "submissions": 1., "pending": 0., "graded": 1., "averagePercent": 50.}, created)
		require.InDelta(t, 1, cem.get(t, "/api/dashboard").json(t)["given"].(doc)["total"], 0)
	})
}

// A user's figures include each of their writes at once, also with 32 concurrent users.
func TestFiguresAreExactAfterConcurrentWrites(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		host := n.user(t, "Host")
		var of []string
		for i := range 4 {
			of = append(of, host.publish(t, "title", fmt.Sprint("Shared ", i), "marks", 10))
		}
		users := gathered(t, n)
		together(t, crowd, func(i int) error {
			for k, id := range of {
				sent, err := users[i].do(t.Context(), http.MethodPost, "/api/submissions", submission(id), http.StatusCreated)
				if err != nil {
					return err
				}
				if _, err := users[(i+1)%crowd].do(t.Context(), http.MethodPatch, "/api/submissions/"+sent, doc{"marks": k + 1}, http.StatusOK); err != nil {
					return err
				}
				d, err := users[i].persist(t.Context(), http.MethodGet, "/api/dashboard", nil)
				if err != nil {
					return err
				}
				var got struct {
					Taken struct{ Graded, BestPercent float64 }
				}
				if err := json.Unmarshal(d.body, &got); err != nil {
					return err
				}
				if got.Taken.Graded != float64(k+1) || got.Taken.BestPercent != float64(10*(k+1)) {
					return fmt.Errorf("after %d grades: %s", k+1, d.body)
				}
			}
			return nil
		})
		require.Equal(t, doc{"total": 4., "submissions": 128., "pending": 0., "graded": 128., "averagePercent": 25.},
			host.get(t, "/api/dashboard").json(t)["created"])
		for _, u := range users {
			d := u.get(t, "/api/dashboard").json(t)
			require.InDelta(t, 4, d["given"].(doc)["total"], 0)
			require.InDelta(t, 25, d["given"].(doc)["averagePercent"], 0)
			require.Len(t, u.listed(t, "?state=graded"), 4)
			require.Empty(t, u.listed(t, "?state=open"))
		}
	})
}

// Of concurrent requests for the same reminder one changes something; 32 users set their
// own concurrently.
func TestConcurrentReminderChanges(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of := "/api/assignment/" + n.user(t, "Host").publish(t) + "/reminder"
		users := gathered(t, n)
		for _, remind := range []bool{true, false} {
			var changed atomic.Int64
			together(t, crowd, func(int) error {
				a, err := users[0].persist(t.Context(), http.MethodPut, of, doc{"remind": remind})
				if err != nil {
					return err
				}
				var got struct{ ModifiedCount int64 }
				if err := json.Unmarshal(a.body, &got); err != nil {
					return err
				}
				changed.Add(got.ModifiedCount)
				return a.expect(http.StatusOK)
			})
			require.EqualValues(t, 1, changed.Load())
		}
		together(t, crowd, func(i int) error {
			_, err := users[i].do(t.Context(), http.MethodPut, of, doc{"remind": true}, http.StatusOK)
			return err
		})
		for _, u := range users {
			require.Len(t, u.get(t, "/api/dashboard").json(t)["due"], 1)
		}
	})
}
