package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// 200 users request reviews concurrently until none is left: no submission is reserved
// beyond its slots, no user gets their own or one twice, and all are settled in the end.
func TestConcurrentRequestsForReviews(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *node) {
		const needed, most = 3, 5
		many := askers()
		ada := a.user(t, "Ada")
		of := ada.publish(t, "reviewsNeeded", needed, "marks", 20)
		users := make([]*client, many)
		own := map[string]*client{}
		for i := range users {
			users[i] = a.user(t, fmt.Sprint("User", i))
			own[users[i].submit(t, of)] = users[i]
			if i%2 == 1 {
				users[i] = users[i].at(b)
			}
		}
		reviews, had := map[string]int{}, map[string]bool{}
		for round := 0; ; round++ {
			require.Less(t, round, 2*most, "it comes to an end")
			got := make([]string, many)
			together(t, many, func(i int) error {
				id, err := users[i].reserve(t.Context(), of)
				got[i] = id
				return err
			})
			leases, some := map[string]int{}, false
			for i, id := range got {
				if id == "" {
					continue
				}
				some = true
				require.NotEqual(t, users[i].email, own[id].email, "their own")
				require.False(t, had[users[i].email+id], "once more")
				had[users[i].email+id] = true
				leases[id]++
				require.LessOrEqual(t, reviews[id]+leases[id], most)
			}
			if round == 0 {
				require.GreaterOrEqual(t, len(leases), many-1, "as many submissions as people: one each, unless the last is one's own")
			}
			if !some {
				break
			}
			together(t, many, func(i int) error {
				if got[i] == "" {
					return nil
				}
				answer, err := users[i].persist(t.Context(), http.MethodPatch, "/api/submissions/"+got[i], doc{"marks": 10 + i%5})
				if err != nil {
					return err
				}
				return answer.expect(http.StatusOK, http.StatusConflict)
			})
			for id, n := range leases {
				reviews[id] += n
			}
		}
		for _, c := range own {
			require.Equal(t, "completed", c.get(t, "/api/submissions").array(t)[0]["status"])
		}
		require.Empty(t, ada.pending(t))
	})
}

// Clients review each other concurrently, while some return, withdraw and delete their
// accounts: no deadlock occurs, and counts agree with the rows.
func TestConcurrentReviewsOfEachOther(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		own := make([]string, crowd)
		for i, u := range users {
			own[i] = u.submit(t, of)
		}
		together(t, crowd, func(i int) error {
			u := users[i]
			for round := range 4 {
				a, err := u.persist(t.Context(), http.MethodPost, "/api/reviews/next", doc{})
				if err != nil || a.status == http.StatusNoContent {
					return err
				}
				if err := a.expect(http.StatusOK); err != nil {
					return err
				}
				at := a.json(t)["submissionId"].(string)
				switch {
				case i%8 == 1 && round == 0:
					_, err = u.do(t.Context(), http.MethodDelete, "/api/reviews/lease/"+at, nil, 200, 404)
				case i%8 == 2 && round == 1:
					_, err = u.do(t.Context(), http.MethodDelete, "/api/submissions/"+own[i]+"/own", nil, 200, 409)
				case i%8 == 3 && round == 2:
					_, err = u.do(t.Context(), http.MethodDelete, "/api/auth/account", nil, 204)
					return err
				default: // it may be settled or withdrawn
					_, err = u.do(t.Context(), http.MethodPatch, "/api/submissions/"+at, doc{"marks": 8 + i%5}, 200, 404, 409)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		open := 0
		for i, u := range users {
			if i%8 == 3 {
				continue
			}
			for _, s := range u.get(t, "/api/submissions").is(t, http.StatusOK).array(t) {
				if s["status"] == "pending" {
					open++
				}
			}
		}
		rows := ada.pending(t)
		require.Len(t, rows, min(open, 1))
		if open > 0 {
			require.InDelta(t, open, n.user(t, "Zoe").reviewable(t, rows[0]["assignmentId"].(string)), 0)
		}
	})
}
