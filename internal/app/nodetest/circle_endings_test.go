package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// What a member writes in a circle is committed before the member is removed or the circle is archived, or refused:
// the transaction that ends it counts all that there will be.
func TestNoWriteFollowsTheEndOfAMembership(t *testing.T) {
	endings := map[string]func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error{
		"removed": func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error {
			return tx.RemoveMember(ctx, m, time.Now())
		},
		"archived": func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error {
			return tx.SetCircleArchived(ctx, m.CircleID, time.Now())
		},
	}
	writes := map[string]struct {
		written string // counts what there is, of the circle $1 by the user $2
		request func(assignmentID, submissionID, circleID string) (method, path string, body any)
	}{
		"publish": {
			"SELECT COUNT(*) FROM assignments WHERE circle_id = $1 AND creator_id = $2",
			func(_, _, circleID string) (string, string, any) {
				return http.MethodPost, "/api/assignments", with(assignment(), "circleId", circleID)
			},
		},
		"hand in": {
			"SELECT COUNT(*) FROM submissions WHERE circle_id = $1 AND submitter_id = $2",
			func(assignmentID, _, _ string) (string, string, any) {
				return http.MethodPost, "/api/submissions", submission(assignmentID)
			},
		},
		"grade": {
			"SELECT COUNT(*) FROM submissions WHERE circle_id = $1 AND grader_id = $2",
			func(_, submissionID, _ string) (string, string, any) {
				return http.MethodPatch, "/api/submissions/" + submissionID, doc{"marks": 5}
			},
		},
	}
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		due := time.Now().Add(5 * 24 * time.Hour)
		for ending, end := range endings {
			for name, w := range writes {
				t.Run(name+" "+ending, func(t *testing.T) {
					circle := ada.circle(t, "Readers")
					ada.admits(t, circle, "member", bob, cleo)
					var assignments, submissions [crowd]string
					for i := range crowd - 1 {
						assignments[i] = ada.publishIn(t, circle, fmt.Sprint("Tides ", i), due)
						submissions[i] = cleo.submit(t, assignments[i])
					}
					owner, member := ada.id(t), bob.id(t)
					var atTheEnd int64
					begun := make(chan struct{})
					begin := sync.OnceFunc(func() { close(begun) })
					together(t, crowd, func(i int) error {
						if i == crowd-1 {
							<-begun
							return n.app.Store.Write(t.Context(), studycircle.ViewerOf(owner), func(ctx context.Context, tx *store.Tx) error {
								if _, err := tx.LockCircle(ctx, circle, member); err != nil {
									return err
								}
								m, err := tx.Membership(ctx, circle, member)
								if err != nil {
									return err
								}
								if err := end(ctx, tx, m); err != nil {
									return err
								}
								return tx.DB.QueryRowContext(ctx, w.written, circle, member).Scan(&atTheEnd)
							})
						}
						method, path, body := w.request(assignments[i], submissions[i], circle)
						_, err := bob.persist(t.Context(), method, path, body)
						begin()
						return err
					})
					var written int64
					require.NoError(t, n.app.Store.Engine().Reads().QueryRowContext(t.Context(), w.written, circle, member).Scan(&written))
					require.Equal(t, atTheEnd, written)
					t.Logf("%d were written before", written)
				})
			}
		}
	})
}
