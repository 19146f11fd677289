package nodetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// overFilled finds submissions whose filled slots differ from their reviews and leases,
// or exceed the most.
const overFilled = `SELECT COUNT(*) FROM review_queue q JOIN review_states s ON s.id = q.id
WHERE q.filled > q.most OR q.filled <> s.reviews + (SELECT COUNT(*) FROM review_turns t WHERE t.id = q.id AND t.turn = 'leased')`

// A class of 200 reviews concurrently on three nodes, and some return work: at no time
// does a submission have more leases than slots, no user is offered their own or one
// twice, and all are settled in the end.
func TestTheQueueHoldsOnThreeNodes(t *testing.T) {
	t.Parallel()
	w := onPostgres(t)
	nodes := []*node{w.start(t), w.start(t), w.start(t)}
	const most = 5
	many := askers()
	ada := nodes[0].user(t, "Ada")
	of := ada.publish(t, "reviewsNeeded", 3, "marks", 20)
	users, own := make([]*client, many), make([]string, many)
	for i := range users {
		u := nodes[0].user(t, fmt.Sprint("User", i))
		own[i], users[i] = u.submit(t, of), u.at(nodes[i%len(nodes)])
	}
	conn, err := pgx.Connect(t.Context(), w.database.URL)
	require.NoError(t, err)
	working, stop := context.WithCancel(t.Context())
	watched := make(chan error, 1)
	looks := 0
	go func() {
		for working.Err() == nil {
			var wrong int
			err := conn.QueryRow(t.Context(), overFilled).Scan(&wrong)
			if err == nil && wrong > 0 {
				err = fmt.Errorf("%d submissions have more leases than places", wrong)
			}
			if err != nil {
				watched <- err
				return
			}
			looks++
		}
		watched <- nil
	}()
	had := make([]map[string]bool, many)
	for i := range had {
		had[i] = map[string]bool{}
	}
	// A user who finds nothing may find work that others returned meanwhile.
	for sweep, some := 0, true; some; sweep++ {
		require.Less(t, sweep, 2*most, "it comes to an end")
		got := make([]int, many)
		together(t, many, func(i int) error {
			for round := 0; ; round++ {
				id, err := users[i].reserve(t.Context(), of)
				if err != nil || id == "" {
					return err
				}
				if id == own[i] || had[i][id] {
					return fmt.Errorf("%s was offered to %s, whose own is %s, before: %t", id, users[i].name, own[i], had[i][id])
				}
				had[i][id] = true
				got[i]++
				method, path, body := http.MethodPatch, "/api/submissions/"+id, any(doc{"marks": 10 + i%5})
				if sweep == 0 && round == i%4 {
					method, path, body = http.MethodDelete, "/api/reviews/lease/"+id, nil
				}
				a, err := users[i].persist(t.Context(), method, path, body)
				if err != nil {
					return err
				}
				if err := a.expect(http.StatusOK, http.StatusNotFound, http.StatusConflict); err != nil {
					return err
				}
			}
		})
		some = false
		for _, n := range got {
			some = some || n > 0
		}
	}
	stop()
	require.NoError(t, <-watched)
	require.NoError(t, conn.Close(t.Context()))
	require.Positive(t, looks)
	for _, id := range own {
		sub, err := nodes[2].app.Store.Submission(t.Context(), studycircle.System(), id)
		require.NoError(t, err)
		require.Equal(t, studycircle.Completed, sub.Status)
		reviews, err := nodes[2].app.Store.Reviews(t.Context(), id)
		require.NoError(t, err)
		require.LessOrEqual(t, len(reviews), most)
		require.GreaterOrEqual(t, len(reviews), 3)
	}
	require.Empty(t, ada.pending(t))
}

// reserve reserves a review; "" if there is none, also because the assignment is hidden.
func (c *client) reserve(ctx context.Context, assignmentID string) (id string, err error) {
	a, err := c.persist(ctx, http.MethodPost, "/api/reviews/next", doc{"assignmentId": assignmentID})
	if err != nil || a.status == http.StatusNoContent || a.status == http.StatusNotFound {
		return "", err
	}
	if err := a.expect(http.StatusOK); err != nil {
		return "", err
	}
	var task struct{ SubmissionID string }
	err = json.Unmarshal(a.body, &task)
	return task.SubmissionID, err
}
