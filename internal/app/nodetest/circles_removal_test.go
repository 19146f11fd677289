package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A deleted circle is removed with everything in it once it cannot be restored; submitters keep their marks. Nodes that
// do that at once do it once.
func TestDeletedCircleIsRemoved(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Now())
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		id, kept := ada.circle(t, "Canary readers"), ada.circle(t, "Kept")
		ada.admits(t, id, "member", bob, cleo)
		for i := range 60 {
			require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", fmt.Sprintf("fay%d@example.org", i)).is(t, http.StatusOK).json(t))
		}
		var assignments []string
		for i := range 60 {
			assignments = append(assignments, ada.publishIn(t, id, fmt.Sprint("Canary ", i), n.clock.now().Add(24*time.Hour)))
		}
		graded := bob.submit(t, assignments[0])
		cleo.grade(t, graded, 7)
		bob.submit(t, assignments[1])
		bob.write(t, assignments[0], "Canary comment")
		ada.del(t, "/api/circle/"+id).is(t, http.StatusOK)

		remove := func() {
			together(t, crowd, func(int) error { return n.app.Service.RemoveCircles(t.Context()) })
		}
		tables := func() (rows int) {
			query := "SELECT (SELECT COUNT(*) FROM circles WHERE id = $1) + (SELECT COUNT(*) FROM circle_members WHERE circle_id = $1)" +
				" + (SELECT COUNT(*) FROM circle_invitations WHERE circle_id = $1) + (SELECT COUNT(*) FROM circle_member_words WHERE circle_id = $1)" +
				" + (SELECT COUNT(*) FROM assignments WHERE circle_id = $1 AND deleted_at IS NULL)"
			require.NoError(t, n.app.Store.Engine().Reads().QueryRowContext(t.Context(), query, id).Scan(&rows))
			return rows
		}
		before := tables()
		n.clock.stand(n.clock.now().Add(studycircle.CircleRestorable))
		remove()
		require.Equal(t, before, tables(), "it can be restored")
		n.clock.stand(n.clock.now().Add(time.Second))
		remove()
		require.Zero(t, tables())
		for _, c := range []*client{ada, bob} {
			c.newSession(t)
		}
		ada.post(t, "/api/circle/"+id+"/restore", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, []string{"Kept"}, ada.circles(t))
		ada.get(t, "/api/circle/"+kept).is(t, http.StatusOK)
		bob.get(t, "/api/assignment/"+assignments[0]).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		mine := bob.get(t, "/api/submissions?status=completed&submittedBy="+bob.email).is(t, http.StatusOK)
		require.Contains(t, string(mine.body), `"_id":"`+graded+`"`)
		require.Contains(t, string(mine.body), `"givenMark":7`)
		require.NotContains(t, string(mine.body), "Canary readers")
	})
}
