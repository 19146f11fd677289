package nodetest

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A member who asks for a submission to review, or for a reminder, and is removed at the same moment keeps neither.
func TestRemovedMembersHoldNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Readers")
		submitters := n.people(t, "Bob", "Cleo", "Dan")
		ada.admits(t, circle, "member", submitters...)
		readers := make([]*client, crowd/2)
		for i := range readers {
			readers[i] = n.user(t, "Reader"+strconv.Itoa(i))
		}
		ada.admits(t, circle, "member", readers...)
		due := time.Now().Add(5 * 24 * time.Hour)
		work := ada.publishIn(t, circle, "Tides", due, 5)
		reminding := ada.publishIn(t, circle, "Winds", due)
		for _, one := range submitters {
			one.submit(t, work)
		}
		var held atomic.Int64
		atOnce(t, func(i int) (*answer, error) {
			reader := readers[i/2]
			if i%2 == 1 {
				return ada.try(t.Context(), http.MethodDelete, "/api/circle/"+circle+"/members/"+reader.id(t), nil)
			}
			a, err := reader.try(t.Context(), http.MethodPost, "/api/reviews/next", doc{"assignmentId": work})
			if err != nil || a.status == http.StatusServiceUnavailable {
				return a, err
			}
			if a.status == http.StatusOK {
				held.Add(1)
			}
			return reader.try(t.Context(), http.MethodPut, "/api/assignment/"+reminding+"/reminder", doc{"remind": true})
		})
		t.Logf("%d had a lease before they were removed", held.Load())
		require.Equal(t, []string{"Ada owner", "Bob member", "Cleo member", "Dan member"}, ada.members(t, circle, ""))
		for _, left := range []string{
			"SELECT COUNT(*) FROM review_turns t WHERE t.turn = 'leased' AND NOT EXISTS (SELECT 1 FROM circle_members m WHERE m.user_id = t.reviewer_id)",
			"SELECT COUNT(*) FROM reminders r WHERE NOT EXISTS (SELECT 1 FROM circle_members m WHERE m.user_id = r.user_id)",
			"SELECT SUM(filled) FROM review_queue",
		} {
			var held int64
			require.NoError(t, n.app.Store.Engine().Reads().QueryRowContext(t.Context(), left).Scan(&held))
			require.Zero(t, held, left)
		}
	})
}
