package nodetest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

const (
	day    = 24 * time.Hour
	decade = 3652 * day
)

// jumps are the successive offsets of a broken wall clock.
var jumps = []time.Duration{0, time.Hour, 0, -time.Hour, 0, day, -day, 0, decade, -time.Hour, 0}

// Under any jumps of the clock, users can sign in and work, and lists keep the order of
// publication.
func TestClockJumps(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		atFirst := header{"Cookie", "session=" + ada.newSession(t)}
		far := "9000-01-01T00:00:00Z"
		var titles, submissions []string
		for i, jump := range jumps {
			n.clock.jump(jump)
			// Ten years later the hourly clean-up may remove the session, which has then expired.
			if jump == 0 && i < slices.Index(jumps, decade) {
				require.NotNil(t, n.visitor().get(t, "/api/auth/session", atFirst).json(t)["user"], "the session from before is good again")
			}
			// A token may have expired; the browser then gets another.
			for _, u := range []*client{ada, bob} {
				require.Contains(t, []int{http.StatusOK, http.StatusUnauthorized}, u.get(t, "/api/submissions").status)
				u.newSession(t)
			}
			title := fmt.Sprintf("Jump %d", i)
			id := ada.publish(t, "title", title, "dueDate", far)
			ada.put(t, "/api/assignment/"+id, with(assignment(), "title", title+"!", "dueDate", far)).is(t, http.StatusOK)
			submissions = append(submissions, bob.submit(t, id))
			titles = slices.Insert(titles, 0, title+"!")
		}
		got, p := n.page(t, "?limit=100")
		require.Equal(t, titles, got)
		require.Equal(t, pages(1, 100, float64(len(jumps)), 1), p)
		require.Equal(t, titles, n.allFound(t, "jump"))
		require.Equal(t, submissions, follow(t, ada, "/api/submissions?status=pending", len(jumps)))
		slices.Reverse(submissions)
		require.Equal(t, submissions, follow(t, bob, "/api/submissions", len(jumps)))
	})
}

// allFound is found for all pages.
func (n *node) allFound(t *testing.T, search string) []string {
	t.Helper()
	titles, _ := n.page(t, "?limit=100&search="+search)
	return titles
}

// A session renews its token for as long as it lives, also after a jump.
func TestSessionsOutliveSmallJumps(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		cookie := header{"Cookie", "session=" + ada.newSession(t)}
		for _, jump := range []time.Duration{time.Hour, -time.Hour, day, -day, 0} {
			n.clock.jump(jump)
			who, _ := n.visitor().get(t, "/api/auth/session", cookie).is(t, http.StatusOK).json(t)["user"].(doc)
			require.NotNil(t, who, jump)
			(&client{n: n, token: who["accessToken"].(string)}).get(t, "/api/submissions").is(t, http.StatusOK)
		}
		n.clock.jump(16 * time.Minute)
		ada.get(t, "/api/submissions").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		n.clock.jump(decade)
		require.Equal(t, doc{"user": nil}, n.visitor().get(t, "/api/auth/session", cookie).is(t, http.StatusOK).json(t))
	})
}

// Attempts made while the clock was ten years ahead do not lock a user out when it is
// right again.
func TestLimitsForgetTheFuture(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, jump := range []time.Duration{3652 * day, day, time.Hour} {
			n.clock.jump(jump)
			limited := false
			for range 11 {
				a := n.visitor().post(t, "/api/auth/login", doc{"email": ada.email, "password": "Wrong1Horse"})
				limited = limited || a.status == http.StatusTooManyRequests
			}
			require.True(t, limited)
			n.clock.jump(jump + 16*time.Minute)
			ada.newSession(t)
			n.clock.jump(-day)
			ada.newSession(t)
		}
	})
}
