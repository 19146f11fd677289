package nodetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func gathered(t *testing.T, n *node) []*client {
	t.Helper()
	users := make([]*client, crowd)
	for i := range users {
		users[i] = n.user(t, fmt.Sprintf("User%02d", i))
	}
	return users
}

// Each client creates, updates and deletes, submits, changes, withdraws and grades,
// concurrently; then every total and every page is right.
func TestConcurrentWrites(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		host := n.user(t, "Host")
		shared, quiz := host.publish(t, "title", "Shared"), host.publish(t, "title", "Quiz")
		handedIn := make([]string, crowd)
		for i, u := range users {
			handedIn[i] = u.submit(t, quiz)
		}
		together(t, crowd, func(i int) error { return users[i].oneDay(t.Context(), shared, handedIn[(i+1)%crowd]) })

		// Each created three and deleted one; the host has two.
		titles, p := n.page(t, "?limit=100")
		require.Equal(t, pages(1, 100, 2*crowd+2, 1), p)
		require.Len(t, titles, 2*crowd+2)
		_, p = n.page(t, "?level=hard")
		require.InDelta(t, crowd, p["total"], 0)
		require.Len(t, n.found(t, "renamed"), 10)
		_, p = n.page(t, "?search=renamed")
		require.InDelta(t, crowd, p["total"], 0)
		// Each submitted two: the quiz is graded and the other is still pending.
		require.Len(t, follow(t, host, "/api/submissions?status=pending&limit=7", crowd), crowd)
		for _, u := range users {
			require.Len(t, follow(t, u, "/api/submissions?limit=1", 2), 2)
			require.Len(t, follow(t, u, "/api/submissions?status=completed", 1), 1)
		}
	})
}

// oneDay is the sequence of each client. toGrade is a neighbour's submission.
func (c *client) oneDay(ctx context.Context, shared, toGrade string) error {
	first, err := c.do(ctx, http.MethodPost, "/api/assignments", with(assignment(), "title", "First"), 201)
	if err != nil {
		return err
	}
	second, err := c.do(ctx, http.MethodPost, "/api/assignments", with(assignment(), "title", "Second"), 201)
	if err != nil {
		return err
	}
	withdrawn, err := c.do(ctx, http.MethodPost, "/api/submissions", submission(shared), 201)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		method, path string
		body         any
	}{
		{http.MethodPut, "/api/submissions/" + withdrawn + "/own", doc{"docsLink": link(50)}},
		{http.MethodDelete, "/api/submissions/" + withdrawn + "/own", nil},
		{http.MethodPut, "/api/assignment/" + first, with(assignment(), "title", "Renamed by "+c.name, "level", "hard")},
		{http.MethodDelete, "/api/assignment/" + second, nil},
		{http.MethodPatch, "/api/submissions/" + toGrade, doc{"marks": 5}},
		{http.MethodPatch, "/api/auth/profile", doc{"displayName": c.name + "!", "photoURL": ""}},
	} {
		if _, err := c.do(ctx, step.method, step.path, step.body, 200); err != nil {
			return err
		}
	}
	if _, err := c.do(ctx, http.MethodPost, "/api/submissions", submission(shared), 201); err != nil {
		return err
	}
	_, err = c.do(ctx, http.MethodPost, "/api/assignments", with(assignment(), "title", "Third"), 201)
	return err
}

// With If-Match no update is lost: each client adds one.
func TestConcurrentUpdatesWithIfMatch(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/assignment/" + ada.publish(t, "marks", 1)
		together(t, crowd, func(int) error {
			for {
				before, err := ada.persist(t.Context(), http.MethodGet, at, nil)
				if err != nil {
					return err
				}
				var a struct{ Marks int }
				if err := json.Unmarshal(before.body, &a); err != nil {
					return err
				}
				after, err := ada.persist(t.Context(), http.MethodPut, at, with(assignment(), "marks", a.Marks+1), header{"If-Match", before.header.Get("ETag")})
				if err != nil {
					return err
				}
				if after.status != http.StatusPreconditionFailed {
					return after.expect(http.StatusOK)
				}
			}
		})
		require.InDelta(t, crowd+1, n.visitor().get(t, at).json(t)["marks"], 0)
	})
}

// Without If-Match the last update wins, and none is refused.
func TestConcurrentUpdatesOfOneAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/assignment/" + ada.publish(t)
		together(t, crowd, func(i int) error {
			level := []string{"easy", "medium", "hard"}[i%3]
			_, err := ada.do(t.Context(), http.MethodPut, at, with(assignment(), "title", fmt.Sprintf("Word%02d", i), "level", level), 200)
			return err
		})
		got := n.visitor().get(t, at).json(t)
		require.Equal(t, []string{got["title"].(string)}, n.found(t, got["title"].(string)))
		found := 0
		for i := range crowd {
			found += len(n.found(t, fmt.Sprintf("Word%02d", i)))
		}
		require.Equal(t, 1, found, "words of lost titles are not found")
		for _, level := range []string{"easy", "medium", "hard"} {
			_, p := n.page(t, "?level="+level)
			require.Equal(t, level == got["level"], p["total"] == 1.0)
		}
	})
}

// Half of the clients delete assignments to which the others submit; half delete their accounts meanwhile. Nothing
// hangs, and the remaining rows agree with their totals.
func TestConcurrentAccountDeletions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		ids := make([]string, crowd)
		for i, u := range users {
			ids[i] = u.publish(t)
		}
		for i, u := range users {
			u.submit(t, ids[(i+1)%crowd])
		}
		stays := n.user(t, "Stays")
		toGrade := stays.pending(t)
		together(t, 2*crowd, func(i int) error {
			u := users[i%crowd]
			var err error
			switch {
			case i < crowd && i%2 == 0:
				_, err = u.do(t.Context(), http.MethodDelete, "/api/auth/account", nil, 204, 401)
			case i < crowd:
				_, err = u.do(t.Context(), http.MethodDelete, "/api/assignment/"+ids[i], nil, 200)
			default:
				_, err = u.do(t.Context(), http.MethodPatch, "/api/submissions/"+toGrade[(i+7)%crowd]["_id"].(string), doc{"marks": 3}, 200, 401, 404)
			}
			return err
		})
		titles, p := n.page(t, "?limit=100")
		require.Len(t, titles, crowd/2)
		require.InDelta(t, crowd/2, p["total"], 0)
		pending := stays.get(t, "/api/submissions?status=pending")
		require.Equal(t, fmt.Sprint(len(pending.array(t))), pending.header.Get("X-Total-Count"))
		for i, u := range users {
			if i%2 == 1 {
				follow(t, u, "/api/submissions?limit=1", 1)
			}
		}
	})
}
