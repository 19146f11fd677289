package nodetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// However much of what nobody came for is one's own, the dashboard finds what one may
// review of it, each assignment once, that of which something waits longest first.
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
