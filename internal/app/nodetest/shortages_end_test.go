package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The creator is warned of too few submitters once: neither the withdrawal of the submission that brought the warning nor
// the deletion of its submitter's account brings a second one.
func TestOneWarningOfTooFewSubmitters(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, c *client, submission string){
		"withdrawn": func(t *testing.T, c *client, submission string) {
			c.del(t, "/api/submissions/"+submission+"/own").is(t, http.StatusOK)
		},
		"account deleted": func(t *testing.T, c *client, _ string) {
			c.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBothEngines(t, func(t *testing.T, n *node) {
				ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
				of := ada.publish(t, "reviewsNeeded", 3, "marks", 20, "dueDate", n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339))
				first := bob.submit(t, of)
				ada.post(t, "/api/notifications/read", doc{"until": newest(ada.get(t, "/api/notifications"))}).is(t, http.StatusOK)
				end(t, bob, first)
				cem.submit(t, of)
				require.Equal(t, map[string]float64{"/assignment/" + of: 1}, ada.warned(t))
			})
		})
	}
}

// Submitters delete their accounts while others hand in, 32 clients at once: no warning is left where submitters are
// enough at last, and each stays where they never were.
func TestShortagesBesideDeletedAccounts(t *testing.T) {
	const reviews = 4
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada").confirmed(t), n.user(t, "Bob")
		due := n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339)
		var enough, few []string
		var acts []func() (*answer, error)
		lay := func(joining int) string {
			of := ada.publish(t, "title", fmt.Sprint("Tides ", len(acts)), "reviewsNeeded", reviews, "marks", 20, "dueDate", due)
			var first *client
			for i := range 3 {
				c := n.user(t, fmt.Sprint("First", len(acts), "x", i))
				c.submit(t, of)
				if first == nil {
					first = c
				}
			}
			acts = append(acts, func() (*answer, error) { return first.try(t.Context(), http.MethodDelete, "/api/auth/account", nil) })
			for i := range joining {
				c := n.user(t, fmt.Sprint("Later", len(acts), "x", i))
				acts = append(acts, func() (*answer, error) {
					return c.try(t.Context(), http.MethodPost, "/api/submissions", submission(of))
				})
			}
			return of
		}
		for range 6 {
			enough = append(enough, lay(3))
		}
		for range 4 {
			few = append(few, lay(1))
		}
		require.Len(t, acts, crowd)
		n.tellsAll(t)
		require.Len(t, ada.warned(t), len(enough)+len(few))
		statuses := atOnce(t, func(i int) (*answer, error) { return acts[i]() })
		require.Equal(t, map[int]int{http.StatusNoContent: 10, http.StatusCreated: 22}, statuses)
		n.tellsAll(t)
		left := ada.warned(t)
		for _, of := range enough {
			require.NotContains(t, left, "/assignment/"+of)
			require.Nil(t, ada.shortage(t, of))
		}
		for _, of := range few {
			require.InDelta(t, 1, left["/assignment/"+of], 0)
			require.NotNil(t, ada.shortage(t, of))
		}
		require.Empty(t, bob.warned(t))
	})
}

// warned returns how often each of c's warnings of too few submitters counts, by where it leads.
func (c *client) warned(t *testing.T) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	list, _ := c.notifications(t, "?limit=100")
	for _, one := range list {
		if one["kind"] == "short" {
			out[one["url"].(string)] += one["count"].(float64)
		}
	}
	return out
}
