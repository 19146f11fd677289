package nodetest

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// After any history the list of a user's invitations holds those that MayAnswerInvited lets the user answer, without
// those of circles that the user is in or has blocked, and what is in the list can be accepted.
func TestInvitationsAreListedWhileTheyCanBeAnswered(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		random := rand.New(rand.NewPCG(43, 1))
		listed := 0
		for range 8 {
			ada, bob := n.user(t, "Ada"+studycircle.NewBlindID()[:6]), n.user(t, "Bob"+studycircle.NewBlindID()[:6]).confirmed(t)
			circles, links, blocked := make([]string, 3), map[string]string{}, map[string]bool{}
			for i := range circles {
				circles[i] = ada.circle(t, "Readers")
				_, links[circles[i]] = ada.invite(t, circles[i])
			}
			invitations := func() (all [][2]string) {
				rows, err := n.app.Store.Engine().Reads().QueryContext(t.Context(),
					"SELECT id, circle_id FROM circle_invitations WHERE roster_email = $1 ORDER BY id", bob.email)
				require.NoError(t, err)
				defer func() { require.NoError(t, rows.Close()) }()
				for rows.Next() {
					var one [2]string
					require.NoError(t, rows.Scan(&one[0], &one[1]))
					all = append(all, one)
				}
				require.NoError(t, rows.Err())
				return all
			}
			var history []string
			for range 40 {
				n.clock.advance(time.Second)
				circle, invitation := circles[random.IntN(len(circles))], [2]string{"x", "x"}
				if all := invitations(); len(all) > 0 {
					invitation = all[random.IntN(len(all))]
				}
				at := "/api/circle/" + circle
				does := []string{
					"roster", "roster", "roster", "roster", "roster", "roster", "accept", "decline", "block", "leave", "remove",
					"remove", "archive", "archive", "unarchive", "unarchive", "delete", "restore", "restore", "revoke", "link", "link",
				}[random.IntN(22)]
				var a *answer
				switch does {
				case "roster":
					a = ada.roster(t, circle, "", "email", bob.email)
				case "accept", "decline", "block":
					circle = invitation[1]
					if a = bob.answers(t, invitation[0], does); a.status == http.StatusOK && does != "decline" {
						blocked[circle] = does == "block"
					}
				case "leave":
					a = bob.post(t, at+"/leave", nil)
				case "remove":
					a = ada.del(t, at+"/members/"+bob.id(t))
				case "delete":
					a = ada.del(t, at)
				case "revoke":
					a = ada.del(t, "/api/circle/"+invitation[1]+"/invitations/"+invitation[0])
				case "link":
					if a = bob.join(t, links[circle]); a.status == http.StatusOK {
						blocked[circle] = false
					}
				default:
					a = ada.post(t, at+"/"+does, nil)
				}
				require.Less(t, a.status, http.StatusInternalServerError, does)
				history = append(history, does+" "+circle)

				var want []string
				user := bob.ownAccount(t)
				for _, one := range invitations() {
					require.NoError(t, n.app.Store.Write(t.Context(), studycircle.ViewerOf(user.ID), func(ctx context.Context, tx *store.Tx) error {
						in, err := tx.LockCircle(ctx, one[1], user.ID)
						if err != nil {
							return err
						}
						i, err := tx.Invitation(ctx, one[0])
						if err != nil {
							return err
						}
						removed, err := tx.RemovedAt(ctx, one[1], user.ID)
						may := studycircle.MayAnswerInvited(i, in.Circle, user, removed, n.clock.now()) == nil
						if may && in.Mine.Role == "" && !blocked[one[1]] {
							want = append(want, one[0])
						}
						return err
					}))
				}
				got, _ := bob.waiting(t)
				slices.Sort(got)
				require.Equal(t, want, got, "after %q", history)
				listed += len(got)
			}
			for _, id := range func() []string { ids, _ := bob.waiting(t); return ids }() {
				bob.answers(t, id, "accept").is(t, http.StatusOK)
			}
		}
		require.Positive(t, listed)
		t.Logf("%d invitations were listed", listed)
	})
}
