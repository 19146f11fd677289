package nodetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The dashboard finds the unattended submissions that the viewer may review behind any
// number of their own, each assignment once, ordered by its longest-waiting submission.
func TestUnattendedSubmissionsAreFoundBehindOnesOwn(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		const many = 110
		ada, bob, eve, fay := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve"), n.user(t, "Fay")
		for range many {
			bob.submit(t, ada.publish(t, "reviewsNeeded", 2))
		}
		var want []any
		for i := range 7 {
			title := fmt.Sprint("Left ", i)
			of := ada.publish(t, "reviewsNeeded", 2, "title", title)
			if i < 5 {
				want = append(want, title)
			}
			eve.submit(t, of)
			fay.submit(t, of)
		}
		n.clock.advance(20 * 24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		for _, c := range []*client{ada, bob, eve} {
			c.newSession(t)
		}
		waiting := func(c *client) (of []any) {
			for _, row := range c.get(t, "/api/dashboard").json(t)["waiting"].([]any) {
				of = append(of, row.(doc)["assignmentTitle"])
			}
			return of
		}
		require.Equal(t, want, waiting(bob))
		require.Len(t, waiting(eve), 5)
		require.Empty(t, waiting(ada), "a creator decides otherwise")
	})
}
